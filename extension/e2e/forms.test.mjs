// Forms in a real VS Code: cards, definitions, references and lenses of bindings, and the context for a chat.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DARK, libraryTest, LIGHT, realTest } from './cases.mjs';
import { demo, demoEdt, library, ordinaryForms, placeOf } from './setting.mjs';

const COPY = 'BSL Scout: Copy Form Context for Chat';
const COPY_STRUCTURE = 'BSL Scout: Copy Form Structure Only';
const COPY_SEVERAL = 'BSL Scout: Copy Context of Several Forms for Chat';
const OPEN = 'BSL Scout: Open Form Context as Document';
const ORDER = 'Documents/ЗаказПокупателя/Forms/ФормаДокумента';
const ORDER_HEAD = '# FORM Document/ЗаказПокупателя/DocumentForm/ФормаДокумента\n## SUMMARY\n';

realTest('forms-edt', 'an EDT form: from an element to its handler and back, in Russian', () => ({ folder: demoEdt('forms-edt'), settings: LIGHT, russian: true }), async (bench, server) => {
  await bench.indexed();
  const form = path.join(server.folder, 'src', ORDER, 'Form.form');
  const module = path.join(server.folder, 'src', ORDER, 'Module.bsl');
  await bench.open(`src/${ORDER}/Form.form`);
  await bench.goTo(...placeOf(form, '<segments>Объект.Контрагент</segments>', 'Контрагент'));
  const card = await bench.card();
  assert.match(card, /Контрагент: ПолеВвода/);
  assert.match(card, /Связан с: Объект\.Контрагент \(путь написан в исходнике\)/);
  assert.match(card, /ПриИзменении \(OnChange\) → КонтрагентПриИзменении/);
  assert.match(card, /Тип: СправочникСсылка\.Контрагенты/);
  await bench.screenshot('forms-edt-hover-ru');
  await bench.page.locator('.monaco-hover a', { hasText: /^КонтрагентПриИзменении:\d+$/ }).click();
  await bench.editor(`src/${ORDER}/Module.bsl`);
  await bench.atLine(placeOf(module, 'Процедура КонтрагентПриИзменении(')[0]);
  await bench.press('Control+Alt+Minus'); // back
  await bench.editor(`src/${ORDER}/Form.form`);
  await bench.goTo(...placeOf(form, '<name>КонтрагентПриИзменении<', 'Контрагент'));
  await bench.press('F12');
  await bench.editor(`src/${ORDER}/Module.bsl`);
  const [line, column] = placeOf(module, 'Процедура КонтрагентПриИзменении(', 'Контрагент');
  await bench.atLine(line);
  await bench.lens('ПриИзменении · Контрагент');
  await bench.screenshot('forms-edt-lens-ru');
  await bench.goTo(line, column);
  await bench.press('Shift+F12');
  await bench.editor(`src/${ORDER}/Form.form`);
  await bench.press('Control+Shift+O');
  await bench.rows('ГруппаШапка').first().waitFor();
  await bench.screenshot('forms-edt-outline-ru');
  await bench.type('ТоварыЦена');
  await bench.rows('ТоварыЦена').first().waitFor();
  await bench.press('Escape');
  await bench.closed();
  await bench.command('BSL Scout: Скопировать контекст формы для чата');
  const copied = await bench.copiedFrom(ORDER_HEAD);
  assert.ok(copied.endsWith(`\n## BSL\n${text(module)}`));
  assert.ok(!copied.includes(server.folder));
  await bench.notification(/Скопировано: символов [\d\s\u00a0]+, токенов около/);
  await bench.screenshot('forms-edt-copied-ru');
});

