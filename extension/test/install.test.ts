/** Making the environment: which programs are run with which arguments, and what is said when one fails. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { COMPONENTS } from '../src/components';
import { Environments } from '../src/environments';
import { install, installEnvironment, InstallError, interpreterOf, pipRuns, pipProgress, wheelKey, type Plan, type Progress } from '../src/install';
import { causeOf, componentCost, componentQuestion, componentTitle, installFailedText, progressText } from '../src/installText';
import type { Outcome } from '../src/python';
import { runLong } from '../src/run';
import { en, ru } from './russian';

const GOOD: Outcome = { code: 0, stdout: '', stderr: '' };
const WHEEL = 'C:\\Users\\Иванов Иван\\.vscode\\extensions\\bsl-scout\\dist\\server\\bsl_scout-0.1.0-py3-none-any.whl';

let root: string;
let environments: Environments;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'bsl scout ё-'));
  environments = new Environments(path.join(root, 'env'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const plan = (changes: Partial<Plan> = {}): Plan => ({
  base: '/usr/bin/python3', wheel: '/x/bsl_scout.whl', key: 'abcd1234', components: [], wheelhouse: '', extraArgs: [], platform: 'linux', ...changes,
});
const failed = (written: string, step: InstallError['step'] = 'packages') => new InstallError(step, written);

// plays python -m venv, pip and the checks; `answers` replace what a step says
async function play(changes: Partial<Plan> = {}, answers: Partial<Record<'venv' | 'pip' | 'check' | 'load' | 'module', Outcome>> = {}) {
  const ran: string[][] = [];
  const told: Progress[] = [];
  const run = (command: string, args: string[], line?: (text: string) => void): Promise<Outcome> => {
    ran.push([command, ...args]);
    if (args[1] === 'venv') {
      fs.mkdirSync(args[2], { recursive: true });
      return Promise.resolve(answers.venv ?? GOOD);
    }
    if (args[1] === 'pip') {
      line?.('  Downloading numpy-2.5.5-cp311-cp311-manylinux_2_28_x86_64.whl (16.3 MB)');
      return Promise.resolve(answers.pip ?? GOOD);
    }
    if (args[1].includes('realpath')) {
      return Promise.resolve({ ...GOOD, stdout: `${args[2]}\n` });
    }
    if (args[1].includes('load_model')) {
      return Promise.resolve(answers.load ?? GOOD);
    }
    return Promise.resolve(args[1].includes('find_spec') ? (answers.module ?? GOOD) : (answers.check ?? { ...GOOD, stdout: '3 11 64 /venv/python\n' }));
  };
  const result = await install(plan(changes), environments, run, progress => told.push(progress)).catch((error: unknown) => error);
  return { ran, told, result, folders: fs.existsSync(environments.folder) ? fs.readdirSync(environments.folder) : [] };
}

test('venv, pip, check; the user sees what is loaded', async () => {
  const { ran, told, result, folders } = await play();
  assert.equal(folders.length, 1);
  const place = path.join(environments.folder, folders[0]);
  const python = path.join(place, 'bin/python');
  assert.deepEqual(result, { key: 'abcd1234', place, python, version: '3.11', components: [] });
  assert.deepEqual(ran[0], ['/usr/bin/python3', '-m', 'venv', place]);
  assert.deepEqual(ran[2].slice(0, 4), [python, '-m', 'pip', 'install']);
  assert.deepEqual(told.map(one => progressText(one, ru)), ['создаётся окружение…', 'устанавливаются пакеты…', 'загружается numpy, 16,3 МБ', 'проверка…']);
});

test('what fails is named and leaves nothing', async () => {
  const steps = {
    venv: await play({}, { venv: { ...GOOD, code: 1, stderr: 'Error: [Errno 28] No space left on device' } }),
    pip: await play({}, { pip: { ...GOOD, code: 1, stderr: 'ERROR: x' } }),
    check: await play({}, { check: { code: 1, stdout: '3 11 64 /venv/python\n', stderr: 'ImportError: no such thing' } }),
    load: await play({}, { load: { ...GOOD, code: 1, stderr: 'ImportError: DLL load failed while importing etree' } }),
    module: await play({ components: ['chroma'] }, { module: { ...GOOD, code: 1, stderr: 'no module chromadb' } }),
    wheelhouse: await play({ wheelhouse: path.join(root, 'none') }),
    killed: await play({}, { pip: { ...GOOD, code: null } }),
  };
  const of = ({ result }: { result: unknown }) => result as InstallError;
  assert.deepEqual(Object.values(steps).map(one => of(one).step), ['venv', 'packages', 'check', 'check', 'check', 'wheelhouse', 'packages']);
  assert.deepEqual(Object.values(steps).flatMap(one => one.folders), []);
  assert.equal(causeOf(of(steps.venv)), 'space');
  assert.equal(causeOf(of(steps.load)), 'damaged');
  assert.equal(steps.wheelhouse.ran.length, 0);
});

test('pip takes packages from the index, or from the wheelhouse only, or from where the user says', () => {
  const tails = (changes: Partial<Plan>) => pipRuns(plan(changes)).map(args => args.slice(args.indexOf('--prefer-binary') + 1));
  assert.deepEqual(pipRuns(plan())[0].slice(0, 3), ['-m', 'pip', 'install']);
  assert.deepEqual(tails({}), [['/x/bsl_scout.whl']]);
  assert.deepEqual(tails({ wheelhouse: 'D:\\пакеты 1С' }), [['--no-index', '--find-links', 'D:\\пакеты 1С', '/x/bsl_scout.whl']]);
  assert.deepEqual(tails({ wheel: WHEEL, components: ['models'], platform: 'win32' }), [[`${WHEEL}[models]`]]);
  const cpu = ['--index-url', 'https://download.pytorch.org/whl/cpu', 'torch'];
  assert.deepEqual(tails({ components: ['models', 'chroma'] }), [cpu, ['/x/bsl_scout.whl[models,chroma]']]);
  assert.deepEqual(tails({ components: ['chroma'] }), [['/x/bsl_scout.whl[chroma]']]);
  assert.deepEqual(tails({ components: ['models'], extraArgs: ['--cert', '/c.pem'] })[0], ['--cert', '/c.pem', ...cpu]);
  const mirror = ['--index-url=https://mirror/simple'];
  assert.deepEqual(tails({ components: ['models'], extraArgs: mirror }), [[...mirror, '/x/bsl_scout.whl[models]']]);
  assert.deepEqual(tails({ components: ['models'], wheelhouse: '/w' }), [['--no-index', '--find-links', '/w', '/x/bsl_scout.whl[models]']]);
});

test('the interpreter of an environment, on Windows too', () => {
  assert.equal(interpreterOf('C:\\Users\\Иванов Иван\\env\\ab12-cd', 'win32'), 'C:\\Users\\Иванов Иван\\env\\ab12-cd\\Scripts\\python.exe');
  assert.equal(interpreterOf('/home/и/env/ab12', 'darwin'), '/home/и/env/ab12/bin/python');
});

test('lines of pip', () => {
  assert.deepEqual(pipProgress('Downloading https://mirror/p/lxml-6.1.3-cp314-cp314-win_amd64.whl (4.1 MB)'), { package: 'lxml', size: '4.1 MB' });
  assert.deepEqual(pipProgress('  Downloading tree_sitter_bsl-0.1.6-cp310-abi3-win_amd64.whl (33 kB)'), { package: 'tree_sitter_bsl', size: '33 kB' });
  assert.equal(pipProgress('Collecting numpy>=1.26'), undefined);
});

test('the proxy of the editor is used when the environment names none; what leads pip elsewhere is left out', () => {
  const env = installEnvironment({ Path: 'p', PythonPath: 'C:\\own', PYTHONDONTWRITEBYTECODE: '1', PIP_TARGET: '/t', PIP_INDEX_URL: 'https://mirror' }, 'http://proxy:3128');
  assert.deepEqual(env, {
    Path: 'p', PIP_INDEX_URL: 'https://mirror', HTTP_PROXY: 'http://proxy:3128', HTTPS_PROXY: 'http://proxy:3128',
    PIP_USER: '0', PYTHONIOENCODING: 'utf-8', PYTHONUNBUFFERED: '1',
  });
  assert.equal(installEnvironment({ https_proxy: 'http://own:1' }, 'http://proxy:3128').HTTPS_PROXY, undefined);
  assert.equal(installEnvironment({}, '').HTTPS_PROXY, undefined);
});

const REFUSED =
  "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<conn>: Failed to establish a new connection: [Errno 111] Connection refused')': /simple/filelock/\n" +
  'ERROR: Could not find a version that satisfies the requirement filelock>=3.13 (from bsl-scout) (from versions: none)\nERROR: No matching distribution found for filelock>=3.13\n';

test('the cause is told from what pip writes', () => {
  const cause = (text: string) => causeOf(failed(text));
  assert.equal(cause(REFUSED), 'unreachable');
  assert.equal(cause(REFUSED.split('\n').slice(1).join('\n')), 'missing');
  assert.equal(cause("ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407 Proxy Authentication Required'))"), 'proxy');
  assert.equal(cause("connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'))'"), 'certificate');
  assert.equal(cause('ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device'), 'space');
  assert.equal(cause('OSError: [WinError 112] There is not enough space on the disk'), 'space');
  assert.equal(cause('HINT: This error might have occurred since this system does not have Windows Long Path support enabled.'), 'longPath');
  assert.equal(cause('PermissionError: [WinError 5] Access is denied'), 'rights');
  assert.equal(cause('error: Microsoft Visual C++ 14.0 or greater is required.\nERROR: Failed building wheel for PyStemmer'), 'compiler');
  assert.equal(cause('something else'), 'unknown');
});

test('each message says what happened and what to do, in both languages', () => {
  const text = (error: InstallError, changes: Partial<Plan> = {}, words = ru) => installFailedText(error, plan(changes), 'C:\\Users\\Иван\\env', words);
  assert.equal(
    text(failed(REFUSED)),
    'BSL Scout: не удалось установить сервер поиска. Индекс пакетов недоступен. Проверьте сеть и прокси, укажите зеркало в bslScout.pip.extraArgs или папку с пакетами в bslScout.wheelhouse и повторите.',
  );
  assert.match(text(failed('120', 'space')), /На диске с папкой C:\\Users\\Иван\\env свободно 120 МБ, нужно \d+ МБ\./);
  assert.match(text(failed('ENOSPC')), /Диск переполнен: нужно \d+ МБ/);
  const missing = failed('ERROR: No matching distribution found for lxml>=5.2');
  assert.match(text(missing, { wheelhouse: '/w' }), /В папке из bslScout.wheelhouse нет пакета: No matching distribution found for lxml>=5.2\. Добавьте/);
  assert.match(text(missing, {}, en), /not in the index: No matching distribution found for lxml>=5\.2\. Check the network/);
  assert.match(text(failed('/no/wheels', 'wheelhouse')), /Нет папки.*: \/no\/wheels$/);
  assert.match(text(failed('ImportError: DLL load failed', 'check'), {}, en), /does not run: ImportError: DLL load failed\. Look into the log/);
  for (const sample of ['WinError 206', 'Permission denied', 'ProxyError', 'SSLError', 'Failed building wheel for x', 'odd']) {
    assert.match(text(failed(sample)), /[а-яё.]$/, sample);
  }
});

test('the size of a component is said before it is installed', () => {
  for (const [name, { download, disk }] of Object.entries(COMPONENTS)) {
    const { title, detail } = componentQuestion(name, ru.t, 'ru');
    assert.ok(title.includes(componentTitle(name, ru.t)) && detail.includes(`${download} МБ`) && detail.includes(`${disk} МБ`));
    assert.notEqual(componentTitle(name, ru.t), name);
    assert.equal(componentCost(name, en), `${download.toLocaleString('en')} MB to load, ${disk.toLocaleString('en')} MB on disk`);
  }
});

test('the key of a wheel follows its content', () => {
  const file = path.join(root, 'a.whl');
  fs.writeFileSync(file, 'one');
  const key = wheelKey(file);
  assert.match(key, /^[0-9a-f]{8}$/);
  fs.writeFileSync(file, 'two');
  assert.notEqual(wheelKey(file), key);
});

test('a long program is told line by line and ends, with what it has started, when it is broken off', { timeout: 20_000 }, async () => {
  const how = (signal: AbortSignal, line: (text: string) => void) => ({ cwd: root, env: process.env, signal, line });
  const lines: string[] = [];
  const never = new AbortController().signal;
  const outcome = await runLong(process.execPath, ['-e', 'console.log("раз\\nдва"); console.error("три"); process.exit(4)'], how(never, text => lines.push(text)));
  assert.deepEqual(outcome, { code: 4, stdout: 'раз\nдва\n', stderr: 'три\n' });
  assert.deepEqual([...lines].sort(), ['два', 'раз', 'три']);
  assert.equal((await runLong('/no/such/program', [], how(never, () => undefined))).error, 'ENOENT');

  const stop = new AbortController();
  const code = 'const c = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { stdio: "inherit" }); console.log(c.pid); setInterval(() => 0, 1000)';
  // it holds the same pipe, so this waits for both
  const broken = await runLong(process.execPath, ['-e', code], how(stop.signal, () => stop.abort()));
  assert.equal(broken.code, null);
  assert.equal((await runLong(process.execPath, [], how(stop.signal, () => undefined))).error, 'aborted');
});
