/** The wire: mirrors server/bsl_scout/lsp/protocol.py, one type per custom method. */
import type { Share } from './coexistence';

export type Collection = 'all' | 'code' | 'metadata' | 'form';
export type Mode = 'auto' | 'hybrid' | 'lexical' | 'vector' | 'rerank';

export interface FindLogicParams {
  query: string;
  mode?: Mode;
  top?: number;
  collection?: Collection;
  /** Instead of a query: a document and a line (1-based) of the procedure that others are compared with. */
  uri?: string;
  line?: number;
}

export interface Copy {
  path: string;
  symbol: string;
  line: number;
}

export interface Hit {
  rank: number;
  root: string;
  path: string;
  uri: string;
  /** A procedure, `<header>` or `<body>` outside of them; of metadata the full name in Russian, `Документ.Заказ.Реквизит.Сумма`. */
  symbol: string;
  /**
   * Of code: procedure, function, header, body, and place, the exact place of a pasted error or call-stack line.
   * Of metadata: object, or the kind of a field such as attribute, dimension, tabular_section, form, enum_value.
   */
  kind: string;
  /** 1-based, as every line here. */
  line: number;
  endLine: number;
  /** 1-based, only where a call stack gives it. */
  column?: number | null;
  score: number;
  ranks: Record<string, number>;
  owner: string | null;
  module: string;
  words: string;
  synonym: string | null;
  /** A line of code; of metadata the synonyms and the type. */
  snippet: string;
  snippetLine: number;
  /** UTF-16 spans of the matched words inside `snippet`. */
  matches: [number, number][];
  /** Other places of the same code. */
  also: Copy[];
  /** What a span holds when it translates words of the query, with these words. */
  translated: Record<string, string>;
}

export interface Answer {
  query: string;
  mode: string;
  /** `code` names the reason; texts for it are in modes.ts. */
  route: { mode: string; reason: string; confidence: number; code: string; names: string[] };
  legs: string[];
  convincing: boolean;
  fresh: { indexed: number; pending: number };
  elapsedMs: number;
  hits: Hit[];
}

export interface ObjectNamesParams {
  /** The beginning of a name or synonym. */
  query: string;
  limit?: number;
}

export interface ObjectName {
  /** The full name in Russian. */
  name: string;
  title: string;
}

export interface ObjectNames {
  names: ObjectName[];
}

export interface FormContextParams {
  /** The source or module of a form. */
  uri?: string;
  /** Ids or relative paths of forms; several share one budget. */
  forms?: string[];
  sections?: string[];
  maxChars?: number;
  question?: string;
}

export interface FormContext {
  text: string;
  forms: string[];
  characters: number;
  /** About so many. */
  tokens: number;
  warnings: string[];
  leftOutRows: number;
  leftOutProcedures: number;
  leftOutForms: string[];
}

export interface ProcedureContextParams {
  /** A module and a line of it (1-based) that the procedure holds. */
  uri: string;
  line: number;
  maxChars?: number;
}

export interface ProcedureContext {
  text: string;
  name: string;
  characters: number;
  /** About so many. */
  tokens: number;
  leftOutLines: number;
  leftOutCalls: number;
  leftOutCallers: number;
  leftOutObjectRows: number;
}

export interface FormsParams {
  query?: string;
  limit?: number;
  /** The document in front: its form goes first. */
  uri?: string;
}

export interface FormTitle {
  /** The full name in Russian. */
  id: string;
  title: string;
  path: string;
  uri: string;
}

export interface Forms {
  forms: FormTitle[];
  /** The id of the form that the document belongs to, or "". */
  current: string;
}

export type IndexState = 'starting' | 'indexing' | 'ready' | 'paused' | 'failed' | 'locked' | 'empty' | 'missing' | 'full';

export type AdaptationState = 'off' | 'waiting' | 'training' | 'embedding' | 'encoding' | 'ready' | 'refused';

export interface Adaptation {
  state: AdaptationState;
  /** Steps of the stage. */
  done: number;
  total: number;
  /** What the test gained, 0 to 1. */
  gain: number;
  weight: number;
  /** Why it was refused: few-comments, little-code, no-better, other-encoder; of a failure a text. */
  reason: string;
}

export interface Progress {
  stage: '' | 'objects' | 'modules';
  done: number;
  total: number;
}

export interface IndexStatus {
  state: IndexState;
  indexed: number;
  pending: number;
  progress: Progress;
  legs: string[];
  message: string;
  adaptation: Adaptation;
}

export interface SourcesRoot {
  name: string;
  kind: 'configuration' | 'extension' | 'external' | 'plain';
  format: 'designer' | 'edt' | 'v8unpack' | 'plain';
  /** Relative to the folder, `.` for itself. */
  path: string;
}

export interface VectorFacts {
  count: number;
  /** Chunks that have none yet. */
  missing: number;
  dimensions: number;
  /** The model that made them, and the one that is asked for; empty: the BSL model. */
  model: string;
  wanted: string;
  adapted: boolean;
}

export interface Problem {
  path: string;
  message: string;
  /** model, unreadable, protected, broken, absent, encoding, duplicate, unknown, empty, other */
  kind: string;
  /** 1-based. */
  line: number | null;
}

export interface IndexContent {
  roots: SourcesRoot[];
  files: number;
  procedures: number;
  objects: number;
  forms: number;
  codeChunks: number;
  metadataChunks: number;
  vectors: VectorFacts;
  /** ISO 8601, null where it is not known: made, last brought up to date, last compared with all sources. */
  created: string | null;
  refreshed: string | null;
  walked: string | null;
  pending: number;
  problems: Problem[];
}

export interface FolderDiagnostics {
  name: string;
  /** What the paths of problems are relative to. */
  uri: string;
  state: IndexState;
  message: string;
  indexed: number;
  pending: number;
  progress: Progress;
  /** Saved files whose refresh has not begun. */
  waiting: number;
  legs: string[];
  /** exact, chroma or chroma-server */
  store: string;
  storeProblem: string;
  encoderProblem: string;
  adaptation: Adaptation;
  /** Whether the index on disk can be read. */
  index: 'ready' | 'none' | 'other-version' | 'damaged' | 'unavailable';
  indexProblem: string;
  /** Sizes on disk by catalog, models, chroma, other. */
  bytes: Record<string, number>;
  content: IndexContent | null;
}

export interface LoggedError {
  at: string;
  level: 'error' | 'warning';
  message: string;
}

export interface ServerVersions {
  server: string;
  python: string;
  sqlite: string;
  system: string;
}

export interface Diagnostics {
  folders: FolderDiagnostics[];
  /** The newest first. */
  errors: LoggedError[];
  versions: ServerVersions;
}

export interface InitializationOptions {
  locale: 'ru' | 'en';
  logLevel: string;
  semanticTokens: boolean;
  symbols: Share;
  hover: Share;
  formDiagnostics: boolean;
  /** Where vectors are kept: `exact` or `chroma`, and the address of a Chroma server. */
  vectors: { store: string; chromaUrl: string };
  /** What the setting `bslScout.roots` of each workspace folder names, relative to it. */
  roots: { folder: string; paths: string[] }[];
  /** What the setting `bslScout.search.synonyms` of each workspace folder holds, `НДС = налог`. */
  synonyms: { folder: string; groups: string[] }[];
  /** Whether the model is adapted to each folder. */
  adapt: boolean;
  /** The model that makes the vectors, by name or folder; empty: the shipped one. */
  encoder: string;
  /** The cross-encoder of mode rerank, by name or folder; empty: none. */
  rerankModel: string;
}