realTest('forms-pick', 'forms are chosen from a list, one or several with a question', () => ({ folder: demo('forms-pick'), settings: DARK }), async (bench, server) => {
  await bench.indexed();
  await bench.command(COPY_STRUCTURE);
  await bench.rows('Документ.ЗаказПокупателя.Форма.ФормаДокумента').first().waitFor();
  await bench.screenshot('forms-pick-dark');
  // by the synonym, not the name
  await bench.type('Заказ покупателя');
  await bench.rows('Документ.ЗаказПокупателя.Форма.ФормаДокумента').first().click();
  const structure = await bench.copiedFrom(ORDER_HEAD);
  const summary = JSON.parse(structure.slice(ORDER_HEAD.length));
  assert.deepEqual(Object.keys(summary), ['elements', 'attributes', 'commands', 'events', 'relations', 'warnings']);
  assert.equal(summary.elements.find(one => one.name === 'Контрагент').data_path, 'Объект.Контрагент');
  const note = await bench.notification(/Copied: [\d,]+ characters, about [\d,]+ tokens/);
  await bench.screenshot('forms-copied-dark');
  await note.getByText('Show').click();
  await bench.shows('# FORM Document/ЗаказПокупателя');
  await bench.forget();
  server.set('bslScout.forms.maxChars', 25_000);
  await bench.command(COPY_SEVERAL);
  for (const id of ['Документ.ЗаказПокупателя.Форма.ФормаДокумента', 'Обработка.УстановкаЦен.Форма.Форма']) {
    await bench.input.fill(id);
    await bench.rows(id).first().locator('.monaco-checkbox, .quick-input-list-checkbox').first().click();
  }
  await bench.screenshot('forms-several-dark');
  await bench.press('Enter');
  await bench.page.locator('.quick-input-message', { hasText: 'What are the forms wanted for?' }).waitFor();
  await bench.type('зарезервировать товар');
  await bench.screenshot('forms-question-dark');
  await bench.press('Enter');
  await bench.page.locator('.quick-input-message', { hasText: 'How many characters may the text have?' }).waitFor();
  assert.equal(await bench.input.inputValue(), '25000');
  await bench.screenshot('forms-limit-dark');
  await bench.input.fill('26000');
  await bench.press('Enter');
  const several = await bench.copiedFrom('# FORM ');
  assert.ok(several.length <= 26_000);
  assert.equal(several.match(/^# FORM /gm).length, 2);
  assert.match(several, /Процедура ЗарезервироватьТовары\(/);
  assert.match(several, /… \d+ of \d+ procedures left out/);
  await bench.notification(/\d+ procedures left out/);
  await bench.forget();
  server.set('bslScout.forms.maxChars', -1);
  await bench.open(`${ORDER}/Ext/Form/Module.bsl`);
  await bench.command(COPY_SEVERAL);
  await bench.rows('Документ.ЗаказПокупателя.Форма.ФормаДокумента').first().waitFor();
  await bench.screenshot('forms-preselected-dark');
  await bench.press('Enter');
  await bench.page.locator('.quick-input-message', { hasText: 'What are the forms wanted for?' }).waitFor();
  await bench.press('Enter');
  await bench.page.locator('.quick-input-message', { hasText: 'How many characters may the text have?' }).waitFor();
  assert.equal(await bench.input.inputValue(), '26000');
  await bench.press('Enter');
  assert.ok((await bench.copiedFrom(ORDER_HEAD)).length <= 26_000);
  await bench.forget();
  await bench.command(OPEN);
  await bench.shows('# FORM Document/ЗаказПокупателя');
  await bench.open(`${ORDER}/Ext/Form/Module.bsl`);
  await bench.command(COPY);
  assert.ok((await bench.copiedFrom(ORDER_HEAD)).endsWith(text(path.join(server.folder, ORDER, 'Ext/Form/Module.bsl'))));
});

libraryTest('forms-library', 'a form of the Standard Subsystems Library', () => ({ folder: library(), settings: LIGHT }), async bench => {
  await bench.status(/BSL Scout: 2,\d+ modules/);
  const folder = 'Catalogs/РассылкиОтчетов/Forms/ФормаЭлемента/Ext';
  const form = path.join(library(), folder, 'Form.xml');
  const module = path.join(library(), folder, 'Form/Module.bsl');
  await bench.open(`${folder}/Form.xml`);
  await bench.goTo(...placeOf(form, '<DataPath>Объект.Подготовлена</DataPath>', 'Подготовлена'));
  const card = await bench.card();
  assert.match(card, /Подготовлена: ПолеФлажка/);
  assert.match(card, /Справочник\.РассылкиОтчетов\.Реквизит\.Подготовлена/);
  await bench.screenshot('forms-library-hover-light');
  await bench.press('Escape');
  await bench.press('F12');
  await bench.editor('Catalogs/РассылкиОтчетов.xml');
  await bench.open(`${folder}/Form.xml`);
  const [event, column] = placeOf(form, '>ПодготовленаПриИзменении<', 'Подготовлена');
  await bench.goTo(event, column);
  await bench.press('F12');
  await bench.editor(`${folder}/Form/Module.bsl`);
  const [line, at] = placeOf(module, 'Процедура ПодготовленаПриИзменении(', 'Подготовлена');
  await bench.atLine(line);
  await bench.lens('OnChange · Подготовлена');
  await bench.goTo(line, at);
  await bench.press('Shift+F12');
  await bench.editor(`${folder}/Form.xml`);
  await bench.atLine(event);
  await bench.open(`${folder}/Form/Module.bsl`);
  await bench.goTo(...placeOf(module, 'Элементы.ДругойСпособДоставки', 'Другой'));
  assert.match(await bench.card(), /ДругойСпособДоставки: /);
  await bench.screenshot('forms-library-items-light');
  await bench.press('Escape');
  await bench.press('F12');
  await bench.editor(`${folder}/Form.xml`);
  await bench.atLine(placeOf(form, 'name="ДругойСпособДоставки"')[0]);
  await bench.command(COPY);
  const copied = await bench.copiedFrom('# FORM Catalog/РассылкиОтчетов/CatalogForm/ФормаЭлемента\n');
  assert.ok(copied.endsWith(`\n## BSL\n${text(module)}`));
  assert.ok(!copied.includes(library()));
});

libraryTest('forms-ordinary', 'ordinary forms, with the module beside Form.bin and inside it', () => ({ folder: ordinaryForms('forms-ordinary'), settings: DARK }), async (bench, server) => {
  await bench.indexed();
  const name = 'bddRunner/bddRunner/Forms/Форма/Ext/Form/Module.bsl';
  const module = path.join(server.folder, name);
  await bench.open(name);
  const [line, column] = placeOf(module, 'Процедура ОсновныеДействияФормыНачатьЗапись(', 'Основные');
  await bench.goTo(line, column);
  assert.match(await bench.card(), /Handles: .*НачатьЗапись/);
  await bench.lens('· НачатьЗапись');
  await bench.screenshot('forms-ordinary-hover-dark');
  await bench.press('Escape');
  await bench.goTo(...placeOf(module, 'ЭлементыФормы.тпДеревоТестов', 'тпДерево'));
  assert.match(await bench.card(), /тпДеревоТестов: /);
  await bench.press('Escape');
  await bench.press('Shift+F12');
  await bench.page.locator('.peekview-widget, .references-zone-widget').first().waitFor();
  await bench.screenshot('forms-ordinary-references-dark');
  await bench.press('Escape');
  await bench.command(COPY);
  assert.ok((await bench.copiedFrom('# FORM ExternalDataProcessor/bddRunner/Form/Форма\n')).endsWith(`\n## BSL\n${text(module)}`));
  await bench.forget();
  // its module lies inside the Form.bin, so nothing of it can be opened: it is chosen from the list
  await bench.press('Control+K');
  await bench.press('Control+W');
  await bench.command(COPY);
  await bench.type('xddTestRunner');
  await bench.rows('Обработка.xddTestRunner.Форма.Форма').first().click();
  const copied = await bench.copiedFrom('# FORM DataProcessor/xddTestRunner/Form/Форма\n');
  assert.match(copied, /"name": "ДеревоТестов"/);
  assert.match(copied, /\n## BSL\n[^]*Процедура КнопкаВыполнитьВсеТестыНажатие\(/);
});

// the text of a module as the server hands it on
function text(file) {
  return fs.readFileSync(file, 'utf8').replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}
