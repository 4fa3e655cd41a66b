// The page of the state of the index: what it tells, its links, and what is copied for a message about an error.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DARK, LIGHT, realTest } from './cases.mjs';
import { demo } from './setting.mjs';
import { until } from './workbench.mjs';

const BROKEN = 'Documents/ЗаказПокупателя.xml';

/** Returns a demo configuration with an object whose XML ends in the middle and a module without text. */
function broken(name) {
  const folder = demo(name);
  const file = path.join(folder, BROKEN);
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  fs.writeFileSync(file, lines.slice(0, 12).join('\n'));
  fs.writeFileSync(path.join(folder, 'CommonModules/КурсыВалютСервер/Ext/Module.bsl'), '');
  return folder;
}

realTest('status', 'the page of a healthy index, refreshed by its button', () => ({ folder: demo('status'), settings: DARK }), async (bench, server) => {
  await bench.indexed();
  await bench.meaning();
  await bench.command('BSL Scout: Index Status');
  const page = await bench.view(/BSL Scout: Index Status/);
  await page.getByRole('heading', { level: 2, name: 'Folder status' }).waitFor();
  assert.match(await page.getByRole('row', { name: /^By meaning/ }).innerText(), /yes/);
  assert.match(await page.getByRole('row', { name: /^Modules \d/ }).innerText(), /51/);
  await bench.screenshot('status-en');
  await page.getByText('were read without problems').waitFor();

  // the level of the log is the editor's, and the server follows it at once
  const answered = /\[debug\] bsl_scout\.lsp\.server: bslScout\/diagnostics: answered in \d+ ms/;
  assert.match(server.logs(), /\[info\] bsl_scout\.lsp\.folders: status: 51 modules, 296 procedures/);
  assert.doesNotMatch(server.logs(), answered);
  await bench.command('Developer: Set Log Level...');
  await bench.type('BSL Scout');
  await bench.rows('BSL Scout').first().click();
  await bench.rows('Debug').first().click();
  await bench.closed();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('heading', { level: 2, name: 'Folder status' }).waitFor();
  await until(() => answered.test(server.logs()), 'the time of a request in the log');
});

realTest('status-broken', 'problems lead to their files, the diagnostics tell no paths', () => ({ folder: broken('поломка'), settings: LIGHT, russian: true }), async (bench, server) => {
  await bench.indexed();
  await bench.meaning();
  await bench.statusBar().click();
  const page = await bench.view(/BSL Scout: состояние индекса/);
  await page.getByRole('heading', { level: 3, name: 'Проблемы в исходниках: 3' }).waitFor();
  await page.getByRole('heading', { level: 4, name: 'Пустые модули: 1' }).waitFor();
  await bench.screenshot('status-broken-ru');
  await page.getByRole('heading', { level: 4, name: 'Повреждённые XML' }).scrollIntoViewIfNeeded();
  await bench.screenshot('status-problems-ru');

  await bench.forget();
  await page.getByRole('button', { name: 'Скопировать диагностику' }).press('Enter');
  const text = await bench.copiedFrom('# BSL Scout: состояние индекса');
  fs.writeFileSync(path.join(bench.artifacts, 'diagnostics-ru.md'), text);
  assert.match(text, /Папка поломка/);
  assert.match(text, new RegExp(`${BROKEN}:1\\d: повреждённый XML`));
  for (const secret of [server.folder, path.dirname(server.folder), server.home, os.homedir(), os.hostname()]) {
    assert.ok(!text.includes(secret), secret);
  }
  assert.match(text, /SQLite: 3\./);

  await page.getByRole('link', { name: BROKEN }).click();
  await bench.editor(BROKEN);
  await bench.atLine(12);
});
