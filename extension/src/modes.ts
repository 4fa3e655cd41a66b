/** The modes of search, why a query was answered as it was, and why a hit is there: pure functions. */
import type { Words } from './format';
import type { Answer, Hit, Mode } from './protocol';

export const MODES: Mode[] = ['auto', 'hybrid', 'lexical', 'vector', 'rerank'];
/** The matched words that are named in a row have no more letters together, but the first one is named always: code stands behind them. */
const NAMED_LETTERS = 18;
/** Forms of one word begin alike: "пересчитывает" and Пересчитать. */
const START_LETTERS = 5;

/** Returns what is known as a mode of search, else the automatic one. */
export function modeOf(value: unknown): Mode {
  return MODES.find(mode => mode === value) ?? 'auto';
}

/** Returns the name of a mode as a list shows it. */
export function modeName(mode: Mode, { t }: Words): string {
  switch (mode) {
    case 'auto':
      return t('automatic');
    case 'hybrid':
      return t('words and meaning');
    case 'lexical':
      return t('words');
    case 'vector':
      return t('meaning');
    case 'rerank':
      return t('in the order of a model');
  }
}

/** Returns what a mode does, in a sentence. */
export function modeDetail(mode: Mode, { t }: Words): string {
  switch (mode) {
    case 'auto':
      return t('Words and meaning together; the title tells what was seen in the query');
    case 'hybrid':
      return t('Both together: the best choice in doubt');
    case 'lexical':
      return t('For names, codes and texts that stand in the sources');
    case 'vector':
      return t('For what is told in other words than the sources have');
    case 'rerank':
      return t('The first results are read by a model of your choice, when one is configured');
  }
}

/** Returns what took part in an answer and why, as the title of the list tells it: "words and meaning (the query asks how or why)". */
export function answeredText({ route, legs }: Pick<Answer, 'route' | 'legs'>, words: Words): string {
  const reason = reasonText(route, words);
  if (route.code === 'similar') {
    return reason;
  }
  const meaning = legs.includes('vector') ? (legs.includes('lexical') ? 'hybrid' : 'vector') : undefined;
  const mode = legs.includes('rerank') ? 'rerank' : meaning ?? (legs.includes('lexical') ? 'lexical' : undefined);
  const name = mode ? modeName(mode, words) : '';
  return name && reason ? `${name} (${reason})` : name || reason;
}

/** Returns why a query was answered as it was, empty when there is nothing to tell; a new reason stays English. */
export function reasonText(route: Answer['route'], { t }: Words): string {
  switch (route.code) {
    case 'asked':
    case 'similar':
    case 'reranked':
    // the name of the mode says it
    case 'no-signs':
    case 'unknown-name':
    case 'no-module':
    case 'no-line':
      // these have a row of their own: noticeText
      return '';
    case 'place':
      return t('the query holds places of an error');
    case 'narrowed':
      // without the very name: where it was searched instead
      return route.names?.length ? t('only in {0}', route.names.join(', ')) : t('only in what stands after @');
    case 'words':
      return t('without meaning so far');
    case 'no-meaning':
      return t('the model knows none of these words');
    case 'retyped':
      return t('read as {0}', route.names?.join() ?? '');
    case 'no-reranker':
      return t('no model that reorders is configured');
    case 'rerank-failed':
      return t('the model that reorders could not be used');
    case 'vectors-note':
      return t('not all vectors are ready');
    case 'no-vectors':
      return t('meaning is not ready yet');
    case 'no-procedure':
      return t('no procedure of the index is at this place');
    case 'no-index':
      return t('nothing is indexed yet');
    case 'uuid':
      return t('the query holds a UUID');
    case 'full-name':
      return t('the query holds the full name of an object');
    case 'fragment':
      return t('the query is a piece of code');
    case 'quoted':
      return t('the query quotes a text');
    case 'identifier':
      return t('the query holds an identifier');
    case 'code':
      return t('the query holds a code');
    case 'known-name':
      return t('the query holds a name of the configuration');
    case 'mixed':
      return t('the query holds a name and asks in words');
    case 'documents':
      return t('the query asks for what documents say');
    case 'structure':
      return t('the query names a part of the program');
    case 'question':
      return t('the query asks how or why');
    case 'advice':
      return t('the query asks for advice');
    case 'symptom':
      return t('the query describes what goes wrong');
    case 'everyday':
      return t('the query is told in everyday words');
    default:
      return route.reason;
  }
}

