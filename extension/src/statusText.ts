/** What the state of the server and of its index reads like: pure functions. */
import { collectionName, filesText, modulesText, type Words } from './format';
import { number } from './plural';
import type { Adaptation, Collection, IndexState, IndexStatus } from './protocol';

/** The states of the index, and those of a server that does not run. */
export type ScoutState = IndexState | 'settingUp' | 'notSetUp' | 'noPython' | 'stopped';

export interface ScoutStatus extends Omit<IndexStatus, 'state'> {
  state: ScoutState;
}

/** What makes a folder one of sources: Designer, EDT, v8unpack, external objects, modules. */
export const LOOKED_FOR = 'Configuration.xml/.mdo/.json, ExternalDataProcessor, ExternalReport, *.bsl, *.os';

export interface StatusView {
  /** A few words for the status bar. */
  text: string;
  /** A sentence: what it means and what to do. */
  detail: string;
  severity: 'information' | 'warning' | 'error';
  busy: boolean;
}

export const STARTING: ScoutStatus = {
  state: 'starting',
  indexed: 0,
  pending: 0,
  progress: { stage: '', done: 0, total: 0 },
  legs: [],
  message: '',
  adaptation: { state: 'off', done: 0, total: 0, gain: 0, weight: 0, reason: '' },
};

/** Returns how a state is shown. */
export function statusView(status: ScoutStatus, words: Words): StatusView {
  const { t } = words;
  const view = (severity: StatusView['severity'], text: string, detail: string, busy = false): StatusView => ({
    text,
    detail: status.message && severity !== 'information' ? `${detail} ${status.message}` : detail,
    severity,
    busy,
  });
  switch (status.state) {
    case 'starting':
      return view('information', t('starting…'), t('The search server is starting.'), true);
    case 'indexing':
      return view('information', ...indexingTexts(status, words), true);
    case 'ready':
      // an index that is ready has something to say when a setting is wrong
      return view(status.message ? 'warning' : 'information', modulesText(status.indexed, words), readyDetail(status, words));
    case 'locked':
      return view(
        'information',
        modulesText(status.indexed, words),
        t('Another window keeps this index up to date; this one follows it.'),
      );
    case 'empty':
      return view(
        'warning',
        t('no 1C sources'),
        t('No 1C sources here. Looked at every level for: {0}. Open the folder of an exported configuration.', LOOKED_FOR),
      );
    case 'missing':
      // the server's message names the folder
      return { text: t('sources out of reach'), detail: missingDetail(status, words), severity: 'warning', busy: false };
    case 'full':
      return view('error', t('the disk is full'), fullDetail(status, words));
    case 'paused':
      return { text: t('indexing is stopped'), detail: pausedDetail(status, words), severity: 'warning', busy: false };
    case 'failed':
      return view('error', t('the index failed'), t('The index could not be built; rebuild it or look into the log.'));
    case 'settingUp':
      return view('information', t('setting up…'), t('The search server is being set up; this is done once.'), true);
    case 'notSetUp':
      return view('error', t('not set up'), t('The search server is not set up; restart it to retry, or look into the log.'));
    case 'noPython':
      return view('error', t('Python was not found'), t('The search server needs Python; set its path or install it.'));
    case 'stopped':
      return view('error', t('the server is stopped'), t('The search server does not run; restart it or look into the log.'));
  }
}

/** Returns whether 1C sources were found: at first an index is being made of what may turn out to be none. */
export function hasSources({ state, indexed }: ScoutStatus): boolean {
  return indexed > 0 || state === 'ready' || state === 'locked';
}

/** Returns whether the index waits for something that someone else ends; it goes on by itself then. */
export function isWaiting({ state }: ScoutStatus): boolean {
  return state === 'missing' || state === 'full';
}

/** Returns how far an index is: its modules first, then the vectors, by which it is searched meanwhile. */
function indexingTexts(status: ScoutStatus, words: Words): [string, string] {
  const { t } = words;
  const { indexed, pending, legs } = status;
  if (pending === 0 && indexed > 0 && !legs.includes('vector')) {
    return [
      `${modulesText(indexed, words)}, ${t('by words only so far')}`,
      t('All modules are indexed; search by meaning is being made ready, words answer already.'),
    ];
  }
  return [indexingText(status, words), t('Search already answers from what is indexed.')];
}

