/** What a module belongs to, in words: "Документ Анкета · модуль объекта", "Document Анкета · object module". */
import type { Hit } from './protocol';
import type { Lang } from './plural';

// kinds whose name is not simply its words in lower case
const RUSSIAN: Record<string, string> = {
  БизнесПроцесс: 'Бизнес-процесс',
  ВнешнийОтчет: 'Внешний отчет',
  HTTPСервис: 'HTTP-сервис',
  WebСервис: 'Web-сервис',
  WebSocketКлиент: 'WebSocket-клиент',
  WSСсылка: 'WS-ссылка',
  ПакетXDTO: 'Пакет XDTO',
  ШаблонURL: 'Шаблон URL',
};

const ENGLISH: Record<string, string> = {
  Конфигурация: 'Configuration',
  РегистрБухгалтерии: 'Accounting register',
  РегистрНакопления: 'Accumulation register',
  РегистрРасчета: 'Calculation register',
  РегистрСведений: 'Information register',
  Бот: 'Bot',
  БизнесПроцесс: 'Business process',
  Справочник: 'Catalog',
  ПланСчетов: 'Chart of accounts',
  ПланВидовРасчета: 'Chart of calculation types',
  ПланВидовХарактеристик: 'Chart of characteristic types',
  ОбщаяКоманда: 'Common command',
  ОбщаяФорма: 'Common form',
  ОбщийМодуль: 'Common module',
  ОбщийРеквизит: 'Common attribute',
  ОбщийМакет: 'Common template',
  ОбщаяКартинка: 'Common picture',
  ГруппаКоманд: 'Command group',
  Константа: 'Constant',
  Обработка: 'Data processor',
  ОпределяемыйТип: 'Defined type',
  Документ: 'Document',
  ЖурналДокументов: 'Document journal',
  НумераторДокументов: 'Document numerator',
  Перечисление: 'Enumeration',
  ПодпискаНаСобытие: 'Event subscription',
  ПланОбмена: 'Exchange plan',
  ВнешняяОбработка: 'External data processor',
  ВнешнийИсточникДанных: 'External data source',
  ВнешнийОтчет: 'External report',
  КритерийОтбора: 'Filter criterion',
  ФункциональнаяОпция: 'Functional option',
  ПараметрФункциональныхОпций: 'Functional options parameter',
  HTTPСервис: 'HTTP service',
  СервисИнтеграции: 'Integration service',
  Язык: 'Language',
  Отчет: 'Report',
  Роль: 'Role',
  РегламентноеЗадание: 'Scheduled job',
  Последовательность: 'Sequence',
  ПараметрСеанса: 'Session parameter',
  ХранилищеНастроек: 'Settings storage',
  Стиль: 'Style',
  ЭлементСтиля: 'Style item',
  Подсистема: 'Subsystem',
  Задача: 'Task',
  WebСервис: 'Web service',
  WebSocketКлиент: 'WebSocket client',
  WSСсылка: 'WS reference',
  ПакетXDTO: 'XDTO package',
};

const ENGLISH_MODULES: Record<string, string> = {
  Модуль: 'module',
  МодульОбъекта: 'object module',
  МодульМенеджера: 'manager module',
  МодульНабораЗаписей: 'record set module',
  МодульМенеджераЗначения: 'value manager module',
  МодульКоманды: 'command module',
  МодульСеанса: 'session module',
  МодульУправляемогоПриложения: 'managed application module',
  МодульОбычногоПриложения: 'ordinary application module',
  МодульВнешнегоСоединения: 'external connection module',
  Форма: 'form module',
};

// what an object consists of
const ENGLISH_FIELDS: Record<string, string> = {
  Реквизит: 'attribute',
  ТабличнаяЧасть: 'tabular section',
  Измерение: 'dimension',
  Ресурс: 'resource',
  ЗначениеПеречисления: 'enumeration value',
  Форма: 'form',
  Команда: 'command',
  Макет: 'template',
  Графа: 'column',
  РеквизитАдресации: 'addressing attribute',
  ПризнакУчета: 'accounting flag',
  ПризнакУчетаСубконто: 'extra dimension accounting flag',
  Перерасчет: 'recalculation',
  Подсистема: 'subsystem',
  ШаблонURL: 'URL template',
  Метод: 'method',
  Операция: 'operation',
  Параметр: 'parameter',
  Таблица: 'table',
  Куб: 'cube',
  Функция: 'function',
  Поле: 'field',
  КаналСервисаИнтеграции: 'integration service channel',
  ПредопределенныйЭлемент: 'predefined item',
  ОграничениеДоступа: 'access restriction',
  СтандартныйРеквизит: 'standard attribute',
};

