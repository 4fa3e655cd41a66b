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
  HTTPСервис: 'HTTP service',
  СервисИнтеграции: 'Integration service',
  Отчет: 'Report',
  Роль: 'Role',
  РегламентноеЗадание: 'Scheduled job',
  Последовательность: 'Sequence',
  ПараметрСеанса: 'Session parameter',
  ХранилищеНастроек: 'Settings storage',
  Подсистема: 'Subsystem',
  Задача: 'Task',
  WebСервис: 'Web service',
  WebSocketКлиент: 'WebSocket client',
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
