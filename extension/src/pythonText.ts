/** What is said when no Python fits. */
import type { Translate } from './plural';
import { OLDEST, spelled, type Refusal } from './python';

/** Returns one message: what was looked for, why each candidate does not fit, what to do. */
export function noPythonText(refused: Refusal[], t: Translate): string {
  const oldest = OLDEST.join('.');
  const told = refused.filter(one => !one.candidate.guess || one.reason !== 'notFound');
  const tried = told.map(one => `${spelled(one.candidate)} (${reasonText(one, t)})`).join(', ');
  if (refused.some(one => one.candidate.setting)) {
    return t(
      'BSL Scout: the interpreter of the setting bslScout.pythonPath cannot run the search server: {0}. Python {1} or newer with the package bsl-scout is needed; when the setting is empty, the extension sets the server up itself.',
      tried,
      oldest,
    );
  }
  if (refused.some(one => one.reason === 'noVenv')) {
    return t(
      'BSL Scout: the search server cannot be set up without the venv module of Python {0} or newer. Tried: {1}. Install it (Debian and Ubuntu: sudo apt install python3-venv) and retry.',
      oldest,
      tried,
    );
  }
  return t(
    'BSL Scout: Python {0} or newer was not found, and the search server needs it. Tried: {1}. Install Python from python.org (on Windows the 64-bit one) and retry; one in an unusual place is named by the setting python.defaultInterpreterPath.',
    oldest,
    tried,
  );
}

/** Returns why a candidate does not fit. */
export function reasonText({ reason, detail }: Refusal, t: Translate): string {
  switch (reason) {
    case 'notFound':
      return t('not found');
    case 'tooOld':
      return t('version {0}', detail);
    case 'bits32':
      return t('version {0}, 32-bit', detail);
    case 'noVenv':
      return t('no module venv');
    case 'noServer':
      return t('no package bsl-scout');
    case 'failed':
      return detail ? t('failed: {0}', detail) : t('failed');
  }
}
