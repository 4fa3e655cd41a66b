// What one does every day: modes, history, similar procedures, grouped results.
import assert from 'node:assert/strict';
import path from 'node:path';
import { LIGHT, realTest } from './cases.mjs';
import { demo, lineOf } from './setting.mjs';

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
