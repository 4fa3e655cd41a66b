/** What is said of an installation: its progress, and why it failed. */
import { COMPONENTS, costOf } from './components';
import { number, type Lang, type Translate } from './plural';
import type { InstallError, Plan, Progress } from './install';
import type { Words } from './format';

export type Cause =
  | 'space'
  | 'longPath'
  | 'rights'
  | 'proxy'
  | 'certificate'
  | 'unreachable'
  | 'compiler'
  | 'missing'
  | 'wheelhouse'
  | 'damaged'
  | 'unknown';

// in this order: pip adds to a cause what follows from it, such as "no matching distribution" to "connection refused"
const SIGNS: [Cause, RegExp][] = [
  ['space', /No space left on device|Errno 28\b|WinError 112\b|ENOSPC|Disk quota exceeded/i],
  ['longPath', /Windows Long Path support|WinError 206\b|File name too long/i],
  ['rights', /Permission denied|WinError 5\b|\bEACCES\b|\bEPERM\b|Read-only file system/i],
  ['proxy', /ProxyError|Tunnel connection failed|407 Proxy/i],
  ['certificate', /CERTIFICATE_VERIFY_FAILED|SSLError|SSLCertVerificationError/],
  [
    'unreachable',
    /connection broken by|NewConnectionError|ConnectTimeout|ReadTimeout|NameResolutionError|Max retries exceeded|getaddrinfo failed|Name or service not known|Connection refused|40[13] (Client Error|Unauthorized|Forbidden)|5\d\d Server Error/i,
  ],
  ['compiler', /Failed (building wheel|to build)|Microsoft Visual C\+\+|command '\S*(gcc|cc|cl\.exe)' failed/i],
  ['missing', /No matching distribution found|Could not find a version that satisfies/],
];

/** Returns why an installation failed. */
export function causeOf({ step, written }: InstallError): Cause {
  if (step === 'space' || step === 'wheelhouse') {
    return step;
  }
  return SIGNS.find(([, sign]) => sign.test(written))?.[0] ?? (step === 'check' ? 'damaged' : 'unknown');
}

/** Returns one message: what happened and what to do. */
export function installFailedText(error: InstallError, plan: Plan, folder: string, { t, lang }: Words): string {
  const reason = reasonText(error, plan, folder, t, lang);
  return t('BSL Scout: the search server could not be set up. {0}', reason);
}

function reasonText(error: InstallError, plan: Plan, folder: string, t: Translate, lang: Lang): string {
  switch (causeOf(error)) {
    case 'space': {
      const needed = number(costOf(plan.components).disk, lang);
      return error.step === 'space'
        ? t('The disk of {0} has {1} MB free, {2} MB are needed. Make room and retry.', folder, number(Number(error.written), lang), needed)
        : t('The disk is full: {0} MB are needed in {1}, and as much for temporary files. Make room and retry.', needed, folder);
    }
    case 'longPath':
      return t('A path is longer than Windows allows. Allow long paths in Windows (the page of the extension says how) and retry.');
    case 'rights':
      return t('A file could not be written: {0} Look whether an antivirus or the rights of {1} are in the way, and retry.', lastError(error), folder);
    case 'proxy':
      return t('The proxy refused the connection to the package index. Check HTTPS_PROXY or the setting http.proxy, and retry.');
    case 'certificate':
      return t('The certificate of the package index is not trusted. Name your company’s in bslScout.pip.extraArgs (--cert FILE), and retry.');
    case 'unreachable':
      return t(
        'The package index cannot be reached. Check the network and the proxy, name a mirror in bslScout.pip.extraArgs or a folder of wheels in bslScout.wheelhouse, and retry.',
      );
    case 'compiler':
      return t('There is no ready-made package for this Python, and it could not be built: {0} Install a Python of a usual version (3.10 to 3.14, 64-bit) and retry.', lastError(error));
    case 'missing':
      return plan.wheelhouse
        ? t('A package is not in the folder of bslScout.wheelhouse: {0} Add it (the page of the extension says how the folder is filled) and retry.', lastError(error))
        : t('A package is not in the index: {0} Check the network, the mirror in bslScout.pip.extraArgs and the version of Python, and retry.', lastError(error));
    case 'wheelhouse':
      return t('The folder of the setting bslScout.wheelhouse does not exist: {0}', error.written);
    case 'damaged':
      return t('What was installed does not run: {0} Look into the log.', lastError(error));
    case 'unknown':
      return t('{0} Look into the log.', lastError(error));
  }
}

/** Returns a size as pip writes it ("16.3 MB") in the words of the editor; one of another form stays as it is. */
function sizeText(size: string, { t, lang }: Words): string {
  const [, digits, unit] = /^([\d.]+) (kB|MB|GB)$/.exec(size) ?? [];
  const amount = new Intl.NumberFormat(lang).format(Number(digits));
  switch (unit) {
    case 'kB':
      return t('{0} kB', amount);
    case 'MB':
      return t('{0} MB', amount);
    case 'GB':
      return t('{0} GB', amount);
    default:
      return size;
  }
}

/** Returns what the installation is at. */
export function progressText(progress: Progress, words: Words): string {
  const { t } = words;
  if ('package' in progress) {
    return t('loading {0}, {1}', progress.package, sizeText(progress.size, words));
  }
  switch (progress.step) {
    case 'venv':
      return t('creating its environment…');
    case 'check':
      return t('checking…');
    case 'space':
    case 'wheelhouse':
    case 'packages':
      return t('installing packages…');
  }
}

/** Returns the question before a component is installed: what it is for and what it costs. */
export function componentQuestion(name: string, t: Translate, lang: Lang): { title: string; detail: string } {
  const { download, disk } = COMPONENTS[name];
  return {
    title: t('BSL Scout: install the component “{0}”?', componentTitle(name, t)),
    detail: t(
      'About {0} MB are loaded from the package index and about {1} MB are taken on disk, in the environment of the extension. The search goes on meanwhile.',
      number(download, lang),
      number(disk, lang),
    ),
  };
}

/** Returns what a component costs, in short. */
export function componentCost(name: string, { t, lang }: Words): string {
  const { download, disk } = COMPONENTS[name];
  return t('{0} MB to load, {1} MB on disk', number(download, lang), number(disk, lang));
}

/** Returns what a component is for. */
export function componentTitle(name: string, t: Translate): string {
  switch (name) {
    case 'models':
      return t('Other models of meaning, training (sentence-transformers, torch)');
    case 'chroma':
      return t('Vector store Chroma (chromadb)');
    default:
      return name;
  }
}

// the last line that says it is an error, else the last line; with a full stop, because sentences follow
function lastError({ written }: InstallError): string {
  const lines = written.split('\n').map(line => line.trim()).filter(Boolean);
  const line = (lines.filter(one => /error/i.test(one)).pop() ?? lines.pop() ?? '').replace(/^ERROR:\s*/, '');
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