/** Returns how far an index is: "indexing modules: 120 of 2,197". */
export function indexingText({ progress }: Pick<ScoutStatus, 'progress'>, { t, lang }: Words): string {
  const counts = [number(progress.done, lang), number(progress.total, lang)];
  switch (progress.stage) {
    case 'objects':
      return t('indexing objects: {0} of {1}', ...counts);
    case 'modules':
      return t('indexing modules: {0} of {1}', ...counts);
    case '':
      return t('indexing…');
  }
}

function missingDetail(status: ScoutStatus, words: Words): string {
  const { t } = words;
  const back = t('Connect the drive or put the folder back: the index goes on by itself.');
  return [status.message, answering(status, words), back].filter(Boolean).join(' ');
}

function pausedDetail(status: ScoutStatus, words: Words): string {
  const { t } = words;
  return [t('Indexing was stopped before its end.'), answering(status, words), t('It goes on with the next save, after a rebuild or a restart of the server.')].join(' ');
}

function fullDetail(status: ScoutStatus, words: Words): string {
  const { t } = words;
  return [t('The disk of the index is full.'), answering(status, words), t('Make room on it: indexing goes on by itself.')].join(' ');
}

/** Returns what searches answer from while the index cannot be brought up to date. */
function answering({ legs }: ScoutStatus, { t }: Words): string {
  return legs.length > 0 ? t('Search answers from the index made before.') : t('There is no index to search yet.');
}

function readyDetail(status: ScoutStatus, words: Words): string {
  const { t } = words;
  if (status.pending > 0) {
    return t('Not in the index yet: {0}.', filesText(status.pending, words));
  }
  const legs = status.legs.includes('vector')
    ? t('The index is up to date; search by words and by meaning.')
    : t('The index is up to date; search by words.');
  return [legs, adaptationText(status.adaptation, words)].filter(Boolean).join(' ');
}

function adaptationText({ state, done, total, reason }: Adaptation, words: Words): string {
  const { t } = words;
  const percent = total > 0 ? String(Math.floor((100 * done) / total)) : '0';
  switch (state) {
    case 'training':
      return t('The model is learning from this configuration: {0} %.', percent);
    case 'embedding':
      return t('The adapted model is being taken into use: {0} %.', percent);
    case 'encoding':
      return t('The vectors of another model are being made: {0} %.', percent);
    case 'ready':
      return t('The model is adapted to this configuration.');
    case 'refused':
      return refusedText(reason, words);
    case 'waiting':
      return reason && t('The model is not adapted yet: {0}.', reason);
    case 'off':
      return '';
  }
}

function refusedText(reason: string, { t }: Words): string {
  switch (reason) {
    case 'few-comments':
      return t('The shipped model is used: there are too few doc comments to test an adapted one.');
    case 'little-code':
      return t('The shipped model is used: there is too little code to learn from.');
    case 'other-encoder':
      return '';
    default:
      return t('The shipped model is used: the adapted one did not answer better.');
  }
}

/** Returns the text of the empty input box: what to type, or why nothing can be found. */
export function placeholder(status: ScoutStatus, words: Words): string {
  const { t } = words;
  switch (status.state) {
    case 'ready':
    case 'locked':
      return t('What does the code do? Words, a name, or a line of a 1C error');
    case 'indexing':
      return t('What does the code do? ({0})', statusView(status, words).text);
    case 'missing':
    case 'full':
    case 'paused':
      return status.legs.length > 0 ? t('What does the code do? ({0})', statusView(status, words).text) : statusView(status, words).detail;
    default:
      return statusView(status, words).detail;
  }
}

/** Returns why nothing was found and what to do about it. */
export function nothingText(status: ScoutStatus, collection: Collection, words: Words): string {
  const { t } = words;
  if (status.state !== 'ready' && status.state !== 'locked') {
    return statusView(status, words).detail;
  }
  return collection === 'all'
    ? t('Try other words, or the name of an object.')
    : t('Searched: {0}. The funnel above searches elsewhere.', collectionName(collection, words));
}
