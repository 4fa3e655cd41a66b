/** Texts: the translation function as a value (so that modules without vscode can be tested) and plural forms. */

export type Lang = 'ru' | 'en';
export type Translate = (message: string, ...args: (string | number)[]) => string;

/**
 * Returns the form of a text for a number: `forms` are "one|few|many" in Russian ("one|other" where the
 * last two are the same, as in the genitive) and "one|other" in English.
 */
export function plural(forms: string, count: number, lang: Lang): string {
  const variants = forms.split('|');
  const last = variants[variants.length - 1];
  switch (new Intl.PluralRules(lang).select(Math.abs(count))) {
    case 'one':
      return variants[0];
    case 'few':
      return variants.length > 2 ? variants[1] : last;
    default:
      return last;
  }
}

/** Returns the text of a number as the language writes it: 2 197 in Russian, 2,197 in English. */
export function number(count: number, lang: Lang): string {
  // a no-break space, so that a number is never cut in two; four digits stay together in Russian
  return lang === 'ru' && count < 10_000 ? String(count) : new Intl.NumberFormat(lang).format(count);
}