const RESTRICTION = 'ОграничениеДоступа';
const ENGLISH_RIGHTS: Record<string, string> = {
  чтение: 'read',
  добавление: 'insert',
  изменение: 'update',
  удаление: 'delete',
};

/** Returns a metadata kind in words: `РегистрСведений` is "Регистр сведений" or "Information register". */
export function kindInWords(kind: string, lang: Lang): string {
  if (lang === 'en' && ENGLISH[kind]) {
    return ENGLISH[kind];
  }
  return RUSSIAN[kind] ?? kind.replace(/(?<=[а-яё])[А-ЯЁ]/g, capital => ' ' + capital.toLowerCase());
}

/** Returns the object and the module of a hit in words; empty for a module of no configuration. */
export function placeInWords(hit: Pick<Hit, 'owner' | 'module' | 'words'>, lang: Lang): string {
  if (!hit.owner) {
    return '';
  }
  const [kind, name, ...below] = hit.owner.split('.');
  const owner = name ? `${kindInWords(kind, lang)} ${name}` : kindInWords(kind, lang);
  const words = lang === 'en' ? (ENGLISH_MODULES[hit.module] ?? hit.words) : hit.words;
  // every common module and service has one module only: nothing to tell apart
  const module = hit.module === 'Модуль' ? '' : words;
  const child = below.length > 1 ? below[below.length - 1] : '';
  return [owner, `${module} ${child}`.trim()].filter(Boolean).join(' · ');
}

/**
 * Returns a place in words with the name first and the kind of the object last, for rows that are cut at the end: of "Документ Анкета ·
 * модуль объекта" "Анкета · модуль объекта · документ". `owner` is the full name that the place was made of.
 */
export function nameFirst(place: string, owner: string, lang: Lang): string {
  const [kind, name] = owner.split('.');
  const start = `${kindInWords(kind, lang)} ${name}`;
  return name && place.startsWith(start) ? `${name}${place.slice(start.length)} · ${uncapitalized(kindInWords(kind, lang))}` : place;
}

// an abbreviation stays as it is: HTTP-сервис
function uncapitalized(words: string): string {
  return /^\p{Lu}\p{Ll}/u.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/**
 * Returns the name of an object or of its field, and what it is and belongs to: of
 * `Документ.Заказ.ТабличнаяЧасть.Товары.Реквизит.Цена` "Цена" and "Документ Заказ · табличная часть Товары · реквизит".
 */
export function metadataInWords(fullName: string, lang: Lang): { name: string; place: string } {
  const every = fullName.split('.');
  // what a restriction is called has dots of its own: it names the object and the right
  const restricted = every[2] === RESTRICTION ? every.slice(3) : [];
  const parts = restricted.length ? [...every.slice(0, 3), ''] : every;
  const name = restricted.length ? restrictionInWords(restricted, lang) : parts[parts.length - 1];
  const place = parts
    .filter((_, index) => index % 2 === 0)
    .map((kind, level) => {
      const words = level ? fieldInWords(kind, lang) : kindInWords(kind, lang);
      const isLast = level * 2 + 2 >= parts.length;
      return isLast ? words : `${words} ${parts[level * 2 + 1]}`;
    });
  return { name, place: place.join(' · ') };
}

/** Returns "Справочник Валюты: чтение" or "Catalog Валюты: read"; the name of a template as it is. */
function restrictionInWords(parts: string[], lang: Lang): string {
  const [, right, columns] = /^([а-яё]+)(.*)$/is.exec(parts[parts.length - 1]) ?? [];
  const english = ENGLISH_RIGHTS[right?.toLowerCase()];
  if (parts.length < 3 || !english) {
    return parts.join('.');
  }
  const owner = [kindInWords(parts[0], lang), ...parts.slice(1, -1)].join(' ');
  return `${owner}: ${lang === 'en' ? english : right.toLowerCase()}${columns}`;
}

function fieldInWords(kind: string, lang: Lang): string {
  const words = kindInWords(kind, 'ru');
  return (lang === 'en' && ENGLISH_FIELDS[kind]) || words.charAt(0).toLowerCase() + words.slice(1);
}

/** Returns the configuration of a hit, empty when it is the folder itself. */
export function rootName({ root }: Pick<Hit, 'root'>): string {
  return root === '.' ? '' : root;
}
