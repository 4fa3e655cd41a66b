import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metadataInWords, nameFirst, placeInWords } from '../src/place';

const CASES: [owner: string | null, module: string, words: string, russian: string, english: string][] = [
  ['Документ.Анкета', 'МодульОбъекта', 'модуль объекта', 'Документ Анкета · модуль объекта', 'Document Анкета · object module'],
  ['ОбщийМодуль.Почта', 'Модуль', 'модуль', 'Общий модуль Почта', 'Common module Почта'],
  ['Справочник.Банки.Форма.Список', 'Форма', 'модуль формы', 'Справочник Банки · модуль формы Список', 'Catalog Банки · form module Список'],
  ['Документ.Заказ.Команда.Печать', 'МодульКоманды', 'модуль команды', 'Документ Заказ · модуль команды Печать', 'Document Заказ · command module Печать'],
  ['ОбщаяФорма.Вопрос', 'Форма', 'модуль формы', 'Общая форма Вопрос · модуль формы', 'Common form Вопрос · form module'],
  ['РегистрСведений.Курсы', 'МодульНабораЗаписей', 'модуль набора записей', 'Регистр сведений Курсы · модуль набора записей', 'Information register Курсы · record set module'],
  ['ПланВидовХарактеристик.Виды', 'МодульМенеджера', 'модуль менеджера', 'План видов характеристик Виды · модуль менеджера', 'Chart of characteristic types Виды · manager module'],
  ['HTTPСервис.Обмен', 'Модуль', 'модуль', 'HTTP-сервис Обмен', 'HTTP service Обмен'],
  ['БизнесПроцесс.Задание', 'МодульОбъекта', 'модуль объекта', 'Бизнес-процесс Задание · модуль объекта', 'Business process Задание · object module'],
  ['Конфигурация', 'МодульСеанса', 'модуль сеанса', 'Конфигурация · модуль сеанса', 'Configuration · session module'],
  ['Справочник.Банки', '', '', 'Справочник Банки', 'Catalog Банки'],
  [null, 'Модуль', 'модуль', '', ''],
];

for (const [owner, module, words, russian, english] of CASES) {
  test(`place of ${owner}, ${module}`, () => {
    assert.equal(placeInWords({ owner, module, words }, 'ru'), russian);
    assert.equal(placeInWords({ owner, module, words }, 'en'), english);
  });
}

const NAMES: [fullName: string, name: string, russian: string, english: string][] = [
  ['Справочник.Валюты', 'Валюты', 'Справочник', 'Catalog'],
  ['Документ.Заказ.Реквизит.Сумма', 'Сумма', 'Документ Заказ · реквизит', 'Document Заказ · attribute'],
  [
    'Документ.ЗаказПокупателя.ТабличнаяЧасть.Товары.Реквизит.Количество',
    'Количество',
    'Документ ЗаказПокупателя · табличная часть Товары · реквизит',
    'Document ЗаказПокупателя · tabular section Товары · attribute',
  ],
  ['Перечисление.Статусы.ЗначениеПеречисления.Новая', 'Новая', 'Перечисление Статусы · значение перечисления', 'Enumeration Статусы · enumeration value'],
  ['HTTPСервис.Сайт.ШаблонURL.Заказ.Метод.Получить', 'Получить', 'HTTP-сервис Сайт · шаблон URL Заказ · метод', 'HTTP service Сайт · URL template Заказ · method'],
  ['Подсистема.Продажи.Подсистема.Розница', 'Розница', 'Подсистема Продажи · подсистема', 'Subsystem Продажи · subsystem'],
  ['Справочник.Валюты.ПредопределенныйЭлемент.Рубль', 'Рубль', 'Справочник Валюты · предопределенный элемент', 'Catalog Валюты · predefined item'],
  ['Справочник.Валюты.СтандартныйРеквизит.Код', 'Код', 'Справочник Валюты · стандартный реквизит', 'Catalog Валюты · standard attribute'],
  ['Отчет.Остатки.Макет.Схема', 'Схема', 'Отчет Остатки · макет', 'Report Остатки · template'],
  ['Роль.Чтение.ОграничениеДоступа.ДляОбъекта', 'ДляОбъекта', 'Роль Чтение · ограничение доступа', 'Role Чтение · access restriction'],
  ['РегистрСведений.Курсы.НовыйВид.Поле', 'Поле', 'Регистр сведений Курсы · новый вид', 'Information register Курсы · новый вид'],
];

test('a restriction is called by the object and the right', () => {
  const name = 'Роль.Продавец.ОграничениеДоступа.Справочник.Валюты.Чтение(Код, Имя)';
  assert.deepEqual(metadataInWords(name, 'ru'), { name: 'Справочник Валюты: чтение(Код, Имя)', place: 'Роль Продавец · ограничение доступа' });
  assert.deepEqual(metadataInWords(name, 'en'), { name: 'Catalog Валюты: read(Код, Имя)', place: 'Role Продавец · access restriction' });
});

for (const [fullName, name, russian, english] of NAMES) {
  test(`name and place of ${fullName}`, () => {
    assert.deepEqual(metadataInWords(fullName, 'ru'), { name, place: russian });
    assert.deepEqual(metadataInWords(fullName, 'en'), { name, place: english });
  });
}

test('in a narrow row the name of the object goes before its kind', () => {
  const of = (owner: string, module: string, words: string) => nameFirst(placeInWords({ owner, module, words }, 'ru'), owner, 'ru');
  assert.equal(of('Документ.Анкета', 'МодульОбъекта', 'модуль объекта'), 'Анкета · модуль объекта · документ');
  assert.equal(of('ОбщийМодуль.Почта', 'Модуль', 'модуль'), 'Почта · общий модуль');
  assert.equal(of('Справочник.Банки.Форма.Список', 'Форма', 'модуль формы'), 'Банки · модуль формы Список · справочник');
  assert.equal(of('HTTPСервис.Обмен', 'Модуль', 'модуль'), 'Обмен · HTTP-сервис');
  assert.equal(of('Конфигурация', 'МодульСеанса', 'модуль сеанса'), 'Конфигурация · модуль сеанса');
  const field = 'Документ.Заказ.Реквизит.Сумма';
  assert.equal(nameFirst(metadataInWords(field, 'en').place, field, 'en'), 'Заказ · attribute · document');
  assert.equal(nameFirst(metadataInWords('Справочник.Валюты', 'ru').place, 'Справочник.Валюты', 'ru'), 'Справочник');
});
