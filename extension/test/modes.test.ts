import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredText, modeDetail, modeName, modeOf, MODES, noticeText, reasonText, whyText } from '../src/modes';
import { en, ru } from './russian';

const route = (code: string, reason = '', names: string[] = []) => ({ mode: 'hybrid', reason, confidence: 1, code, names });

test('every mode has a name and a description in both languages', () => {
  for (const words of [ru, en]) {
    assert.equal(new Set(MODES.map(mode => modeName(mode, words))).size, MODES.length);
    assert.equal(new Set(MODES.map(mode => modeDetail(mode, words))).size, MODES.length);
  }
  assert.deepEqual([modeOf('vector'), modeOf('other'), modeOf(undefined)], ['vector', 'auto', 'auto']);
});

test('a reason is told in the language of the editor; one that is not known as the server wrote it', () => {
  assert.equal(reasonText(route('question', 'the query asks how or why'), ru), 'вопрос «как» или «почему»');
  assert.equal(reasonText(route('later-code', 'a new reason'), ru), 'a new reason');
  assert.equal(reasonText(route('asked', 'asked for'), ru), '');
  assert.equal(reasonText(route('narrowed'), ru), 'только в том, что названо после @');
  assert.equal(reasonText(route('narrowed', '', ['Справочник.Пользователи', 'Справочник.ПользовательскиеНастройки']), ru), 'только в Справочник.Пользователи, Справочник.ПользовательскиеНастройки');
});

test('what the query names and is not here is told in both languages', () => {
  assert.equal(noticeText(route('unknown-name', '', ['Документ.Зказ', 'Документ.Заказ', 'Документ.Отказ']), ru), 'Нет объекта Документ.Зказ; похожие: Документ.Заказ, Документ.Отказ');
  assert.equal(noticeText(route('unknown-name', '', ['Нет']), en), 'There is no object Нет');
  assert.equal(noticeText(route('no-module', '', ['ОбщийМодуль.НетТакого']), ru), 'Модуля ОбщийМодуль.НетТакого здесь нет (другая конфигурация или расширение?)');
  assert.equal(noticeText(route('no-line', '', ['ОбщийМодуль.Склад', '4']), ru), 'Модуль ОбщийМодуль.Склад кончается на строке 4: другая версия?');
  const several = ['ОбщийМодуль.Склад', '4', 'МодульСеанса', '0', 'Отчет.Закрытый.МодульОбъекта', '-', 'ОбщийМодуль.А', '', 'ОбщийМодуль.Б', ''];
  assert.equal(
    noticeText(route('no-line', '', several), ru),
    'Модуль ОбщийМодуль.Склад кончается на строке 4: другая версия? · Модуль МодульСеанса пуст · Модуль Отчет.Закрытый.МодульОбъекта не в виде текста (закрыт паролем?)'
      + ' · Модуля ОбщийМодуль.А, ОбщийМодуль.Б здесь нет (другая конфигурация или расширение?)',
  );
  assert.equal(noticeText(route('no-line', '', ['Here', '0', 'Gone', '']), en), 'Module Here is empty · There is no module Gone here (another configuration or an extension?)');
  assert.equal(noticeText(route('no-signs'), ru), '');
  assert.equal(reasonText(route('unknown-name', 'no object is called Нет', ['Нет']), ru), '');
});

test('a hit tells why it is there', () => {
  const snippet = 'Процедура ОтправитьПисьмо(Письмо)';
  const matches: [number, number][] = [[10, 25], [26, 32]];
  assert.equal(whyText({ symbol: 'Проверить', translated: {}, ranks: { lexical: 1, vector: 3 }, snippet, matches }, ru), 'слова: ОтправитьПисьмо, … + смысл');
  assert.equal(whyText({ symbol: 'Проверить', translated: {}, ranks: { lexical: 1 }, snippet, matches: [] }, en), 'words');
  assert.equal(whyText({ symbol: 'Проверить', translated: {}, ranks: { vector: 2 }, snippet, matches }, en), 'meaning');
  assert.equal(whyText({ symbol: 'Проверить', translated: {}, ranks: { title: 1, lexical: 4 }, snippet: 'КурсыВалютСервер.Пересчитать(Валюта)', matches: [[0, 16], [17, 28], [29, 35]] }, ru), 'название + слова: КурсыВалютСервер, …');
  assert.equal(whyText({ symbol: 'Проверить', translated: {}, ranks: { place: 1 }, snippet, matches: [] }, ru), 'место ошибки');
  assert.equal(whyText({ symbol: 'Проверить', translated: {}, ranks: { lexical: 1 }, snippet: 'Курс курс', matches: [[0, 4], [5, 9]] }, en), 'words: курс');
  const row = { symbol: 'СменитьПочтуПослеЗапроса', translated: {}, ranks: { lexical: 1 }, snippet: 'Почту = Пароль;', matches: [[0, 5], [8, 14]] as [number, number][] };
  assert.equal(whyText(row, ru), 'слова: Пароль');
  assert.equal(whyText({ ...row, matches: [[0, 5]] }, ru), 'слова имени');
  assert.equal(whyText({ ...row, snippet: 'запросить', matches: [[0, 9]] }, ru), 'слова имени');
  assert.equal(whyText({ ...row, translated: { Почту: 'mail' } }, ru), 'слова: mail → Почту, Пароль');
  assert.equal(whyText({ ...row, ranks: { name: 1 }, matches: [] }, ru), 'имя');
});

test('the title names what took part in the answer, the reason stands behind it', () => {
  const told = (code: string, ...legs: string[]) => answeredText({ route: route(code), legs }, ru);
  assert.equal(told('question', 'lexical', 'vector'), 'слова и смысл (вопрос «как» или «почему»)');
  assert.equal(told('asked', 'lexical'), 'слова');
  assert.equal(told('asked', 'vector'), 'смысл');
  assert.equal(told('no-signs', 'lexical', 'vector', 'title'), 'слова и смысл');
  assert.equal(told('reranked', 'lexical', 'vector', 'rerank'), 'порядок уточняет модель');
  assert.equal(told('words', 'lexical'), 'слова (пока без смысла)');
  assert.equal(told('no-meaning', 'lexical'), 'слова (таких слов модель не знает)');
  assert.equal(told('place', 'place'), 'в запросе есть место ошибки');
  assert.equal(told('similar', 'vector'), '');
});
