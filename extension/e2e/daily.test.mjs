// What one does every day: modes, history, similar procedures, grouped results.
import assert from 'node:assert/strict';
import path from 'node:path';
import { editorTest, LIGHT, realTest } from './cases.mjs';
import { pause } from './code-server.mjs';
import { demo, lineOf } from './setting.mjs';
import { until } from './workbench.mjs';

const RATES = 'CommonModules/КурсыВалютСервер/Ext/Module.bsl';

realTest('palette', 'mode, reasons, history, similar procedures', () => ({ folder: demo('palette'), settings: LIGHT, russian: true }), async (bench, server) => {
  await bench.indexed();
  await bench.meaning();
  await bench.command('BSL Scout: Найти логику');
  await bench.type('как пересчитать курс валюты');
  await bench.rows('Пересчитать').first().waitFor();
  await bench.titled(/Найти логику · слова и смысл \(вопрос «как» или «почему»\)/);
  await bench.rows(/слова: .*смысл/).first().waitFor();
  await bench.screenshot('palette-reasons-ru');

  // the other keyboard layout is read as it was meant; what is read on a form leads to it
  await bench.input.fill('gthtcxbnfnm rehc');
  await bench.titled(/прочитано как «пересчитать курс»/);
  await bench.rows('Пересчитать').first().waitFor();
  await bench.screenshot('palette-layout-ru');
  await bench.input.fill('Превышен лимит задолженности клиента');
  await bench.rows(/надпись на форме/).first().waitFor();
  await bench.screenshot('palette-caption-ru');
  await bench.input.fill('как пересчитать курс валюты');
  await bench.rows(/слова: .*смысл/).first().waitFor();

  // the key opens the choice, and the chosen mode stays
  await bench.press('Control+Alt+M');
  await bench.rows('автоматически').waitFor();
  await bench.screenshot('palette-modes-ru');
  await bench.press('ArrowDown');
  await bench.press('ArrowDown');
  await bench.press('Enter');
  await bench.titled(/Найти логику · слова$/);
  await bench.rows('Пересчитать').first().waitFor();
  await bench.press('Enter');
  await bench.closed();

  await bench.command('BSL Scout: Найти логику');
  await bench.titled(/Найти логику · слова$/);
  await bench.rows('как пересчитать курс валюты').waitFor();
  await bench.screenshot('palette-history-ru');
  await bench.press('ArrowDown');
  await bench.press('Enter');
  await bench.rows('Пересчитать').first().waitFor();
  await bench.quickButton('Закрепить результаты');
  await bench.tree('Пересчитать').first().waitFor();
  await bench.command('BSL Scout: Сгруппировать результаты по объектам');
  await bench.tree(/^КурсыВалютСервер/).first().waitFor();
  await bench.screenshot('palette-grouped-ru');

  await bench.open(RATES);
  await bench.goTo(lineOf(path.join(server.folder, RATES), 'КурсНаДату'));
  await bench.command('BSL Scout: Найти процедуры, похожие на эту');
  await bench.titled(/Похожее на КурсНаДату/);
  await bench.rows('смысл').first().waitFor();
  await bench.screenshot('similar-ru');
  assert.ok(!(await bench.names()).includes('КурсНаДату'));
  await bench.press('Escape');
  await bench.closed();
  await bench.focused();

  // copied for the chat, and who calls it
  await bench.forget();
  await bench.command('BSL Scout: Скопировать процедуру для чата');
  const text = await bench.copiedFrom('# PROCEDURE ОбщийМодуль.КурсыВалютСервер · модуль · КурсНаДату');
  assert.match(text, /## CALLED BY\n- ОбщийМодуль.КурсыВалютСервер · модуль: Пересчитать \(lines 36, 37\)/);
  assert.ok(!text.includes(server.folder));
  await bench.notification(/Скопирована КурсНаДату/);
  await bench.screenshot('procedure-ru');
  await bench.command('BSL Scout: Показать, кто вызывает эту процедуру');
  await bench.calls('Пересчитать').first().waitFor();
  await bench.screenshot('callers-ru');
});

editorTest('back', 'Escape leads back to whatever the list was opened from', () => ({ folder: demo('back'), settings: LIGHT }), async bench => {
  const opened = 'Control+Alt+Shift+F';
  // moves through a list until a hit is previewed
  const move = async before => {
    await bench.type('отправить письмо');
    await bench.rows('ОтправитьПисьмо').first().waitFor();
    await bench.press('ArrowDown');
    await until(async () => (await bench.tabs()).length > before.length, 'a preview');
  };
  await bench.indexed();
  await bench.open(RATES);
  await bench.goTo(30);
  const file = await bench.tabs();
  // the next list, before the one that was closed has put everything back
  for (const [moved, closed] of [[80, 30], [80, 80], [140, 60], [200, 60]]) {
    await bench.press(opened);
    await move(file);
    await bench.press('ArrowDown');
    await pause(moved);
    await bench.press('Escape');
    await pause(closed);
    await bench.press(opened);
    await pause(700);
    assert.ok(await bench.held(), `the list opened ${closed} ms after Escape has the focus`);
    await move(file);
    await bench.press('Escape');
    await bench.restored(file);
    await bench.atLine(30);
  }

  // a comparison is the active tab again, and so is a page that cannot be opened anew
  await bench.append('// сверить ', 'Home');
  for (const command of ['File: Compare Active File with Saved', 'Help: Welcome']) {
    const before = (await bench.tabs()).length;
    await bench.command(command);
    await until(async () => (await bench.tabs()).length > before, command);
    const [tabs, active] = [await bench.tabs(), await bench.activeTab()];
    await bench.press(opened);
    await move(tabs);
    await bench.input.fill('');
    await pause(700);
    assert.ok(await bench.held(), `the list opened from ${active} keeps the focus when its query is cleared`);
    await bench.screenshot(`cleared-${command.split(' ').at(-1).toLowerCase()}-light`);
    await bench.press('Escape');
    await bench.restored(tabs);
    assert.equal(await bench.activeTab(), active);
  }
});
