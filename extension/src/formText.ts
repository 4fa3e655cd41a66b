/** Texts about the context of forms, and which documents belong to one. */
import type { Words } from './format';
import { number } from './plural';
import type { FormContext } from './protocol';

const FORM_PATHS = [
  /\/Ext\/Form\.(xml|bin)$/i,
  /\/Ext\/Form\/Module\.bsl$/i,
  /\/Forms\/[^/]+\.xml$/i,
  /\/(Forms|CommonForms)\/[^/]+\/(Form\.form|Module\.bsl)$/i,
  /\.elem\.json$/i,
  /Form\/[^/]+\/\w*Form(\.obj\.bsl|\.json)$/i,
  /\/CommonForm\/[^/]+\/CommonForm(\.obj\.bsl|\.json)$/i,
];

/** Tells whether a path is that of a form's source or module. */
export function isFormPath(path: string): boolean {
  return FORM_PATHS.some(pattern => pattern.test(path));
}

/** Returns what was copied: how much, how certain, and what is not in it. */
export function copiedText(context: FormContext, { t, lang }: Words): string {
  const parts = [t('Copied: {0} characters, about {1} tokens', number(context.characters, lang), number(context.tokens, lang))];
  if (context.leftOutCharacters > 0) {
    parts.push(t('{0} characters are cut off the end', number(context.leftOutCharacters, lang)));
  }
  if (context.leftOutProcedures > 0) {
    parts.push(t('procedures left out: {0}', number(context.leftOutProcedures, lang)));
  }
  if (context.leftOutForms.length > 0) {
    parts.push(t('forms left out: {0}', context.leftOutForms.join(', ')));
  }
  if (context.warnings.length > 0) {
    parts.push(t('warnings: {0}, see the log', number(context.warnings.length, lang)));
  }
  return `${parts.join('; ')}.`;
}
