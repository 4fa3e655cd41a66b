import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../src/history';

function history(): History {
  const values = new Map<string, unknown>();
  return new History({
    get: <T>(key: string, standard: T) => (values.get(key) as T | undefined) ?? standard,
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  });
}

test('the last query stands first and none twice', async () => {
  const kept = history();
  for (const query of ['курс', ' письмо ', 'Курс', '  ']) {
    await kept.add(query);
  }
  assert.deepEqual(kept.queries, ['Курс', 'письмо']);
  await kept.remove('курс');
  assert.deepEqual(kept.queries, ['письмо']);
  await kept.clear();
  assert.deepEqual(kept.queries, []);
});

test('so many are kept', async () => {
  const kept = history();
  for (let number = 0; number < 50; number++) {
    await kept.add(`запрос ${number}`);
  }
  assert.equal(kept.queries.length, 30);
  assert.equal(kept.queries[0], 'запрос 49');
});
