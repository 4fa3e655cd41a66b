/** The rows of a folder in the report: sources, counts, freshness and search: pure functions. */
import type { Words } from './format';
import { momentText } from './diagnosticsWords';
import { number } from './plural';
import type { FolderDiagnostics, IndexContent, SourcesRoot } from './protocol';
import type { Row } from './diagnosticsReport';

/** Returns the configurations, extensions and external objects that were found. */
export function sourcesRows({ roots }: IndexContent, words: Words): Row[] {
  return roots.map(root => [
    root.name,
    [kindName(root, words), formatName(root, words), ...(root.path === '.' ? [] : [root.path])].join(', '),
  ]);
}

function kindName({ kind }: SourcesRoot, { t }: Words): string {
  switch (kind) {
    case 'configuration':
      return t('configuration');
    case 'extension':
      return t('extension of a configuration');
    case 'external':
      return t('external data processor or report');
    case 'plain':
      return t('modules');
  }
}

function formatName({ format }: SourcesRoot, { t }: Words): string {
  switch (format) {
    case 'designer':
      return t('XML of the Designer');
    case 'edt':
      return t('EDT project');
    case 'v8unpack':
      return t('export of v8unpack');
    case 'plain':
      return t('folder of files');
  }
}

/** Returns how much an index holds. */
export function contentRows(content: IndexContent, { t, lang }: Words): Row[] {
  const count = (value: number): string => number(value, lang);
  return [
    [t('Modules'), count(content.files)],
    [t('Procedures and functions'), count(content.procedures)],
    [t('Metadata objects'), count(content.objects)],
    [t('Forms'), count(content.forms)],
    [t('Chunks of code'), count(content.codeChunks)],
    [t('Chunks of metadata'), count(content.metadataChunks)],
    [t('Vectors'), vectorsText(content, { t, lang })],
  ];
}

function vectorsText({ vectors }: IndexContent, { t, lang }: Words): string {
  const count = number(vectors.count, lang);
  return vectors.missing ? t('{0}, missing: {1}', count, number(vectors.missing, lang)) : count;
}

/** Returns how old an index is and what it does not know yet. */
export function freshnessRows(folder: FolderDiagnostics, content: IndexContent, words: Words, now: Date): Row[] {
  const { t, lang } = words;
  // the index is there from the first file on, and made when the first pass has ended
  const first = content.refreshed === null && folder.state === 'indexing';
  const moments: Row[] = first
    ? [[t('Made'), t('being made now')]]
    : [
        [t('Brought up to date'), momentText(content.refreshed, words, now)],
        [t('All sources looked at'), momentText(content.walked, words, now)],
        [t('Made'), momentText(content.created, words, now)],
      ];
  return [
    ...moments,
    [t('Modules not in the index yet'), number(Math.max(folder.pending, content.pending), lang)],
    [t('Saved files that wait'), number(folder.waiting, lang)],
  ];
}

/** Returns the legs of search: by words, by meaning, with which model and store. */
export function searchRows(folder: FolderDiagnostics, words: Words): Row[] {
  const { t } = words;
  const vectors = folder.content?.vectors;
  const yes = (leg: string): string => (folder.legs.includes(leg) ? t('yes') : t('not now'));
  const rows: Row[] = [
    [t('By words'), yes('lexical')],
    [t('By meaning'), yes('vector')],
    [t('Vectors are kept in'), storeName(folder.store, words)],
  ];
  if (vectors?.count) {
    rows.push([t('Model'), t('{0}, {1} numbers in a vector', modelName(vectors.model, vectors.adapted, words), vectors.dimensions)]);
  }
  if (vectors && vectors.wanted !== vectors.model) {
    rows.push([t('Model that is asked for'), modelName(vectors.wanted, false, words)]);
  }
  if (folder.storeProblem) {
    rows.push([t('Problem of the store'), folder.storeProblem]);
  }
  if (folder.encoderProblem) {
    rows.push([t('Problem of the model'), folder.encoderProblem]);
  }
  return rows;
}

function modelName(model: string, adapted: boolean, { t }: Words): string {
  return model || (adapted ? t('the shipped BSL model, adapted to this configuration') : t('the shipped BSL model'));
}

function storeName(store: string, { t }: Words): string {
  switch (store) {
    case 'exact':
      return t('the index file');
    case 'chroma':
      return t('Chroma, embedded');
    case 'chroma-server':
      return t('a Chroma server');
    default:
      return store;
  }
}
