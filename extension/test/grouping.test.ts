import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped } from '../src/grouping';
import type { Hit } from '../src/protocol';

const hit = (owner: string | null, symbol: string, path = 'a.bsl') => ({ root: '.', owner, symbol, path }) as Hit;

test('hits stand by object, forms with their object, the object of the best hit first', () => {
  const hits = [
    hit('Документ.Заказ', 'А'),
    hit('ОбщийМодуль.Почта', 'Б'),
    hit('Документ.Заказ.Форма.ФормаДокумента', 'В'),
    hit(null, 'Г', 'scripts/x.os'),
    hit('Конфигурация', 'Д'),
  ];
  const groups = grouped(hits, 'ru').map(({ name, kind, hits: own }) => [name, kind, own.map(one => one.symbol).join('')]);
  assert.deepEqual(groups, [
    ['Заказ', 'Документ', 'АВ'],
    ['Почта', 'Общий модуль', 'Б'],
    ['scripts/x.os', '', 'Г'],
    ['Конфигурация', '', 'Д'],
  ]);
  assert.equal(grouped(hits, 'en')[0].kind, 'Document');
});

test('objects of one name in two roots stay apart', () => {
  const groups = grouped([hit('Документ.Заказ', 'А'), { ...hit('Документ.Заказ', 'А'), root: 'ext' }], 'ru');
  assert.deepEqual(groups.map(group => [group.root, group.name]), [['', 'Заказ'], ['ext', 'Заказ']]);
});
