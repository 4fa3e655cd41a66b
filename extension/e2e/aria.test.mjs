// What a screen reader is told, in words: kind, name, module and line of results; names of buttons; and what the lists look like in contrast.
import assert from 'node:assert/strict';
import { find, realTest } from './cases.mjs';
import { demo } from './setting.mjs';
import { until } from './workbench.mjs';

const CONTRAST = { 'workbench.colorTheme': 'Default High Contrast' };
const labels = rows => rows.evaluateAll(found => found.map(one => one.getAttribute('aria-label')));
const inWords = label => assert.doesNotMatch(label, /\$\(|undefined|null|\bsymbol-|^\s*$/, label);

realTest('aria', 'lists, trees, buttons and the status are told in words', () => ({ folder: demo('aria'), settings: CONTRAST }), async bench => {
  await bench.page.setViewportSize({ width: 900, height: 600 });
  await bench.indexed();
  await bench.meaning();
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
  const rows = await labels(bench.rows());
  rows.forEach(inWords);
  assert.match(rows[0], /^ОтправитьПисьмо,? .*Common module РассылкиСервер · procedure.*line 163.*words of the name \+ meaning$/);
  await bench.screenshot('aria-palette-contrast');
  const buttons = await labels(bench.quick.locator('.quick-input-titlebar .action-label, .monaco-list-row.focused .action-label'));
  assert.deepEqual(buttons, ['Search Mode', 'Where to Search', 'Pin Results', 'Open to the Side', 'Copy Name']);
  await bench.press('Escape');

  // the kind of metadata is no code word either
  await find(bench, 'реквизит дата регистрации контрагента');
  await bench.rows('ДатаРегистрации').first().waitFor();
  assert.ok((await labels(bench.rows())).some(label => /^ДатаРегистрации,? Catalog Контрагенты · attribute/.test(label)));
  // what the buttons of the title do has keys: Tab does not get to them
  await bench.press('Control+Alt+W');
  await bench.rows('metadata only').click();
  await bench.titled(/metadata only/);
  await bench.rows('ДатаРегистрации').first().waitFor();
  await bench.press('Tab');
  await bench.press('Tab');
  assert.equal(await bench.page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Open to the Side');
  await bench.press('Control+Alt+P');
  await bench.tree('ДатаРегистрации').first().waitFor();
  const shown = () => labels(bench.page.locator('.pane-body .monaco-list-row'));
  // what is below a row is asked for after the row is shown
  await until(async () => (await shown()).some(label => /^line \d+: /.test(label)), 'the rows of code in the tree');
  const tree = await shown();
  tree.forEach(inWords);
  assert.ok(tree.some(label => /^ДатаРегистрации, Catalog Контрагенты · attribute, line \d+/.test(label)), tree.join('\n'));
  await bench.screenshot('aria-tree-contrast');
  const status = await bench.statusBar().locator('a').first().getAttribute('aria-label');
  assert.match(status, /BSL Scout: 51 modules/);
  inWords(status);
});
