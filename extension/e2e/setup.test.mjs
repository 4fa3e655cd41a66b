// The first start on a machine: the extension makes the environment of its server, or says why it cannot and what to do.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { find, LIGHT, realTest } from './cases.mjs';
import { pause } from './code-server.mjs';
import { demo, emptyFolder, freshMachine, hasCorpora, inEditor, library, noInterpreter, putPython, real, wheelhouse } from './setting.mjs';
import { until } from './workbench.mjs';

// of the library the first answers come from what is indexed first
const ANSWER = /отправ|письм/i;
const SETTING_UP = /setting up the search server: /;
const READY = /BSL Scout is ready: [\d,]+ procedures are indexed/;

realTest('setup', 'a fresh machine: set-up, first answer, second start', () => ({ ...freshMachine('setup'), folder: hasCorpora ? library() : demo('setup'), settings: LIGHT }), async (bench, server) => {
  const opened = performance.now();
  await bench.notification(SETTING_UP, 60_000);
  await bench.screenshot('setup-progress-light');
  await find(bench, 'отправить письмо');
  await bench.rows(ANSWER).first().waitFor({ timeout: 120_000 });
  const first = performance.now() - opened;
  await bench.screenshot('setup-first-answer-light');
  await bench.press('Escape');
  await bench.notification(READY, 120_000);
  await bench.screenshot('setup-ready-light');
  const [environment] = environments(server);
  assert.equal(environments(server).length, 1);
  const made = fs.statSync(path.join(environment, 'pyvenv.cfg')).mtimeMs;

  await bench.reopen();
  const reopened = performance.now();
  const shown = Date.now();
  await openByKey(bench);
  await bench.type('отправить письмо');
  await bench.rows(ANSWER).first().waitFor();
  const second = performance.now() - reopened;
  await bench.screenshot('setup-second-start-light');
  assert.equal(await bench.toasts(SETTING_UP).count(), 0);
  assert.equal(await bench.toasts(READY).count(), 0);
  assert.deepEqual(environments(server), [environment]);
  assert.equal(fs.statSync(path.join(environment, 'pyvenv.cfg')).mtimeMs, made);
  console.log(`first answer after ${seconds(first)} with the set-up, after ${seconds(second)} at the second start`);
  console.log(`at the second start the editor took ${seconds(activated(server) - shown)} until it started the extension`);

  // what was broken between two starts is made anew
  // renamed, not removed: the server of this start may still write compiled modules there
  fs.renameSync(path.join(environment, 'lib'), path.join(environment, 'lib-gone'));
  await bench.press('Escape');
  await bench.reopen();
  await bench.notification(SETTING_UP, 60_000);
  await find(bench, 'отправить письмо');
  await bench.rows(ANSWER).first().waitFor({ timeout: 120_000 });
  assert.equal(environments(server).includes(environment), false);
});

realTest('ready', 'the first index is told once, with what to do next', () => ({ folder: demo('ready'), settings: LIGHT, russian: true }), async bench => {
  const READY_RU = /BSL Scout готов к поиску: в индексе \d+ процедур/;
  const message = await bench.notification(READY_RU, 60_000);
  await bench.screenshot('ready-ru');
  await bench.answer(message, 'С чего начать');
  const open = bench.page.locator('.getting-started-step', { hasText: 'Откройте конфигурацию' });
  await open.locator('.codicon-getting-started-step-checked').waitFor();
  await bench.screenshot('ready-walkthrough-ru');
  await bench.reopen();
  await bench.indexed();
  await bench.meaning();
  assert.equal(await bench.toasts(READY_RU).count(), 0);
});

test('a home that is kept has the index at the next start', { skip: !real }, async () => {
  const options = { folder: demo('kept'), home: emptyFolder('home-kept'), settings: LIGHT };
  const told = (server, pattern) => server.logs().match(pattern)?.length ?? 0;
  for (const start of [1, 2]) {
    await inEditor(`kept-${start}`, options, async (bench, server) => {
      await bench.indexed();
      // the logs are kept too
      await until(() => told(server, /: 51 modules, 296 procedures/g) === start, `the end of pass ${start} in the log`);
      await until(() => told(server, /the index was made: there was none/g) === 1, 'the log of the first pass');
    });
  }
});

