/** What there is to tell about the indexes and what runs here, as titles, rows and lists: pure functions. */
import { modulesText, type Words } from './format';
import { momentText, sizeText, withoutPaths } from './diagnosticsWords';
import { number } from './plural';
import { contentRows, freshnessRows, searchRows, sourcesRows } from './diagnosticsRows';
import { problemKind } from './problemKinds';
import type { Diagnostics, FolderDiagnostics, Problem } from './protocol';
import { statusView, type ScoutStatus } from './statusText';

export type Row = [label: string, value: string];

export interface Item {
  text: string;
  /** The place to open, none where there is no file. */
  target?: { uri: string; line: number };
  label?: string;
}

export interface List {
  title: string;
  /** All of them; a view that shows fewer says so. */
  items: Item[];
}

export interface Section {
  /** 2 for a part of the report, 3 for a part of that. */
  level: 2 | 3;
  title: string;
  rows: Row[];
  lists: List[];
  note: string;
}

export interface Report {
  title: string;
  summary: string;
  sections: Section[];
  /** Whether there is something to stop. */
  indexing: boolean;
}

/** What the editor knows of itself. */
export interface Surroundings {
  extension: string;
  editor: string;
  system: string;
  remote: string;
  /** Paths that must not be told: the user's home, the folders of the workspace, the storage of the extension. */
  paths: string[];
}

/** Returns the report; `answer` is undefined when the server does not answer, `problem` tells why. */
export function makeReport(
  status: ScoutStatus,
  answer: Diagnostics | undefined,
  problem: string,
  around: Surroundings,
  words: Words,
  now: Date,
): Report {
  const { t } = words;
  const state = statusView(status, words);
  const sections = (answer?.folders ?? []).flatMap(folder => folderSections(folder, words, now));
  const errors = (answer?.errors ?? []).map(
    (one): Item => ({ text: `${momentText(one.at, words, now)}: ${one.level === 'error' ? t('error') : t('warning')}: ${one.message}` }),
  );
  if (answer) {
    sections.push(section(2, t('Last warnings and errors of the server'), { lists: errors.length ? [{ title: '', items: errors }] : [], note: errors.length ? '' : t('There were none since the server was started.') }));
  }
  const notes = [
    answer ? '' : t('The server does not answer, so its folders and versions are missing here: {0}', problem),
    answer?.folders.length === 0 ? t('No folder is open.') : '',
  ];
  sections.push(section(2, t('Versions'), { rows: versionRows(answer, around, words) }));
  return {
    title: t('BSL Scout: Index Status'),
    summary: withoutPaths([`${state.text}. ${state.detail}`, ...notes].filter(Boolean).join(' '), around.paths),
    sections: sections.map(one => clean(one, around.paths)),
    indexing: status.state === 'indexing',
  };
}

function section(level: 2 | 3, title: string, given: Partial<Section>): Section {
  return { level, title, rows: [], lists: [], note: '', ...given };
}

/** Returns a section without paths of this machine in what others have written: messages and names. */
function clean(one: Section, paths: string[]): Section {
  const safe = (text: string): string => withoutPaths(text, paths);
  return {
    ...one,
    title: safe(one.title),
    note: safe(one.note),
    rows: one.rows.map(([label, value]) => [label, safe(value)]),
    lists: one.lists.map(list => ({ ...list, items: list.items.map(item => ({ ...item, text: safe(item.text) })) })),
  };
}

function folderSections(folder: FolderDiagnostics, words: Words, now: Date): Section[] {
  const { t } = words;
  const view = statusView({ ...folder, message: '' }, words);
  const head: Row[] = [
    [t('State'), `${view.text}. ${view.detail}`],
    ...(folder.message ? [[t('Message'), folder.message] as Row] : []),
    ...(folder.index === 'ready' ? [] : [[t('Index on disk'), indexText(folder, words)] as Row]),
  ];
  const size = Object.values(folder.bytes).reduce((sum, one) => sum + one, 0);
  const disk: Row[] = [
    [t('All together'), sizeText(size, words)],
    ...Object.entries(folder.bytes).filter(([, bytes]) => bytes).map(([name, bytes]): Row => [partName(name, words), sizeText(bytes, words)]),
  ];
  const sections = [section(2, t('Folder {0}', folder.name), { rows: head })];
  const { content } = folder;
  if (content) {
    sections.push(
      section(3, t('Sources'), { rows: sourcesRows(content, words), note: content.roots.length ? '' : t('None were found.') }),
      section(3, t('In the index'), { rows: contentRows(content, words) }),
      section(3, t('How fresh it is'), { rows: freshnessRows(folder, content, words, now) }),
    );
  }
  sections.push(section(3, t('What is searched by'), { rows: searchRows(folder, words) }), section(3, t('On disk'), { rows: disk }));
  if (content) {
    sections.push(problemsSection(folder, content.problems, words));
  }
  return sections;
}

function indexText({ index, indexProblem }: FolderDiagnostics, { t }: Words): string {
  switch (index) {
    case 'none':
      return t('There is none yet.');
    case 'other-version':
      return t('It was made by another version of BSL Scout and is being made anew.');
    case 'damaged':
      return t('It is damaged and is being made anew: {0}', indexProblem);
    case 'unavailable':
      return t('It cannot be read now: {0}', indexProblem);
    case 'ready':
      return '';
  }
}

function partName(name: string, { t }: Words): string {
  switch (name) {
    case 'catalog':
      return t('Words, texts and vectors');
    case 'models':
      return t('Adapted models');
    case 'chroma':
      return t('Chroma files');
    default:
      return t('Other');
  }
}

function problemsSection(folder: FolderDiagnostics, problems: Problem[], words: Words): Section {
  const { t, lang } = words;
  const kinds = [...new Set(problems.map(one => one.kind))];
  const lists = kinds.map((kind): List => {
    const items = problems.filter(one => one.kind === kind).map(one => problemItem(folder.uri, one));
    return { title: `${problemKind(kind, words)}: ${number(items.length, lang)}`, items };
  });
  return section(3, t('Problems in the sources: {0}', number(problems.length, lang)), {
    lists,
    note: problems.length ? '' : t('{0} were read without problems.', modulesText(folder.indexed, words)),
  });
}

function problemItem(folder: string, { path, message, line }: Problem): Item {
  if (path === '.') {
    return { text: message };
  }
  const uri = `${folder.replace(/\/$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`;
  return { text: message, target: { uri, line: line ?? 1 }, label: line ? `${path}:${line}` : path };
}

function versionRows(answer: Diagnostics | undefined, around: Surroundings, { t }: Words): Row[] {
  const versions = answer?.versions;
  return [
    [t('Extension'), around.extension],
    ...(versions
      ? ([
          [t('Server'), versions.server],
          ['Python', versions.python],
          ['SQLite', versions.sqlite],
          [t('System of the server'), versions.system],
        ] as Row[])
      : []),
    ['VS Code', around.remote ? `${around.editor} (${around.remote})` : around.editor],
    [t('System of the editor'), around.system],
  ];
}
