// Metadata in a real VS Code: queries narrowed to an object, cards, definitions from XML sources.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DARK, find, FIND, libraryTest, LIGHT, realTest } from './cases.mjs';
import { demo, library, lineOf, placeOf } from './setting.mjs';

const COMMON = 'CommonModules/ОбщегоНазначения/Ext/Module.bsl';
const SUBSCRIPTION = 'EventSubscriptions/ЗапретИзмененияДокументов.xml';
const HANDLER = 'ПроверитьЗапретИзменения';
const ORDER_FORM = 'Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form/Module.bsl';

realTest('names', 'what a query names and is not here is told, with names like it', () => ({ folder: demo('names'), settings: DARK }), async bench => {
  await bench.indexed();
  await find(bench, 'заказ');
  await bench.rows('ЗаказПокупателя').first().waitFor();
  await bench.input.fill('@Документ.Зказ заполнить цены');
  await bench.rows('There is no object Документ.Зказ').first().waitFor();
  await bench.screenshot('names-unknown-dark');
  await bench.rows('ЗаказПокупателя').last().click();
  await bench.rows('ЗаполнитьЦены').first().waitFor();
  await bench.input.fill('{ОбщийМодуль.НетТакого.Модуль(45)}: Поле объекта не обнаружено');
  await bench.rows('There is no module ОбщийМодуль.НетТакого here').first().waitFor();
  await bench.screenshot('names-module-dark');
  await bench.input.fill('@обмен');
  await bench.rows('ОбменССайтом').first().waitFor();
  await bench.screenshot('names-nested-dark');
});

realTest('narrow', 'a query is narrowed to an object by its name', () => ({ folder: demo('narrow'), settings: DARK }), async bench => {
  await bench.indexed();
  await find(bench, '@заказ');
  await bench.rows('ЗаказПокупателя').first().waitFor();
  await bench.screenshot('narrow-names-dark');
  await bench.rows('ЗаказПокупателя').first().click();
  const narrowed = '@Документ.ЗаказПокупателя ';
  // the value is set by the extension, a round trip after the click
  for (let tries = 100; tries && (await bench.input.inputValue()) !== narrowed; tries--) await delay(100);
  assert.equal(await bench.input.inputValue(), narrowed);
  await bench.rows('ЗаказПокупателя').first().waitFor();
  await bench.input.press('End');
  await bench.type('заполнить цены');
  await bench.rows('ЗаполнитьЦены').first().waitFor();
  assert.equal((await bench.names())[0], 'ЗаполнитьЦены');
  await bench.screenshot('narrow-hits-dark');
  await bench.press('Enter');
  await bench.editor(ORDER_FORM);
});

realTest('subscription', 'from a subscription to its handler and back', () => ({ folder: demo('subscription'), settings: LIGHT }), async (bench, server) => {
  await bench.indexed();
  const source = path.join(server.folder, SUBSCRIPTION);
  const [line, column] = placeOf(source, HANDLER);
  await bench.open(SUBSCRIPTION);
  await bench.goTo(line, column);
  const card = await bench.card();
  assert.match(card, /Процедура ПроверитьЗапретИзменения\(/);
  assert.match(card, /ПодпискаНаСобытие\.ЗапретИзмененияДокументов/);
  await bench.screenshot('subscription-hover-light');
  await bench.press('F12');
  await bench.editor(COMMON);
  await bench.atLine(lineOf(path.join(server.folder, COMMON), HANDLER));
  await bench.goTo(...placeOf(path.join(server.folder, COMMON), `Процедура ${HANDLER}`, HANDLER));
  await bench.press('Shift+F12');
  await bench.editor(SUBSCRIPTION);
  await bench.atLine(line);
});

realTest('outline', 'the outline of an object and the symbols of the workspace', () => ({ folder: demo('outline'), settings: LIGHT }), async bench => {
  await bench.indexed();
  await bench.open('Documents/ЗаказПокупателя.xml');
  await bench.press('Control+Shift+O');
  await bench.rows('ДатаОтгрузки').first().waitFor();
  await bench.screenshot('outline-light');
  await bench.type('Этапы');
  await bench.rows('ЭтапыОплаты').first().waitFor();
  await bench.press('Escape');
  await bench.open('CommonModules/КурсыВалютСервер/Ext/Module.bsl');
  await bench.press('Control+Shift+O');
  await bench.rows('КурсНаДату').first().waitFor();
  await bench.screenshot('outline-module-light');
  await bench.press('Escape');
  await bench.press('Control+T');
  await bench.type('Заказ покупателя');
  await bench.rows('ЗаказПокупателя').first().waitFor();
  await bench.screenshot('workspace-symbols-light');
});

libraryTest('cards', 'cards of metadata in the code of the Standard Subsystems Library', () => ({ folder: library(), settings: DARK }), async bench => {
  await bench.status(/BSL Scout: 2,\d+ modules/);
  for (const name of ['СправочникСсылка.Пользователи', 'Справочники.Пользователи']) {
    const file = fileWith(name);
    await bench.open(file);
    await bench.goTo(...placeOf(path.join(library(), file), name, 'Пользователи'));
    const card = await bench.card();
    assert.match(card, /Справочник\.Пользователи/, name);
    assert.match(card, /Подразделение/, name);
    await bench.screenshot(`card-${name.split('.')[0]}-dark`);
    await bench.press('Escape');
  }
  await bench.command(FIND);
  await bench.type('реквизит идентификатор пользователя ИБ справочник Пользователи');
  const row = bench.rows('Catalog Пользователи · attribute').first();
  await row.waitFor();
  await bench.screenshot('library-attribute-dark');
  await row.click();
  await bench.editor('Catalogs/Пользователи.xml');
  const attribute = fs.readFileSync(path.join(library(), 'Catalogs/Пользователи.xml'), 'utf8').split('\n');
  const name = attribute.findIndex(text => text.includes('<Name>ИдентификаторПользователяИБ</Name>')) + 1;
  await bench.atLine(name - 2);
});

// the first module of the library whose code has the text
function fileWith(text) {
  for (const folder of fs.readdirSync(path.join(library(), 'CommonModules'))) {
    const file = path.join('CommonModules', folder, 'Ext/Module.bsl');
    const full = path.join(library(), file);
    if (fs.existsSync(full) && fs.readFileSync(full, 'utf8').split(/\r?\n/).some(line => line.includes(text) && !line.includes('//'))) {
      return file;
    }
  }
  throw new Error(`no module has ${text}`);
}
