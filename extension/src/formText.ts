/** Texts about the context of forms, and which documents belong to one. */
import type { Words } from './format';
import { number, plural } from './plural';
import type { FormContext } from './protocol';
import { statusView, type ScoutStatus } from './statusText';

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
  const rows = context.leftOutRows;
  if (rows > 0) {
    parts.push(plural(t('{0} row of the structure left out|{0} rows of the structure left out', number(rows, lang)), rows, lang));
  }
  const procedures = context.leftOutProcedures;
  if (procedures > 0) {
    parts.push(plural(t('{0} procedure left out|{0} procedures left out', number(procedures, lang)), procedures, lang));
  }
  const forms = context.leftOutForms;
  if (forms.length > 0) {
    const told = t('{0} form left out: {1}|{0} forms left out: {1}', number(forms.length, lang), forms.join(', '));
    parts.push(plural(told, forms.length, lang));
  }
  if (context.warnings.length > 0) {
    parts.push(t('warnings: {0}, see the log', number(context.warnings.length, lang)));
  }
  return `${parts.join('; ')}.`;
}

/** Returns that there are no forms to choose from, and why. */
export function noFormsText(status: ScoutStatus, words: Words): string {
  const isRead = status.state === 'ready' || status.state === 'locked';
  const why = isRead ? words.t('The sources in this window have none.') : statusView(status, words).detail;
  return `BSL Scout: ${words.t('no forms.')} ${why}`;
}

/** Returns what is wrong with the number of characters that was typed, undefined when nothing is. */
export function limitProblem(text: string, { t }: Words): string | undefined {
  return /^\s*(-1|[1-9]\d{0,8})\s*$/.test(text) ? undefined : t('A whole number of characters, or -1');
}
