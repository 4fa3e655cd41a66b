/** The documents that the server is told of: modules, and the XML sources of metadata objects, forms and roles. */
import type { DocumentFilter } from 'vscode-languageclient/node';

/** The folders of a Designer dump, one for each kind of metadata; server/bsl_scout/configuration/kinds.py has the kinds. */
export const FOLDERS = `
AccountingRegisters AccumulationRegisters Bots BusinessProcesses CalculationRegisters Catalogs
ChartsOfAccounts ChartsOfCalculationTypes ChartsOfCharacteristicTypes CommandGroups CommonAttributes
CommonCommands CommonForms CommonModules CommonPictures CommonTemplates Constants DataProcessors
DefinedTypes Documents DocumentJournals DocumentNumerators Enums EventSubscriptions ExchangePlans
ExternalDataProcessors ExternalDataSources ExternalReports FilterCriteria FunctionalOptions
FunctionalOptionsParameters HTTPServices InformationRegisters IntegrationServices Languages Reports Roles
ScheduledJobs Sequences SessionParameters SettingsStorages Styles StyleItems Subsystems Tasks WebServices
WebSocketClients WSReferences XDTOPackages
`.trim().split(/\s+/);

/** No language id is ours but that of modules; other XML than that of configurations is left alone. */
export const documentSelector: DocumentFilter[] = [
  { scheme: 'file', language: 'bsl' },
  ...[
    '**/*.mdo',
    '**/*.form',
    '**/*.elem.json',
    '**/*Form/*/*Form.json',
    `**/{${FOLDERS.join(',')}}/*.xml`,
    '**/Forms/*.xml',
    '**/Templates/*.xml',
    '**/Ext/{Form,Rights,Predefined}.xml',
  ].map(pattern => ({ scheme: 'file', pattern })),
];
