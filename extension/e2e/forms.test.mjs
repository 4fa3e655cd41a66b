// Forms in a real VS Code: cards, definitions, references and lenses of bindings, and the context for a chat.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DARK, libraryTest, LIGHT, realTest } from './cases.mjs';
import { demo, demoEdt, library, ordinarySources, placeOf } from './setting.mjs';

const COPY = 'BSL Scout: Copy Form Context for Chat';
const COPY_STRUCTURE = 'BSL Scout: Copy Form Structure Only';
const COPY_SEVERAL = 'BSL Scout: Copy Context of Several Forms for Chat';
const ORDER = 'src/Documents/ЗаказПокупателя/Forms/ФормаДокумента';
const ORDER_ID = 'Документ.ЗаказПокупателя.Форма.ФормаДокумента';

realTest('forms-edt', 'an EDT form: from an element to its handler and back', () => ({ folder: demoEdt('forms-edt'), settings: LIGHT, russian: true }), async (bench, server) => {
  await bench.indexed();
  const form = path.join(server.folder, ORDER, 'Form.form');
  const module = path.join(server.folder, ORDER, 'Module.bsl');
  await bench.open(`${ORDER}/Form.form`);
  await bench.goTo(...placeOf(form, '<segments>Объект.Контрагент</segments>', 'Контрагент'));
  const card = await bench.card();
  assert.match(card, /Контрагент: InputField/);
  assert.match(card, /Связан с: Объект\.Контрагент/);
  assert.match(card, /ПриИзменении \(OnChange\) → КонтрагентПриИзменении/);
  await bench.screenshot('forms-edt-hover-ru');
  await bench.press('Escape');
  await bench.goTo(...placeOf(form, '<name>КонтрагентПриИзменении<', 'Контрагент'));
  await bench.press('F12');
  await bench.editor(`${ORDER}/Module.bsl`);
  await bench.atLine(placeOf(module, 'Процедура КонтрагентПриИзменении(')[0]);
  await bench.lens('ПриИзменении · Контрагент');
  await bench.screenshot('forms-edt-lens-ru');
  await bench.goTo(...placeOf(module, 'Процедура КонтрагентПриИзменении(', 'Контрагент'));
  await bench.press('Shift+F12');
  await bench.editor(`${ORDER}/Form.form`);
  await bench.command('Go to Symbol in Editor...');
  await bench.rows('Товары').first().waitFor();
  await bench.screenshot('forms-edt-outline-ru');
  await bench.press('Escape');
});
