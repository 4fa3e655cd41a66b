/** The custom methods of the wire, by name. */
import type {
  Answer,
  Diagnostics,
  FindLogicParams,
  FormContext,
  FormContextParams,
  Forms,
  FormsParams,
  IndexStatus,
  ObjectNames,
  ObjectNamesParams,
  ProcedureContext,
  ProcedureContextParams,
} from './protocol';

/** A request or notification by its name, with what is sent and what comes back; the client library is loaded only after the server is started. */
export class Method<P, R = void> {
  declare readonly params: P;
  declare readonly result: R;

  constructor(readonly name: string) {}
}

export const GetDiagnostics = new Method<Record<string, never>, Diagnostics>('bslScout/diagnostics');
export const FindLogic = new Method<FindLogicParams, Answer>('bslScout/findLogic');
export const GetFormContext = new Method<FormContextParams, FormContext>('bslScout/formContext');
export const GetProcedureContext = new Method<ProcedureContextParams, ProcedureContext>('bslScout/procedureContext');
export const FindForms = new Method<FormsParams, Forms>('bslScout/forms');
export const FindObjectNames = new Method<ObjectNamesParams, ObjectNames>('bslScout/objectNames');
export const StopIndexing = new Method<Record<string, never>, unknown>('bslScout/stopIndexing');
export const RebuildIndex = new Method<Record<string, never>, unknown>('bslScout/rebuildIndex');
export const IndexStatusChanged = new Method<IndexStatus>('bslScout/indexStatus');
export const LogLevelChanged = new Method<{ level: string }>('bslScout/logLevel');
