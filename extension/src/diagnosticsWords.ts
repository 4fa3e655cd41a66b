/** Moments, sizes and texts without paths as a report has them: pure functions. */
import type { Words } from './format';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Returns a moment in the words of the reader with how long ago it was; of one that is not known that it is not. */
export function momentText(iso: string | null, { t, lang }: Words, now: Date): string {
  const then = iso ? new Date(iso) : undefined;
  if (!then || Number.isNaN(then.getTime())) {
    return t('not known');
  }
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000);
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  const ago = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
  return `${new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium' }).format(then)} (${ago})`;
}

/** Returns a size in bytes as a person reads it. */
export function sizeText(bytes: number, { lang }: Words): string {
  const [unit, size] = bytes < 1e6 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const);
  return new Intl.NumberFormat(lang, { style: 'unit', unit, maximumFractionDigits: bytes < 1e7 ? 1 : 0 }).format(bytes / size);
}

// a path of two parts at least, from the root, a drive, a share or the home folder on
const PATH = /(?<![\p{L}\p{N}_.…<])(?:file:\/{2,3})?(?:[a-z]:|~|\\)?[\\/](?:[^\s\\/:*?"'<>|()]+[\\/])+([^\s\\/:*?"'<>|(),;]*)/giu;

/** Returns the pattern of a path that is no part of a longer name. */
function exactly(path: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_.…])${path.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}_])`, 'giu');
}

/** Returns a text without the given paths and without other absolute ones, of which the last part stays. */
export function withoutPaths(text: string, paths: string[]): string {
  // a path with spaces is told whole only by those who know it
  const known = paths.filter(one => one.length > 1).sort((a, b) => b.length - a.length);
  const spelled = known.flatMap(one => [one, one.replaceAll('\\', '/'), encodeURI(one.replaceAll('\\', '/'))]);
  const without = spelled.reduce((kept, path) => kept.replace(exactly(path), '…'), text);
  return without.replace(PATH, (_, last: string) => `…/${last}`);
}
