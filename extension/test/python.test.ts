import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates, findPython, spelled, type Outcome } from '../src/python';
import { noPythonText } from '../src/pythonText';
import { run } from '../src/run';
import { en, ru } from './russian';

const OUTCOMES: Record<string, Outcome> = {
  good: { code: 0, stdout: '3 11 64 /usr/bin/python3.11\n', stderr: '' },
  old: { code: 0, stdout: '3 9 64 /usr/bin/python3.9\n', stderr: '' },
  oldBare: { code: 1, stdout: '2 7 64 /usr/bin/python2\n', stderr: 'ImportError: No module named bsl_scout' },
  short: { code: 0, stdout: '3 12 32 C:\\Python312-32\\python.exe\r\n', stderr: '' },
  noVenv: { code: 1, stdout: '3 12 64 /usr/bin/python3.12\n', stderr: "…\nModuleNotFoundError: No module named 'ensurepip'\n" },
  bare: { code: 1, stdout: '3 12 64 /usr/bin/python3.12\n', stderr: "…\nModuleNotFoundError: No module named 'bsl_scout'\n" },
  broken: { code: 1, stdout: '3 12 64 /usr/bin/python3.12\n', stderr: "ModuleNotFoundError: No module named 'bsl_scout.bsl'\n" },
  cyrillic: { code: 0, stdout: '3 13 64 C:\\Users\\Иванов Иван\\AppData\\Local\\Programs\\Python\\Python313\\python.exe\r\n', stderr: '' },
  store: { code: 9009, stdout: '', stderr: 'Python was not found; run without arguments to install' },
  none: { code: null, stdout: '', stderr: '', error: 'ENOENT' },
};
const WINDOWS = { LOCALAPPDATA: 'C:\\Users\\Иванов Иван\\AppData\\Local', ProgramFiles: 'C:\\Program Files' };
const HOME_PYTHON = 'C:\\Users\\Иванов Иван\\AppData\\Local\\Programs\\Python\\Python313\\python.exe';

const listOf = (setting: string, platform: NodeJS.Platform = 'linux') =>
  candidates({ setting, platform, env: platform === 'win32' ? WINDOWS : {} });

async function search(programs: Record<string, keyof typeof OUTCOMES>, setting = '', platform: NodeJS.Platform = 'linux') {
  const tried: string[] = [];
  const probes: string[] = [];
  const found = await findPython(listOf(setting, platform), (command, args) => {
    tried.push([command, ...args.slice(0, -2)].join(' '));
    probes.push(args[args.length - 1]);
    return Promise.resolve(OUTCOMES[programs[command] ?? 'none']);
  });
  return { tried, probes, found };
}

test('interpreters are tried in a fixed order, each once', () => {
  const list = candidates({ setting: '', active: '/env/bin/python', defaultInterpreter: 'python3', platform: 'win32', env: {} });
  assert.deepEqual(list.map(spelled), ['/env/bin/python', 'python3', 'py -3', 'python']);
  const plain = candidates({ setting: '', defaultInterpreter: 'python', platform: 'linux', env: {} }).map(spelled);
  assert.deepEqual(plain, ['python3', 'python', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10']);
  assert.deepEqual(listOf('', 'darwin').map(spelled).slice(2, 4), ['/opt/homebrew/bin/python3', '/usr/local/bin/python3']);
});

test('on Windows the usual places are looked at, for PATH may be older than the installation', async () => {
  const { tried, found } = await search({ py: 'none', python: 'store', [HOME_PYTHON]: 'cyrillic' }, '', 'win32');
  assert.deepEqual(tried.slice(0, 4), ['py -3', 'python3', 'python', HOME_PYTHON.replace('313', '314')]);
  assert.equal(found.command, HOME_PYTHON);
  assert.ok(listOf('', 'win32').map(spelled).includes('C:\\Program Files\\Python310\\python.exe'));
});

test('the setting is used as it is, and alone', async () => {
  const { tried, probes, found } = await search({ '/my python': 'good', python3: 'good' }, '/my python');
  assert.deepEqual(tried, ['/my python']);
  assert.match(probes[0], /import bsl_scout$/);
  assert.equal(found.command, '/my python');
});

test('the first that fits is taken by its own path', async () => {
  const { probes, found } = await search({ python3: 'old', python: 'good' });
  assert.match(probes[0], /import venv, ensurepip$/);
  assert.equal(found.command, '/usr/bin/python3.11');
  assert.deepEqual(found.refused.map(one => [one.candidate.command, one.reason, one.detail]), [['python3', 'tooOld', '3.9']]);
});

test('every refusal has its reason', async () => {
  const reasons = async (program: keyof typeof OUTCOMES, setting = '') =>
    (await search({ [setting || 'python3']: program }, setting)).found.refused[0].reason;
  assert.equal(await reasons('none'), 'notFound');
  assert.equal(await reasons('old'), 'tooOld');
  assert.equal(await reasons('oldBare'), 'tooOld');
  assert.equal(await reasons('short'), 'bits32');
  assert.equal(await reasons('noVenv'), 'noVenv');
  assert.equal(await reasons('bare', '/my'), 'noServer');
  assert.equal(await reasons('broken', '/my'), 'failed');
  assert.equal(await reasons('store'), 'failed');
});

test('one message says what was tried and what to do', async () => {
  const text = async (programs: Record<string, keyof typeof OUTCOMES>, setting = '') =>
    noPythonText((await search(programs, setting)).found.refused, ru.t);
  assert.equal(
    await text({ python3: 'old' }),
    'BSL Scout: не найден Python 3.10 или новее, а он нужен серверу поиска. Проверены: python3 (версия 3.9), python (не найден). Установите Python с сайта python.org (для Windows — 64-разрядный) и повторите; Python в необычном месте указывают в настройке python.defaultInterpreterPath.',
  );
  assert.match(await text({ 'python3.12': 'noVenv' }), /python3\.12 \(нет модуля venv\).*apt install python3-venv/);
  assert.match(await text({ '/bare': 'bare' }, '/bare'), /из настройки bslScout.pythonPath .*: \/bare \(нет пакета bsl-scout\)/);
  assert.match(await text({}, '/no/python'), /из настройки bslScout.pythonPath .*: \/no\/python \(не найден\)/);
  assert.match(noPythonText((await search({})).found.refused, en.t), /Tried: python3 \(not found\), python \(not found\)\./);
});

test('a real program is run; one that does not exist is an outcome, not an exception', async () => {
  const outcome = await run(process.execPath, ['-p', '1+1'], process.cwd(), process.env);
  assert.deepEqual(outcome, { code: 0, stdout: '2\n', stderr: '' });
  assert.equal((await run(process.execPath, ['-e', 'process.exit(3)'], process.cwd(), process.env)).code, 3);
  assert.equal((await run('/no/such/program', [], process.cwd(), process.env)).error, 'ENOENT');
});
