// Find Logic in a real VS Code on the demo configuration.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DARK, editorTest, FIND, find, libraryTest, LIGHT, realTest } from './cases.mjs';
import { pause } from './code-server.mjs';
import { artifacts, demo, emptyFolder, library, lineOf, ownQuestion, python, question } from './setting.mjs';
import { Workbench } from './workbench.mjs';

const MAILING = 'CommonModules/РассылкиСервер/Ext/Module.bsl';
const COMMON = 'CommonModules/ОбщегоНазначения/Ext/Module.bsl';
const RATES = 'CommonModules/КурсыВалютСервер/Ext/Module.bsl';
const PARTNERS = 'Catalogs/Контрагенты.xml';

editorTest('find', 'from words to the procedure', () => ({ folder: demo('find'), settings: DARK }), async (bench, server) => {
  await bench.indexed();
  const history = await bench.statusHistory();
  assert.ok(history.some(text => /starting|indexing/i.test(text)), `progress is visible: ${history.join(' | ')}`);

  // Enter lands on the line
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
  assert.equal((await bench.names())[0], 'ОтправитьПисьмо');
  // the row tells the line that Enter opens
  const line = lineOf(path.join(server.folder, MAILING), 'ОтправитьПисьмо');
  assert.match(await bench.rows('ОтправитьПисьмо').first().innerText(), new RegExp(`· line ${line}\\b`));
  await bench.screenshot('find-logic-dark');
  await bench.press('Enter');
  await bench.closed();
  await bench.editor(MAILING);
  await bench.atLine(line);
  await bench.shows('Процедура ОтправитьПисьмо');
  await bench.screenshot('landed-dark');

  // the next list keeps the focus, however soon it is opened
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьОдно').first().click();
  await bench.press('Control+Alt+Shift+F');
  await bench.rows('отправить письмо').waitFor();
  await pause(1_000);
  assert.ok(await bench.held());
  await bench.press('Escape');
  await bench.closed();

  // the keybinding opens the list, Escape puts the editor back
  await bench.open(COMMON);
  await bench.goTo(40);
  const tabs = await bench.tabs();
  await bench.press('Control+Alt+Shift+F');
  await bench.type('отправить письмо');
  await bench.rows('ОтправитьОдно').first().waitFor();
  for (let step = 0; step < 3; step++) {
    await bench.press('ArrowDown');
    await pause(250);
  }
  await bench.press('Escape');
  await bench.restored(tabs);
  await bench.atLine(40);
  await bench.shows('ИмяРеквизита');

  // nothing found: what was previewed goes, the list keeps the focus
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьОдно').first().waitFor();
  await bench.press('ArrowDown');
  await bench.shows('Процедура Отправить');
  await bench.input.fill('ъыьющ');
  await bench.rows('Nothing found').waitFor();
  await bench.atLine(40);
  await bench.shows('ИмяРеквизита');
  assert.ok(await bench.held());
  await bench.press('Escape');
  await bench.restored(tabs);
});

editorTest('list', 'filter, pin, buttons of a row, selection', () => ({ folder: demo('list'), settings: LIGHT }), async (bench, server) => {
  await bench.indexed();
  await find(bench, 'пересчитать курс валюты');
  await bench.rows('Пересчитать').first().waitFor();
  await bench.screenshot('find-logic-light');
  await bench.quickButton('Where to Search');
  await bench.rows('code only').click();
  await bench.rows('Пересчитать').first().waitFor();
  assert.match(await bench.quickTitle(), /Find Logic · code only/);

  const [first] = await bench.names();
  await bench.rowButton(first, 'Copy Name');
  await bench.copied(first);

  await bench.quickButton('Pin Results');
  await bench.closed();
  await bench.tree('Пересчитать').first().waitFor();
  await bench.screenshot('pinned-light');
  await bench.tree('КурсНаДату').first().click();
  await bench.editor(RATES);
  await bench.atLine(lineOf(path.join(server.folder, RATES), 'КурсНаДату'));
  await bench.command('BSL Scout: Clear Pinned Results');
  await bench.tree('КурсНаДату').first().waitFor({ state: 'hidden' });

  await bench.open(MAILING);
  await bench.goTo(lineOf(path.join(server.folder, MAILING), 'ОтправитьПисьмо'));
  await bench.press('Control+Shift+End');
  await bench.press('Control+Shift+Home');
  await bench.command('BSL Scout: Find Logic for Selection');
  await bench.rows('Отправить').first().waitFor();
  // where to search was chosen for the list before
  assert.doesNotMatch(await bench.quickTitle(), /code only/);
  await bench.rowButton('Отправить', 'Open to the Side');
  await bench.closed();
  await bench.page.locator('.editor-group-container').nth(1).waitFor();
});

editorTest('save', 'a saved procedure is found by its new words', () => ({ folder: demo('save'), settings: LIGHT }), async bench => {
  await bench.indexed();
  await bench.open(COMMON);
  await bench.append('\nПроцедура СверитьПоказанияСчетчиков()\n\tСообщить("водомер");\nКонецПроцедуры\n');
  await bench.save();
  await find(bench, 'показания счетчиков');
  await bench.rows('СверитьПоказанияСчетчиков').first().waitFor({ timeout: 5_000 });
  assert.equal((await bench.names())[0], 'СверитьПоказанияСчетчиков');
});

