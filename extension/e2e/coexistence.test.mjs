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