/** Returns what a query names that is not here, for a row above the answer; empty when all of it is. */
export function noticeText({ code, names }: Answer['route'], words: Words): string {
  const { t } = words;
  const [name, ...others] = names ?? [];
  if (code === 'unknown-name') {
    return others.length ? t('There is no object {0}; similar: {1}', name, others.join(', ')) : t('There is no object {0}', name);
  }
  if (code === 'no-line') {
    return placesText(names, words);
  }
  return code === 'no-module' ? t('There is no module {0} here (another configuration or an extension?)', names.join(', ')) : '';
}

/** Returns what of the places of an error is not here: pairs of a module and the line that it ends at, empty when there is no such module. */
function placesText(pairs: string[], { t }: Words): string {
  const modules = pairs.filter((_, index) => index % 2 === 0).map((name, index) => ({ name, end: pairs[index * 2 + 1] }));
  const told = modules.filter(({ end }) => end).map(({ name, end }) => {
    switch (end) {
      case '0':
        return t('Module {0} is empty', name);
      case '-':
        return t('Module {0} is no text (protected by a password?)', name);
      default:
        return t('Module {0} ends at line {1}: another version?', name, end);
    }
  });
  const absent = modules.filter(({ end }) => !end).map(({ name }) => name);
  return [...told, ...(absent.length ? [t('There is no module {0} here (another configuration or an extension?)', absent.join(', '))] : [])].join(' · ');
}

/** Returns why a hit is there: the matched words of its line that its name does not hold, its title, a message, meaning. */
export function whyText(hit: Pick<Hit, 'ranks' | 'symbol' | 'snippet' | 'matches' | 'translated'>, { t }: Words): string {
  const why = [];
  if ('place' in hit.ranks) {
    why.push(t('place of the error'));
  }
  if ('message' in hit.ranks) {
    why.push(t('the message'));
  }
  if ('name' in hit.ranks) {
    why.push(t('the name'));
  }
  if ('title' in hit.ranks) {
    why.push(t('the title'));
  }
  if ('caption' in hit.ranks) {
    why.push(t('the caption'));
  }
  if ('lexical' in hit.ranks) {
    why.push(wordsText(hit, t));
  }
  if ('vector' in hit.ranks) {
    why.push(t('meaning'));
  }
  return why.join(' + ');
}

/** Returns which words matched; those of the name are read above already, but what they translate is not. */
function wordsText({ symbol, snippet, matches, translated }: Pick<Hit, 'symbol' | 'snippet' | 'matches' | 'translated'>, t: Words['t']): string {
  const found = new Map(matches.map(([from, to]) => snippet.slice(from, to)).map(word => [word.toLowerCase(), word]));
  const name = symbol.toLowerCase();
  const isTranslation = (word: string): boolean => Object.hasOwn(translated, word);
  const others = [...found]
    .filter(([low, word]) => isTranslation(word) || !name.includes(low.slice(0, START_LETTERS)))
    .map(([, word]) => (isTranslation(word) ? `${translated[word]} → ${word}` : word));
  if (others.length) {
    return t('words: {0}', shortened(others).join(', '));
  }
  return found.size ? t('words of the name') : t('words');
}

function shortened(distinct: string[]): string[] {
  const shown = distinct.filter((_, index) => index === 0 || distinct.slice(0, index + 1).join('').length <= NAMED_LETTERS);
  return shown.length < distinct.length ? [...shown, '…'] : distinct;
}
