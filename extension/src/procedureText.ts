/** Texts about the context of a procedure. */
import type { Words } from './format';
import { number } from './plural';
import type { ProcedureContext } from './protocol';

/** Returns what was copied and what is not in it. */
export function copiedProcedureText(context: ProcedureContext, { t, lang }: Words): string {
  const size = [number(context.characters, lang), number(context.tokens, lang)];
  const gone: [number, string][] = [
    [context.leftOutLines, t('lines of the procedure')],
    [context.leftOutCalls, t('called procedures')],
    [context.leftOutCallers, t('callers')],
    [context.leftOutObjectRows, t('rows about the object')],
  ];
  const parts = gone.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${number(count, lang)}`);
  const copied = t('{0} is copied: {1} characters, about {2} tokens', context.name, ...size);
  return parts.length ? `${copied}; ${t('left out')}: ${parts.join(', ')}.` : `${copied}.`;
}
