import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNarrowed, isOnlyNames, typedName, withName, withOtherName } from '../src/narrowing';

test('a name is being typed after an @ at the end of the query only', () => {
  assert.equal(typedName('@'), '');
  assert.equal(typedName('@Документ.За'), 'Документ.За');
  assert.equal(typedName('заполнить @зак'), 'зак');
  assert.equal(typedName('@Документ.Заказ '), undefined);
  assert.equal(typedName('@Документ.Заказ заполнить'), undefined);
  assert.equal(typedName('почта@сайт'), undefined);
  assert.equal(typedName(''), undefined);
});

test('a chosen name takes the place of what was typed', () => {
  assert.equal(withName('@', 'Документ.Заказ'), '@Документ.Заказ ');
  assert.equal(withName('заполнить @зак', 'Документ.Заказ'), 'заполнить @Документ.Заказ ');
});

test('a query is narrowed by a name after an @', () => {
  assert.ok(isNarrowed('@Документ.Заказ'));
  assert.ok(isNarrowed('заполнить @Заказ сейчас'));
  assert.ok(!isNarrowed('письмо на a@b.ru'));
  assert.ok(!isNarrowed('@ '));
});

test('a query of names alone has no further words', () => {
  assert.ok(isOnlyNames('@Документ.Заказ '));
  assert.ok(isOnlyNames('@Документ.Заказ @Склад'));
  assert.ok(!isOnlyNames('@Документ.Заказ заполнить'));
  assert.ok(!isOnlyNames('@ '));
  assert.ok(!isOnlyNames('заполнить'));
});

test('a name that there is takes the place of one that there is not', () => {
  assert.equal(withOtherName('@Документ.Зказ  заполнить', 'Документ.Зказ', 'Документ.Заказ'), '@Документ.Заказ  заполнить');
  assert.equal(withOtherName('заполнить @Зказ. @Склад', 'Зказ', 'Документ.Заказ'), 'заполнить @Документ.Заказ @Склад');
  assert.equal(withOtherName('Зказ @ЗказНаряд', 'Зказ', 'Документ.Заказ'), 'Зказ @ЗказНаряд');
});
