import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { Asker } from '../src/asker';

interface Call {
  question: string;
  signal: AbortSignal;
  answer: (text: string) => void;
  fail: (error: Error) => void;
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) {
    await Promise.resolve();
  }
};

function asker() {
  const calls: Call[] = [];
  const log: string[] = [];
  const it = new Asker<string, string>(
    (question, signal) => new Promise((answer, fail) => calls.push({ question, signal, answer, fail })),
    {
      busy: on => log.push(on ? 'busy' : 'idle'),
      answer: (question, answer) => log.push(`${question}: ${answer}`),
      failure: (question, error) => log.push(`${question} failed: ${(error as Error).message}`),
    },
  );
  return { it, calls, log };
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

test('asks once after a pause, with the last text', async () => {
  const { it, calls, log } = asker();
  for (const text of ['п', 'пи', 'письмо']) {
    it.later(text, 120);
    mock.timers.tick(100);
  }
  assert.equal(calls.length, 0);
  mock.timers.tick(20);
  assert.deepEqual(calls.map(call => call.question), ['письмо']);
  calls[0].answer('найдено');
  await settled();
  assert.deepEqual(log.slice(-2), ['письмо: найдено', 'idle']);
});

test('cancels the previous request and drops its late answer', async () => {
  const { it, calls, log } = asker();
  it.later('а', 0);
  mock.timers.tick(1);
  it.later('б', 0);
  assert.ok(calls[0].signal.aborted);
  mock.timers.tick(1);
  calls[1].answer('2');
  calls[0].answer('1');
  await settled();
  assert.deepEqual(log.filter(line => line.includes(':')), ['б: 2']);
  assert.equal(log.at(-1), 'idle');
});

test('thirty keystrokes leave one request alive', () => {
  const { it, calls } = asker();
  for (let key = 0; key < 30; key++) {
    it.later(String(key), 10);
    mock.timers.tick(10);
  }
  assert.equal(calls.filter(call => !call.signal.aborted).length, 1);
});

test('shows a failure, but not that of a cancelled request', async () => {
  const { it, calls, log } = asker();
  it.later('а', 0);
  mock.timers.tick(1);
  calls[0].fail(new Error('нет'));
  await settled();
  assert.deepEqual(log.slice(-2), ['а failed: нет', 'idle']);
  it.later('б', 0);
  mock.timers.tick(1);
  it.cancel();
  calls[1].fail(new Error('отменено'));
  await settled();
  assert.ok(!log.some(line => line.includes('отменено')));
});
