import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSources, nothingText, placeholder, STARTING, statusView, type ScoutState } from '../src/statusText';
import type { Words } from '../src/format';
import { en, ru } from './russian';

const STATES: ScoutState[] = ['starting', 'indexing', 'ready', 'paused', 'failed', 'locked', 'empty', 'missing', 'full', 'noPython', 'stopped'];
const status = (state: ScoutState, change = {}) => ({ ...STARTING, state, indexed: 51, ...change });

test('every state says what it is in both languages', () => {
  for (const state of STATES) {
    for (const words of [ru, en]) {
      const view = statusView(status(state), words);
      assert.ok(view.text && view.detail && placeholder(status(state), words), state);
      assert.ok(!/missing:|\{\d\}/.test(view.text + view.detail + placeholder(status(state), words)), state);
    }
  }
});

test('the ready index tells its size, its legs and what waits', () => {
  assert.deepEqual(statusView(status('ready', { legs: ['lexical'] }), ru), {
    text: '51 модуль',
    detail: 'Индекс актуален; поиск по словам.',
    severity: 'information',
    busy: false,
  });
  assert.equal(statusView(status('ready', { legs: ['lexical', 'vector'] }), ru).detail, 'Индекс актуален; поиск по словам и по смыслу.');
  assert.equal(statusView(status('ready', { pending: 3 }), ru).detail, 'Ещё не в индексе: 3 файла.');
});

test('while vectors are made it says what is searched by', () => {
  const making = statusView(status('indexing', { pending: 0, legs: ['lexical'] }), ru);
  assert.equal(making.text, '51 модуль, пока только по словам');
  assert.match(making.detail, /поиск по смыслу готовится/);
  assert.ok(making.busy);
  assert.equal(statusView(status('indexing', { indexed: 0, pending: 5 }), ru).text, 'индексируется…');
});

test('the ready index tells how far the model is adapted', () => {
  const detail = (change: object, words = ru) =>
    statusView(status('ready', { legs: ['lexical'], adaptation: { ...STARTING.adaptation, ...change } }), words).detail;
  const before = 'Индекс актуален; поиск по словам.';
  assert.equal(detail({ state: 'training', done: 1, total: 3 }), `${before} Модель дообучается на этой конфигурации: 33 %.`);
  assert.equal(detail({ state: 'embedding', done: 0, total: 0 }), `${before} Дообученная модель вводится в работу: 0 %.`);
  assert.equal(detail({ state: 'ready' }, en), 'The index is up to date; search by words. The model is adapted to this configuration.');
  assert.equal(detail({ state: 'refused', reason: 'no-better' }), `${before} Работает исходная модель: дообученная не отвечала лучше.`);
  assert.match(detail({ state: 'refused', reason: 'few-comments' }), /слишком мало описаний процедур/);
  assert.match(detail({ state: 'refused', reason: 'little-code' }), /слишком мало кода/);
  assert.equal(detail({ state: 'refused', reason: 'other-encoder' }), before);
  assert.equal(detail({ state: 'waiting', reason: 'диск полон' }), `${before} Модель ещё не дообучена: диск полон.`);
  assert.equal(detail({ state: 'waiting' }), before);
  assert.equal(detail({ state: 'off' }), before);
});

test('a failure carries the message of the server', () => {
  const view = statusView(status('failed', { message: 'диск полон' }), ru);
  assert.equal(view.severity, 'error');
  assert.ok(view.detail.endsWith('журнал. диск полон'));
});

test('what waits for others says what answers meanwhile and that it goes on by itself', () => {
  const missing = statusView(status('missing', { legs: ['lexical'], message: 'Папка «demo» недоступна.' }), ru);
  assert.equal(missing.severity, 'warning');
  assert.equal(
    missing.detail,
    'Папка «demo» недоступна. Поиск отвечает по прежнему индексу. Подключите диск или верните папку: индекс продолжит обновляться сам.',
  );
  assert.match(statusView(status('full'), ru).detail, /^На диске с индексом не осталось места\. Индекса, по которому искать, ещё нет\. Освободите место/);
  assert.equal(placeholder(status('full', { legs: ['lexical'] }), ru), 'Что делает код? (диск заполнен)');
});

test('a ready index tells of a wrong setting', () => {
  const view = statusView(status('ready', { message: 'bslScout.roots: «нет»: нет такой папки' }), ru);
  assert.equal(view.severity, 'warning');
  assert.ok(view.detail.endsWith('bslScout.roots: «нет»: нет такой папки'));
});

test('the input box explains a state in which nothing can be found', () => {
  assert.match(placeholder(status('empty'), ru), /нет исходников 1С/);
  assert.equal(placeholder(status('indexing', { pending: 2077, progress: { stage: 'modules', done: 120, total: 2197 } }), ru), 'Что делает код? (индексируются модули: 120 из 2197)');
});

test('an empty answer says why: the filter, or the state of the index', () => {
  assert.equal(nothingText(status('ready'), 'all', ru), 'Попробуйте другие слова или имя объекта.');
  assert.match(nothingText(status('ready'), 'form', ru), /^Где искали: только формы\./);
  assert.match(nothingText(status('empty'), 'form', ru), /нет исходников 1С/);
});

test('sources are found when something of them is indexed, not while they are looked for', () => {
  assert.ok(!hasSources(status('starting', { indexed: 0 })));
  assert.ok(!hasSources(status('indexing', { indexed: 0, pending: 0 })));
  assert.ok(!hasSources(status('empty', { indexed: 0 })));
  assert.ok(hasSources(status('indexing', { indexed: 1, pending: 50 })));
  // objects without a module
  assert.ok(hasSources(status('ready', { indexed: 0 })));
});

test('an index that is being made says what it counts: objects, then modules', () => {
  const text = (stage: 'objects' | 'modules', words: Words) =>
    statusView(status('indexing', { indexed: 0, pending: 9, progress: { stage, done: 1200, total: 12_197 } }), words).text;
  assert.equal(text('objects', ru), 'индексируются объекты: 1200 из 12\u00a0197');
  assert.equal(text('modules', ru), 'индексируются модули: 1200 из 12\u00a0197');
  assert.equal(text('modules', en), 'indexing modules: 1,200 of 12,197');
});
