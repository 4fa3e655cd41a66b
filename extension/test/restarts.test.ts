import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrashBudget, OneAtATime } from '../src/restarts';

test('calls during a run are one more run', async () => {
  const ends: (() => void)[] = [];
  const jobs = new OneAtATime(() => new Promise(resolve => ends.push(resolve)));
  const first = jobs.run();
  const more = [jobs.run(), jobs.run(), jobs.run()];
  assert.equal(ends.length, 1);
  ends[0]();
  await first;
  await new Promise(setImmediate);
  assert.equal(ends.length, 2);
  ends[1]();
  await Promise.all(more);
  assert.equal(ends.length, 2);
  void jobs.run();
  assert.equal(ends.length, 3);
});

test('a failed run does not stop the one that waits', async () => {
  let runs = 0;
  const jobs = new OneAtATime(() => (++runs === 1 ? Promise.reject(new Error('no')) : Promise.resolve()));
  const first = jobs.run();
  const second = jobs.run();
  await assert.rejects(first);
  await second;
  assert.equal(runs, 2);
});

test('a server that keeps dying is left alone, until some time has passed or the user restarts it', () => {
  let now = 0;
  const budget = new CrashBudget(3, 1000, () => now);
  assert.deepEqual([1, 2, 3, 4].map(() => budget.mayRestart()), [true, true, true, false]);
  now = 5000;
  assert.ok(budget.mayRestart());
  budget.reset();
  assert.deepEqual([1, 2, 3, 4].map(() => budget.mayRestart()), [true, true, true, false]);
});
