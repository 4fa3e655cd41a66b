/** The Russian words of the extension for tests, read from the bundle that is shipped. */
import * as fs from 'node:fs';
import type { Words } from '../src/format';

export const bundle = JSON.parse(fs.readFileSync('l10n/bundle.l10n.ru.json', 'utf8')) as Record<string, string>;

const fill = (text: string, args: (string | number)[]): string =>
  text.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));

export const ru: Words = { lang: 'ru', t: (message, ...args) => fill(bundle[message] ?? `missing: ${message}`, args) };
export const en: Words = { lang: 'en', t: (message, ...args) => fill(message, args) };
