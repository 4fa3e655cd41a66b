/** What the kinds of problems in sources are called. */
import type { Words } from './format';

/** Returns the title of a kind; one that a newer server knows is told by its own name. */
export function problemKind(kind: string, { t }: Words): string {
  switch (kind) {
    case 'model':
      return t('The model of meaning');
    case 'unreadable':
      return t('Not read');
    case 'protected':
      return t('Compiled or protected modules');
    case 'broken':
      return t('Broken XML and JSON');
    case 'absent':
      return t('Listed but absent');
    case 'encoding':
      return t('Encoding');
    case 'duplicate':
      return t('The same name or uuid twice');
    case 'unknown':
      return t('Not recognised');
    case 'empty':
      return t('Empty modules');
    case 'other':
      return t('Other');
    default:
      return kind;
  }
}
