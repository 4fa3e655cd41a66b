import assert from 'node:assert/strict';
import { test } from 'node:test';
import { behindText, copiedName, foundText, hitIcon, hitTexts, listTitle, modulesText, nameTexts, readyText, resultsText, snippetLabel, spansWithin } from '../src/format';
import type { Answer, Hit } from '../src/protocol';
import { en, ru } from './russian';

const HIT: Hit = {
  rank: 1,
  root: '.',
  path: 'Documents/Анкета/Ext/ObjectModule.bsl',
  uri: 'file:///x',
  symbol: 'ПередЗаписью',
  kind: 'procedure',
  line: 12,
  endLine: 20,
  score: 1,
  ranks: { lexical: 1 },
  owner: 'Документ.Анкета',
  module: 'МодульОбъекта',
  words: 'модуль объекта',
  synonym: null,
  snippet: '\tПроцедура ПередЗаписью(Отказ)',
  snippetLine: 12,
  matches: [[11, 23]],
  also: [],
  translated: {},
};

test('the name that is copied is one that can be pasted', () => {
  assert.equal(copiedName(HIT), 'ПередЗаписью');
  assert.equal(copiedName({ ...HIT, symbol: '<header>', kind: 'header' }), 'Документ.Анкета.МодульОбъекта');
  assert.equal(copiedName({ ...HIT, symbol: '<body>', kind: 'body', owner: null }), 'МодульОбъекта');
  assert.equal(copiedName({ ...HIT, symbol: '<body>', kind: 'body', owner: null, module: '' }), HIT.path);
});

const answer = (change: Partial<Answer>): Answer => ({
  query: 'x',
  mode: 'lexical',
  route: { mode: 'lexical', reason: '', confidence: 1, code: 'asked', names: [] },
  legs: ['lexical'],
  convincing: true,
  fresh: { indexed: 51, pending: 0 },
  elapsedMs: 1,
  hits: [],
  ...change,
});

test('a row names the procedure, its object and module, and the line that it opens', () => {
  assert.deepEqual(hitTexts(HIT, 'ru'), {
    label: 'ПередЗаписью',
    description: 'Документ Анкета · модуль объекта · строка 12 · процедура',
    detail: 'Процедура ПередЗаписью(Отказ)',
  });
  assert.equal(hitTexts({ ...HIT, root: 'Расширение' }, 'ru').description, 'Расширение: Документ Анкета · модуль объекта · строка 12 · процедура');
  assert.equal(hitTexts({ ...HIT, snippetLine: 18 }, 'ru').description, hitTexts(HIT, 'ru').description);
  const alone = hitTexts({ ...HIT, path: 'scripts/start.os', owner: null }, 'ru');
  assert.deepEqual([alone.description, alone.detail], ['строка 12 · процедура', 'scripts/start.os  ·  Процедура ПередЗаписью(Отказ)']);
});

test('what is outside procedures is called what it is, once', () => {
  const texts = hitTexts({ ...HIT, symbol: '<header>', kind: 'header' }, 'ru');
  assert.deepEqual([texts.label, texts.description], ['начало модуля', 'Документ Анкета · модуль объекта · строка 12']);
  assert.equal(hitTexts({ ...HIT, symbol: '<body>', kind: 'body' }, 'en').label, 'body of the module');
});

test('why a hit is there stands before the code, whose end may be cut off', () => {
  assert.equal(hitTexts(HIT, 'ru', 'слова имени').detail, 'слова имени  ·  Процедура ПередЗаписью(Отказ)');
  assert.equal(hitTexts({ ...HIT, snippet: '' }, 'ru', 'смысл').detail, 'смысл');
  assert.equal(hitTexts(HIT, 'ru', '$(x) → а').detail, '\\$(x) → а  ·  Процедура ПередЗаписью(Отказ)');
});

test('the place of an error outside procedures is told in words', () => {
  assert.equal(hitTexts({ ...HIT, symbol: '<header>', kind: 'place' }, 'ru').label, 'начало модуля');
  assert.equal(hitTexts({ ...HIT, symbol: '<body>', kind: 'place' }, 'en').label, 'body of the module');
});

test('a long name leaves the place to the second line', () => {
  const texts = hitTexts({ ...HIT, symbol: 'П'.repeat(80) }, 'ru', 'имя');
  assert.equal(texts.description, '');
  assert.equal(texts.detail, 'имя  ·  Документ Анкета · модуль объекта · строка 12 · процедура  ·  Процедура ПередЗаписью(Отказ)');
});

test('a synonym stands beside the place; code never turns into an icon', () => {
  const texts = hitTexts({ ...HIT, synonym: 'Анкета клиента', snippet: 'А = "$(document)";' }, 'ru');
  assert.equal(texts.description, 'Документ Анкета · модуль объекта · строка 12 · процедура  «Анкета клиента»');
  assert.ok(texts.detail.endsWith('А = "\\$(document)";'));
});