editorTest('unsaved', 'what is typed and not saved is found where it stands', () => ({ folder: demo('unsaved'), settings: DARK }), async (bench, server) => {
  await bench.indexed();
  const file = path.join(server.folder, COMMON);
  const before = fs.readFileSync(file, 'utf8');
  const existing = lineOf(file, 'ЗначениеРеквизитаОбъекта');
  await bench.open(COMMON);
  const typed = ['// Сверяет водомер с показаниями за прошлый месяц.', 'Процедура СверитьПоказанияСчетчиков() Экспорт', 'КонецПроцедуры', '', ''];
  await bench.append(typed.join('\n'), 'Control+Home');
  await pause(1_500); // the server waits for a pause
  await find(bench, 'показания счетчиков');
  await bench.rows('СверитьПоказанияСчетчиков').first().waitFor({ timeout: 5_000 });
  assert.equal((await bench.names())[0], 'СверитьПоказанияСчетчиков');
  await bench.screenshot('unsaved-dark');
  await bench.press('Enter');
  await bench.closed();
  await bench.atLine(2);

  // what stands below has moved
  await find(bench, 'ЗначениеРеквизитаОбъекта');
  await bench.rows('ЗначениеРеквизитаОбъекта').first().waitFor();
  await bench.press('Enter');
  await bench.closed();
  await bench.atLine(existing + typed.length - 1);
  await bench.shows('Функция ЗначениеРеквизитаОбъекта');
  await bench.screenshot('unsaved-moved-dark');
  assert.equal(fs.readFileSync(file, 'utf8'), before);
  await bench.save();
  await find(bench, 'показания счетчиков');
  await bench.rows('СверитьПоказанияСчетчиков').first().waitFor();
  assert.equal((await bench.names()).filter(name => name === 'СверитьПоказанияСчетчиков').length, 1);
});

realTest('place', 'a line of a 1C error leads to its place', () => ({ folder: demo('place'), settings: LIGHT }), async bench => {
  await bench.indexed();
  await bench.command(FIND);
  await bench.input.fill('{ОбщийМодуль.РассылкиСервер.Модуль(146)}: Ошибка при вызове метода контекста');
  await bench.rows('РассылкиСервер').first().waitFor();
  await bench.screenshot('place-light');
  await bench.press('Enter');
  await bench.editor(MAILING);
  await bench.atLine(146);
});

realTest('metadata', 'an attribute leads to its line in the file of its object', () => ({ folder: demo('metadata'), settings: DARK }), async (bench, server) => {
  await bench.indexed();
  await find(bench, 'реквизит дата регистрации контрагента');
  const row = bench.rows('Catalog Контрагенты · attribute').filter({ hasText: /^ДатаРегистрации/ });
  await row.waitFor();
  await bench.screenshot('metadata-dark');
  await row.click();
  await bench.closed();
  await bench.editor(PARTNERS);
  const lines = fs.readFileSync(path.join(server.folder, PARTNERS), 'utf8').split('\n');
  const name = lines.findIndex(line => line.includes('<Name>ДатаРегистрации</Name>')) + 1;
  await bench.atLine(name - 2); // where the element <Attribute> begins
});

editorTest('crash', 'a server that dies comes back, one that keeps dying is left alone', () => ({ folder: demo('crash'), settings: LIGHT }), async (bench, server) => {
  await bench.indexed();
  for (let times = 0; times < 4; times++) {
    const before = await alive(server);
    process.kill(before, 'SIGKILL');
    if (times === 0) {
      await bench.notification(/stopped unexpectedly/);
      await bench.screenshot('crash-light');
    }
    if (times < 3) {
      await alive(server, before);
      await bench.indexed();
    }
  }
  await bench.notification(/keeps stopping/);
  await bench.status(/the server is stopped/);
  await find(bench, 'отправить письмо');
  await bench.rows('The search does not work now').waitFor();
  await bench.screenshot('stopped-light');
  await bench.rows('Restart Server').click();
  await bench.indexed();
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
});

editorTest('nopython', 'without Python it says what to do, and works once that is done', () => ({ folder: demo('nopython'), python: '/no/such/python', settings: LIGHT }), async (bench, server) => {
  const message = await bench.notification(/bslScout.pythonPath/);
  assert.match(await message.innerText(), /\/no\/such\/python \(not found\)/);
  await bench.status(/Python was not found/);
  await bench.screenshot('nopython-light');
  await find(bench, 'отправить письмо');
  await bench.rows('The search does not work now').waitFor();
  await bench.press('Escape');
  await bench.closed();
  server.set('bslScout.pythonPath', python);
  await bench.indexed();
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
});

