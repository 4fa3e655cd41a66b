import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidates, findPython, spelled, type Outcome } from '../src/python';
import { noPythonText } from '../src/pythonText';
import { run } from '../src/run';
import { en, ru } from './russian';

const OUTCOMES: Record<string, Outcome> = {
  good: { code: 0, stdout: '3 11 /usr/bin/python3.11\n', stderr: '' },
  old: { code: 0, stdout: '3 9 /usr/bin/python3.9\n', stderr: '' },
  oldBare: { code: 1, stdout: '2 7 /usr/bin/python2\n', stderr: 'ImportError: No module named bsl_scout' },
  bare: { code: 1, stdout: '3 12 /usr/bin/python3.12\n', stderr: "…\nModuleNotFoundError: No module named 'bsl_scout'\n" },
  broken: { code: 1, stdout: '3 12 /usr/bin/python3.12\n', stderr: "ModuleNotFoundError: No module named 'bsl_scout.bsl'\n" },
  store: { code: 9009, stdout: '', stderr: 'Python was not found; run without arguments to install' },
  none: { code: null, stdout: '', stderr: '', error: 'ENOENT' },
};

async function search(programs: Record<string, keyof typeof OUTCOMES>, setting = '') {
  const tried: string[] = [];
  const found = await findPython(candidates({ setting, platform: 'linux' }), (command, args) => {
    tried.push([command, ...args.slice(0, -2)].join(' '));
    return Promise.resolve(OUTCOMES[programs[command] ?? 'none']);
  });
  return { tried, found };
}

test('interpreters are tried in a fixed order, each once', () => {
  const list = candidates({ setting: '', active: '/env/bin/python', defaultInterpreter: 'python3', platform: 'win32' });
  assert.deepEqual(list.map(spelled), ['/env/bin/python', 'python3', 'py -3', 'python']);
  assert.deepEqual(candidates({ setting: '', defaultInterpreter: 'python', platform: 'linux' }).map(spelled), ['python3', 'python']);
});

test('the setting is used as it is, and alone', async () => {
  const { tried, found } = await search({ '/my python': 'good', python3: 'good' }, '/my python');
  assert.deepEqual(tried, ['/my python']);
  assert.equal(found.command, '/my python');
});

test('the first that fits is taken by its own path', async () => {
  const { found } = await search({ python3: 'old', python: 'good' });
  assert.equal(found.command, '/usr/bin/python3.11');
  assert.deepEqual(found.refused.map(one => [one.candidate.command, one.reason, one.detail]), [['python3', 'tooOld', '3.9']]);
});

test('every refusal has its reason', async () => {
  const reasons = async (program: keyof typeof OUTCOMES) => (await search({ python3: program })).found.refused[0].reason;
  assert.equal(await reasons('none'), 'notFound');
  assert.equal(await reasons('old'), 'tooOld');
  assert.equal(await reasons('oldBare'), 'tooOld');
  assert.equal(await reasons('bare'), 'noServer');
  assert.equal(await reasons('broken'), 'failed');
  assert.equal(await reasons('store'), 'failed');
});

test('one message says what was tried and what to do', async () => {
  const text = async (programs: Record<string, keyof typeof OUTCOMES>, setting = '') =>
    noPythonText((await search(programs, setting)).found.refused, ru.t);
  assert.equal(
    await text({ python3: 'old' }),
    'BSL Scout: не найден Python 3.10 или новее. Проверены: python3 (версия 3.9), python (не найден). Установите Python и пакет bsl-scout или укажите интерпретатор в настройке bslScout.pythonPath.',
  );
  assert.match(await text({ python3: 'bare' }), /python3 \(нет пакета bsl-scout\).*\(python3 -m pip install bsl-scout\)/);
  assert.match(await text({}, '/no/python'), /из настройки bslScout.pythonPath .*: \/no\/python \(не найден\)/);
  assert.match(noPythonText((await search({})).found.refused, en.t), /Tried: python3 \(not found\), python \(not found\)\./);
});

test('a real program is run; one that does not exist is an outcome, not an exception', async () => {
  const outcome = await run(process.execPath, ['-p', '1+1'], process.cwd(), process.env);
  assert.deepEqual(outcome, { code: 0, stdout: '2\n', stderr: '' });
  assert.equal((await run(process.execPath, ['-e', 'process.exit(3)'], process.cwd(), process.env)).code, 3);
  assert.equal((await run('/no/such/program', [], process.cwd(), process.env)).error, 'ENOENT');
});