test('a metadata hit has its last name as the label, what it belongs to, and its synonym once', () => {
  const hit: Hit = {
    ...HIT,
    path: 'Documents/Заказ.xml',
    symbol: 'Документ.Заказ.ТабличнаяЧасть.Товары.Реквизит.Количество',
    kind: 'attribute',
    owner: 'Документ.Заказ',
    module: '',
    words: 'Документ',
    synonym: 'Количество',
    snippet: 'Количество — Number(15,3)',
    line: 115,
    snippetLine: 117,
  };
  assert.deepEqual(hitTexts(hit, 'ru'), {
    label: 'Количество',
    description: 'Документ Заказ · табличная часть Товары · реквизит · строка 115',
    detail: 'Количество — Number(15,3)',
  });
  assert.deepEqual(['procedure', 'object', 'attribute', 'enum_value', 'predefined', 'restriction', 'standard_attribute', 'template', 'later_kind'].map(hitIcon), [
    'symbol-method', 'symbol-class', 'symbol-field', 'symbol-enum-member', 'symbol-constant', 'shield', 'symbol-property', 'file', 'symbol-field',
  ]);
});

test('numbers of modules and results are written right', () => {
  const russian = [1, 2, 5, 11, 21, 104, 2197].map(count => modulesText(count, ru));
  assert.deepEqual(russian, ['1 модуль', '2 модуля', '5 модулей', '11 модулей', '21 модуль', '104 модуля', '2197 модулей']);
  assert.deepEqual([1, 2, 2197].map(count => modulesText(count, en)), ['1 module', '2 modules', '2,197 modules']);
  assert.equal(resultsText(3, ru), '3 результата');
  assert.equal(modulesText(24_055, ru), '24\u00a0055 модулей');
});

test('an answer says what it lacks', () => {
  assert.equal(behindText(answer({}), ru), '');
  assert.equal(behindText(answer({ fresh: { indexed: 1, pending: 2 } }), ru), 'ещё не в индексе: 2 файла');
});

test('the title shows the filter and the note', () => {
  assert.equal(listTitle('all', '', ru), 'Найти логику');
  assert.equal(listTitle('metadata', 'x', ru), 'Найти логику · только метаданные · x');
});

test('pinned results tell how many they are, and when they do not convince', () => {
  assert.equal(foundText(answer({ hits: [HIT, HIT] }), ru), '2\u00a0результата');
  assert.equal(foundText(answer({ hits: [HIT], convincing: false }), ru), 'ничего убедительного не найдено, ближайшее: 1\u00a0результат');
  assert.equal(foundText(answer({ hits: [HIT], convincing: false }), en), 'nothing convincing was found; the nearest: 1\u00a0result');
  assert.equal(foundText(answer({ convincing: false }), ru), 'ничего не найдено');
});

test('spans of matched words follow the text they lie in', () => {
  assert.deepEqual(snippetLabel(HIT), { label: 'Процедура ПередЗаписью(Отказ)', highlights: [[10, 22]] });
  assert.deepEqual(snippetLabel({ snippet: '\t|\t\tИ Права.Код ', matches: [[6, 11]] }), { label: 'И Права.Код', highlights: [[2, 7]] });
  assert.deepEqual(snippetLabel({ snippet: '\tСумма\t\t=   Цена;', matches: [[1, 6], [12, 16]] }), { label: 'Сумма = Цена;', highlights: [[0, 5], [8, 12]] });
  assert.deepEqual(spansWithin([[0, 4], [3, 9], [20, 25]], 2, 5), [[0, 2], [1, 5]]);
});

test('copies of the same code are counted', () => {
  const copy = { path: 'a/Module.bsl', symbol: 'ПередЗаписью', line: 3 };
  const two = { ...HIT, also: [copy, copy] };
  assert.ok(hitTexts(two, 'ru').description.endsWith('  (таких же ещё 2)'));
  assert.ok(hitTexts(two, 'en').description.endsWith('  (2 more alike)'));
});

test('an object is told by its own name first, then by what it is in', () => {
  const nested = 'Подсистема.СтандартныеПодсистемы.Подсистема.РаботаСФайлами';
  assert.deepEqual(nameTexts(nested, 'Работа с файлами', ru), {
    label: 'РаботаСФайлами',
    description: 'Подсистема СтандартныеПодсистемы · подсистема · Работа с файлами',
  });
  assert.deepEqual(nameTexts('Документ.Заказ', 'Заказ', en), { label: 'Заказ', description: 'Document' });
});

test('the message of the first index counts procedures', () => {
  assert.equal(readyText(38_310, ru), 'BSL Scout готов к поиску: в индексе 38\u00a0310 процедур.');
  assert.equal(readyText(21, ru), 'BSL Scout готов к поиску: в индексе 21 процедура.');
  assert.equal(readyText(3, ru), 'BSL Scout готов к поиску: в индексе 3 процедуры.');
  assert.equal(readyText(1, en), 'BSL Scout is ready: 1 procedure is indexed.');
  assert.equal(readyText(38_310, en), 'BSL Scout is ready: 38,310 procedures are indexed.');
});