editorTest('nosources', 'a folder without 1C sources', () => ({ folder: emptyFolder('nosources'), settings: DARK }), async bench => {
  await bench.command(FIND);
  await bench.input.waitFor();
  await bench.status(/no 1C sources/);
  await bench.type('письмо');
  await bench.rows('No 1C sources here').waitFor();
  assert.match(await bench.rows('No 1C sources here').innerText(), /Looked for: Configuration\.xml.*\*\.os/);
  await bench.rows('Open Folder…').waitFor();
  await bench.screenshot('nosources-dark');
  await bench.rows('Getting Started').click();
  await bench.page.locator('.getting-started-step', { hasText: 'Find logic' }).first().waitFor();
  await bench.screenshot('walkthrough-dark');
  assert.equal(await bench.page.locator('.getting-started-step .codicon-getting-started-step-checked:visible').count(), 0);
});

realTest('damaged', 'a damaged index is made anew', () => ({ folder: demo('damaged'), settings: LIGHT }), async (bench, server) => {
  await bench.indexed();
  const [catalog] = server.stored('catalog.sqlite');
  const old = await alive(server);
  process.kill(old, 'SIGKILL');
  fs.writeFileSync(catalog, 'this is no database'.repeat(1000));
  await alive(server, old);
  await bench.indexed();
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
});

realTest('windows', 'a second window follows the index of the first', () => ({ folder: demo('windows'), settings: LIGHT }), async (bench, server) => {
  await bench.indexed();
  const second = await Workbench.open(server, { artifacts });
  try {
    await second.indexed();
    await bench.open(COMMON);
    await bench.append('\nПроцедура ПогаситьПодарочныйСертификат()\nКонецПроцедуры\n');
    await bench.save();
    await find(second, 'подарочный сертификат');
    await second.rows('ПогаситьПодарочныйСертификат').first().waitFor({ timeout: 10_000 });
    await second.screenshot('second-window-light');
  } finally {
    await second.close();
  }
});

editorTest('russian', 'a Russian editor has Russian texts', () => ({ folder: demo('russian'), settings: LIGHT, russian: true }), async bench => {
  await bench.indexed();
  await bench.command('BSL Scout: Найти логику');
  await bench.page.locator('.quick-input-box input[placeholder^="Что делает код?"]').waitFor();
  await bench.type('пересчитать курс валюты');
  await bench.rows('Пересчитать').first().waitFor();
  await bench.screenshot('find-logic-ru');
  await bench.quickButton('Закрепить результаты');
  await bench.tree('Пересчитать').first().waitFor();
  await bench.screenshot('pinned-ru');
});

libraryTest('library', 'the Standard Subsystems Library', () => ({ folder: library(), settings: DARK }), async bench => {
  await bench.status(/indexing objects: [\d,]+ of [\d,]+/);
  await bench.screenshot('library-objects-dark');
  await bench.status(/indexing modules: [\d,]+ of 2,\d+/);
  // one indicator: no progress beside it
  assert.ok((await bench.statusHistory()).every(text => text.startsWith('BSL Scout') || !/indexing/.test(text)));
  await pause(3_000);
  await bench.command(FIND);
  await bench.type('отправить письмо');
  await bench.rows().first().waitFor();
  await bench.screenshot('library-indexing-dark');
  await bench.press('Escape');
  await bench.closed();
  await bench.command('BSL Scout: Stop Indexing');
  await bench.status(/indexing is stopped/);
  await find(bench, 'отправить письмо');
  await bench.rows(/отправ/i).first().waitFor();
  await bench.screenshot('library-stopped-dark');
  await bench.press('Escape');
  await bench.closed();
  await bench.command('BSL Scout: Restart Server');
  await bench.status(/BSL Scout: 2,\d+ modules/);
  for (const id of ['A010', 'A015', 'A048']) {
    await landOnAnswer(bench, question(id));
    await bench.screenshot(`library-${id}-dark`);
  }
  // an English question, and one in slang, on Russian code
  for (const [set, id] of [['crosslingual', 'X002'], ['everyday', 'EV029']]) {
    await landOnAnswer(bench, ownQuestion(set, id));
    await bench.screenshot(`library-${id}-dark`);
  }
  await find(bench, question('A041').query);
  await bench.rows().nth(2).waitFor();
  await bench.screenshot('library-doubt-dark');
});

// asks as a person does and lands on an answer among the first three rows
async function landOnAnswer(bench, { query, relevant }) {
  await find(bench, query);
  const wanted = relevant.filter(one => one.grade === 2);
  await bench.rows(new RegExp(wanted.map(one => one.symbol).join('|'))).first().waitFor();
  const names = (await bench.names()).slice(0, 3);
  const at = names.findIndex(name => wanted.some(one => one.symbol === name));
  assert.ok(at >= 0, `${query}: ${names.join(', ')}`);
  for (let step = 0; step < at; step++) {
    await bench.press('ArrowDown');
  }
  await bench.press('Enter');
  await bench.closed();
  const { path: file, symbol } = wanted.find(one => one.symbol === names[at]);
  await bench.editor(file);
  await bench.atLine(lineOf(path.join(library(), file), symbol));
}

// the id of the running server, another one than `old`
async function alive(server, old) {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(100)) {
    const [id] = server.processes(/-m bsl_scout lsp /).filter(one => one !== old);
    if (id) {
      return id;
    }
  }
  throw new Error('no server is running');
}
