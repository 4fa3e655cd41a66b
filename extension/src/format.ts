/** How an answer reads in lists: pure functions from the wire to texts. */
import { metadataInWords, placeInWords, rootName } from './place';
import { number, plural, type Lang, type Translate } from './plural';
import type { Answer, Collection, Hit } from './protocol';

export interface Words {
  t: Translate;
  lang: Lang;
}

/** Returns the name of a hit and what it belongs to in words; the place is empty for a module of no configuration. */
export function hitName(hit: Hit, lang: Lang): { name: string; place: string } {
  // names of procedures have no dots, full names of metadata always have
  if (hit.symbol.includes('.')) {
    return metadataInWords(hit.symbol, lang);
  }
  const name = isOutside(hit) ? CODE_KINDS[hit.symbol.slice(1, -1)]?.[lang] : undefined;
  return { name: name ?? (hit.symbol || hit.path), place: placeInWords(hit, lang) };
}

/** Returns what is copied as the name of a hit; of what is outside procedures that of its module: "Документ.Анкета.МодульОбъекта". */
export function copiedName(hit: Hit): string {
  return isOutside(hit) ? [hit.owner, hit.module].filter(Boolean).join('.') || hit.path : hit.symbol;
}

// it has no name of its own
function isOutside(hit: Hit): boolean {
  return hit.symbol.startsWith('<');
}

/** In the narrowest list so many letters of a name leave some room for a description. */
const LONG_NAME = 50;

/** Kinds that only the icon of a row would tell, which nobody reads aloud: in Russian and in English. */
const CODE_KINDS: Record<string, Record<Lang, string>> = {
  procedure: { ru: 'процедура', en: 'procedure' },
  function: { ru: 'функция', en: 'function' },
  header: { ru: 'начало модуля', en: 'head of the module' },
  body: { ru: 'тело модуля', en: 'body of the module' },
};

/** Returns what a hit belongs to and, of code, what it is: "Документ Анкета · модуль объекта · процедура". */
export function placeAndKind(hit: Hit, lang: Lang): string {
  return [hitName(hit, lang).place, kindText(hit, lang)].filter(Boolean).join(' · ');
}

/** Returns what a hit in code is, empty when its name says it or its place does. */
function kindText(hit: Hit, lang: Lang): string {
  const kind = CODE_KINDS[hit.kind]?.[lang] ?? '';
  return kind === hitName(hit, lang).name ? '' : kind;
}

/** Returns "line 12". */
export function lineText(line: number, lang: Lang): string {
  return `${lang === 'ru' ? 'строка' : 'line'} ${line}`;
}

/**
 * Returns the texts of a hit for a list row: they are read aloud as they stand, so kind and line are words. The line is the one that the
 * row opens; why the hit is there comes before the snippet, whose end may be cut off. The path is written only where the place in words
 * does not tell it: it would take the whole width of the list.
 */
export function hitTexts(hit: Hit, lang: Lang, why = ''): { label: string; description: string; detail: string } {
  const { name, place } = hitName(hit, lang);
  const root = place && rootName(hit) ? `${rootName(hit)}: ` : '';
  const snippet = oneLine(hit.snippet);
  // the snippet of a metadata hit begins with its synonym
  const synonym = hit.synonym && !snippet.startsWith(oneLine(hit.synonym)) ? `«${hit.synonym}»` : '';
  // the icon tells the kind too, so of these its word may be cut off
  const at = [root + place, lineText(hit.line, lang), kindText(hit, lang)].filter(Boolean).join(' · ');
  const about = [at, synonym, copiesText(hit.also.length, lang)].filter(Boolean).join('  ');
  const beside = name.length <= LONG_NAME;
  // beside a long name the rest of its line would be cut off
  const detail = [why, beside ? '' : about, place ? '' : hit.path, snippet].filter(Boolean).join('  ·  ');
  return { label: plain(name), description: beside ? plain(about) : '', detail: plain(detail) };
}

/** Returns the texts of an object for a list row: what tells it from its neighbours first, then what it is in and is called. */
export function nameTexts(fullName: string, title: string, { lang }: Words): { label: string; description: string } {
  const { name, place } = metadataInWords(fullName, lang);
  return { label: plain(name), description: plain([place, title === name ? '' : title].filter(Boolean).join(' · ')) };
}

/** Returns that the same code stands elsewhere too, empty when it does not. */
function copiesText(count: number, lang: Lang): string {
  return count === 0 ? '' : lang === 'ru' ? `(таких же ещё ${count})` : `(${count} more alike)`;
}