realTest('causes', 'what is missing is named, and works once it is there', () => ({ ...noNetwork(), folder: demo('causes'), settings: LIGHT }), async (bench, server) => {
  const retried = async (before, pattern, name) => {
    await pause(1_000); // the editor drops the fourth notification within 0.8 s
    await bench.answer(before, 'Retry');
    const message = await bench.notification(pattern, 120_000);
    await bench.screenshot(`setup-${name}-light`);
    return message;
  };
  let message = await bench.notification(/Python 3\.10 or newer was not found.*python3 \(not found\)/, 60_000);
  await bench.status(/Python was not found/);
  await bench.screenshot('setup-no-python-light');

  putPython(bin, 'echo "3 9 64 $0"');
  message = await retried(message, /Python 3\.10 or newer was not found.*python3 \(version 3\.9\)/, 'python-39');

  putPython(bin, 'if [ "$1" = -c ]; then echo "3 11 64 $0"; else echo "Error: [Errno 28] No space left on device" >&2; exit 1; fi');
  message = await retried(message, /The disk is full: \d+ MB are needed/, 'disk-full');
  await bench.status(/not set up/);

  putPython(bin, 'if [ "$1" = -c ]; then echo "3 11 64 $0"; else exec /bin/sleep 60; fi');
  await pause(1_000);
  await bench.answer(message, 'Retry');
  await bench.answer(await bench.notification(SETTING_UP), 'Cancel');
  message = await bench.notification(/setting up the search server was cancelled/);
  assert.deepEqual(server.processes(/sleep 60/), []);

  putPython(bin);
  await retried(message, /The package index cannot be reached/, 'no-index');
  assert.deepEqual(environments(server), [], 'what was begun is removed');
  await find(bench, 'отправить письмо');
  await bench.rows('The search does not work now').waitFor();
  await bench.press('Escape');

  server.set('bslScout.wheelhouse', wheelhouse());
  await bench.indexed();
  // nobody answered the message, and its cause is gone
  assert.equal(await bench.toasts(/The package index cannot be reached/).count(), 0);
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
  await bench.press('Escape');
  const before = environments(server);
  assert.equal(before.length, 1);

  // another version that cannot be installed: the one before goes on working
  server.set('bslScout.wheelhouse', '');
  fs.appendFileSync(server.wheel(), 'x');
  await bench.command('BSL Scout: Restart Server');
  await bench.notification(/The package index cannot be reached.*What was installed before is used meanwhile/);
  await bench.screenshot('setup-previous-light');
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
  assert.deepEqual(environments(server), before);
});

let bin;

// an index at a closed port is the only one that pip knows
function noNetwork() {
  const machine = noInterpreter('causes');
  ({ bin } = machine);
  const pip = { PIP_CONFIG_FILE: '/dev/null', PIP_INDEX_URL: 'http://127.0.0.1:9/simple', PIP_EXTRA_INDEX_URL: '', PIP_FIND_LINKS: '', PIP_RETRIES: '1' };
  return { ...machine, env: { ...machine.env, ...pip } };
}

// the key has nobody to answer it before the extensions have started
async function openByKey(bench) {
  await until(async () => {
    await bench.press('Control+Alt+Shift+F');
    return bench.quick.waitFor({ timeout: 100 }).then(() => true, () => false);
  }, 'the list');
}

/** Returns when the editor last called the extension, in milliseconds since the epoch. */
function activated(server) {
  const calls = [...server.logs().matchAll(/^(\S+ \S+) \[info\] ExtensionService#_doActivateExtension bsl-scout\.bsl-scout/gm)];
  return Math.max(...calls.map(call => Date.parse(call[1])));
}

function environments(server) {
  const folder = path.join(server.storage, 'env');
  return fs.readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => path.join(folder, entry.name));
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
