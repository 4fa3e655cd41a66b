import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogLines } from '../src/serverLog';

function read(...pieces: string[]): [string, string][] {
  const told: [string, string][] = [];
  const lines = new LogLines((level, line) => told.push([level, line]));
  pieces.forEach(piece => lines.add(piece));
  lines.end();
  return told;
}

test('each line has the level that it names, what follows belongs to it', () => {
  assert.deepEqual(read('INFO bsl_scout: готово\nWARNING bsl_scout.lsp: занято\r\nERROR bsl_scout: упало\nTraceback (most recent call last):\n  File "x"\nINFO a: b\nDEBUG c: d\n'), [
    ['info', 'bsl_scout: готово'],
    ['warn', 'bsl_scout.lsp: занято'],
    ['error', 'bsl_scout: упало'],
    ['error', 'Traceback (most recent call last):'],
    ['error', '  File "x"'],
    ['info', 'a: b'],
    ['debug', 'c: d'],
  ]);
});

test('a line may come in pieces, the last one without an end', () => {
  assert.deepEqual(read('WARN', 'ING a: b', '\nINFO c', ': d'), [['warn', 'a: b'], ['info', 'c: d']]);
});

test('what the interpreter says by itself is an error', () => {
  assert.deepEqual(read('Fatal Python error: Segmentation fault\n\nStack:\n'), [
    ['error', 'Fatal Python error: Segmentation fault'],
    ['error', ''],
    ['error', 'Stack:'],
  ]);
  assert.deepEqual(read('no level\n'), [['info', 'no level']]);
});
