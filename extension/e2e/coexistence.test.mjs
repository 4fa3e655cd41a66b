// Beside other extensions for 1C: nothing is doubled, and nothing stops to work.
import assert from 'node:assert/strict';
import path from 'node:path';
import { LIGHT, realTest } from './cases.mjs';
import { demo, placeOf, stub } from './setting.mjs';

const RATES = 'CommonModules/КурсыВалютСервер/Ext/Module.bsl';
const FORM = 'Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form.xml';

const beside = () => ({ folder: demo('beside'), settings: LIGHT, also: [stub('language-1c-bsl'), stub('form-editor')] });

realTest('beside', 'beside language-1c-bsl and an editor of forms', beside, async (bench, server) => {
  await bench.indexed();
  const module = path.join(server.folder, RATES);
  await bench.open(RATES);
  await bench.goTo(...placeOf(module, 'Исходный = КурсНаДату(', 'КурсНаДату'));
  const card = await bench.card();
  assert.match(card, /stand-in: КурсНаДату/);
  assert.doesNotMatch(card, /Функция КурсНаДату/);
  await bench.press('Escape');
  // what it does not know is told
  await bench.goTo(...placeOf(module, 'РегистрыСведений.КурсыВалют.ПолучитьПоследнее', 'КурсыВалют'));
  assert.match(await bench.card(), /РегистрСведений\.КурсыВалют/);
  await bench.press('Escape');

  // one place, so that it is gone to at once and not chosen from a list
  await bench.goTo(...placeOf(module, 'Исходный = КурсНаДату(', 'КурсНаДату'));
  await bench.press('F12');
  await bench.screenshot('beside-definition');
  await bench.atLine(placeOf(module, 'Функция КурсНаДату(')[0]);
  assert.equal(await bench.page.locator('.peekview-widget').count(), 0);
  await bench.press('Shift+F12');
  await bench.page.locator('.reference-zone-widget .monaco-list-row').first().waitFor();
  await bench.screenshot('beside-references');
  const places = await bench.page.locator('.reference-zone-widget .monaco-list-row').allInnerTexts();
  assert.deepEqual(places, [...new Set(places)]);
  assert.equal(places.filter(one => one.includes('КурсНаДату(ВВалюту')).length, 1);
  await bench.press('Escape');
  // the outline has each procedure once
  await bench.press('Control+Shift+O');
  await bench.rows('КурсНаДату').first().waitFor();
  assert.equal(await bench.rows('КурсНаДату').count(), 1);
  await bench.screenshot('beside-outline');
  await bench.press('Escape');
  await bench.closed();

  await bench.symbol('КурсНаДату');
  await bench.screenshot('beside-symbols');
  assert.equal(await bench.rows('КурсНаДату').count(), 1);
  await bench.press('Escape');
  await bench.symbol('Контрагенты');
  await bench.press('Escape');
  await bench.closed();

  // the form stands in an editor of another extension, and is copied all the same
  await bench.open(FORM, { text: false });
  await bench.forget();
  await bench.command('BSL Scout: Copy Form Context for Chat');
  await bench.copiedFrom('# FORM Document/ЗаказПокупателя/DocumentForm/ФормаДокумента\n');
  await bench.screenshot('beside-form-editor');

  // the setting has the last word
  server.set('bslScout.symbols', 'on');
  await bench.symbol('КурсНаДату', 2);
});