/** Returns the codicon of a hit. */
export function hitIcon(kind: Hit['kind']): string {
  switch (kind) {
    case 'place':
      return 'debug-stackframe';
    case 'function':
      return 'symbol-function';
    case 'procedure':
    case 'method':
    case 'operation':
      return 'symbol-method';
    case 'url_template':
      return 'link';
    case 'integration_service_channel':
      return 'radio-tower';
    case 'header':
    case 'body':
    case 'subsystem':
      return 'symbol-namespace';
    case 'object':
      return 'symbol-class';
    case 'dimension':
      return 'symbol-key';
    case 'predefined':
      return 'symbol-constant';
    case 'standard_attribute':
      return 'symbol-property';
    case 'restriction':
      return 'shield';
    case 'parameter':
      return 'symbol-parameter';
    case 'accounting_flag':
    case 'ext_dimension_accounting_flag':
      return 'symbol-boolean';
    case 'recalculation':
      return 'symbol-ruler';
    case 'cube':
      return 'symbol-structure';
    case 'resource':
      return 'symbol-numeric';
    case 'tabular_section':
    case 'table':
      return 'table';
    case 'form':
      return 'symbol-interface';
    case 'command':
      return 'symbol-event';
    case 'enum_value':
      return 'symbol-enum-member';
    case 'template':
      return 'file';
    default:
      return 'symbol-field';
  }
}

/** Returns a text with what the editor would draw as an icon, such as $(gear), kept as text. */
export function plain(text: string): string {
  return text.replace(/\$\(/g, '\\$(');
}

/** Returns a text of several lines as one. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the spans of matched words that lie in a part of the snippet, shifted to that part. */
export function spansWithin(matches: [number, number][], start: number, length: number): [number, number][] {
  return matches
    .map(([from, to]): [number, number] => [Math.max(from - start, 0), Math.min(to - start, length)])
    .filter(([from, to]) => from < to);
}

/**
 * Returns a snippet with each run of spaces as one, without its indent, in a query that behind the bar of its line, and the spans of the
 * matched words in it.
 */
export function snippetLabel(hit: Pick<Hit, 'snippet' | 'matches'>): { label: string; highlights: [number, number][] } {
  const [indent] = /^\s*(\|\s*)?/.exec(hit.snippet) ?? [''];
  const text = hit.snippet.slice(indent.length).trimEnd();
  const narrow = (end: number): number => text.slice(0, end).replace(/\s+/g, ' ').length;
  const highlights = spansWithin(hit.matches, indent.length, text.length).map(([from, to]): [number, number] => [narrow(from), narrow(to)]);
  return { label: text.replace(/\s+/g, ' '), highlights };
}

/** Returns the name of a collection as a filter shows it. */
export function collectionName(collection: Collection, { t }: Words): string {
  switch (collection) {
    case 'all':
      return t('everywhere');
    case 'code':
      return t('code only');
    case 'metadata':
      return t('metadata only');
    case 'form':
      return t('forms only');
  }
}

/** Returns what an answer does not know of yet, empty when it knows all. */
export function behindText({ fresh }: Answer, words: Words): string {
  return fresh.pending > 0 ? words.t('not in the index yet: {0}', filesText(fresh.pending, words)) : '';
}

/** Returns "5 files". */
export function filesText(count: number, { t, lang }: Words): string {
  return plural(t('{0} file|{0} files', number(count, lang)), count, lang);
}

/** Returns "5 modules". */
export function modulesText(count: number, { t, lang }: Words): string {
  return plural(t('{0} module|{0} modules', number(count, lang)), count, lang);
}

/** Returns that one may search now, with how many procedures. */
export function readyText(procedures: number, { t, lang }: Words): string {
  const forms = t('BSL Scout is ready: {0} procedure is indexed.|BSL Scout is ready: {0} procedures are indexed.', number(procedures, lang));
  return plural(forms, procedures, lang);
}

/** Returns "5 results". */
export function resultsText(count: number, { t, lang }: Words): string {
  return plural(t('{0} result|{0} results', number(count, lang)), count, lang);
}

/** Returns how much was found, and whether that is convincing: "5 results". */
export function foundText({ hits, convincing }: Pick<Answer, 'hits' | 'convincing'>, words: Words): string {
  const { t } = words;
  if (hits.length === 0) {
    return t('nothing found');
  }
  // the number stays with its word where the line breaks
  const results = resultsText(hits.length, words).replace(' ', '\u00a0');
  return convincing ? results : t('nothing convincing was found; the nearest: {0}', results);
}

/** Returns the title of the list of results. */
export function listTitle(collection: Collection, note: string, words: Words): string {
  const filter = collection === 'all' ? '' : collectionName(collection, words);
  return [words.t('Find Logic'), filter, note].filter(Boolean).join(' · ');
}

/** Returns what was thrown in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
