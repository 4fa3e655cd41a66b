/** What is said when no Python can run the server. */
import type { Translate } from './plural';
import { OLDEST, spelled, type Refusal } from './python';

/** Returns one message: what was looked for, why each candidate does not fit, what to do. */
export function noPythonText(refused: Refusal[], t: Translate): string {
  const oldest = OLDEST.join('.');
  const tried = refused.map(one => `${spelled(one.candidate)} (${reasonText(one, t)})`).join(', ');
  const named = refused.find(one => one.candidate.setting);
  if (named) {
    return t(
      'BSL Scout: the interpreter of the setting bslScout.pythonPath cannot run the search server: {0}. Python {1} or newer with the package bsl-scout is needed.',
      tried,
      oldest,
    );
  }
  const serverless = refused.find(one => one.reason === 'noServer');
  if (serverless) {
    return t(
      'BSL Scout: no Python with the package bsl-scout was found. Tried: {0}. Install it ({1} -m pip install bsl-scout), or name another interpreter in the setting bslScout.pythonPath.',
      tried,
      spelled(serverless.candidate),
    );
  }
  return t(
    'BSL Scout: Python {0} or newer was not found. Tried: {1}. Install Python and the package bsl-scout, or name an interpreter in the setting bslScout.pythonPath.',
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
    case 'noServer':
      return t('no package bsl-scout');
    case 'failed':
      return detail ? t('failed: {0}', detail) : t('failed');
  }
}
