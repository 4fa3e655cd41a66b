import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copiedProcedureText } from '../src/procedureText';
import { en, ru } from './russian';

const context = { text: '', name: 'КурсНаДату', characters: 12_000, tokens: 4000, leftOutLines: 0, leftOutCalls: 0, leftOutCallers: 0, leftOutObjectRows: 0 };

test('what was copied is told with what is left out of it', () => {
  assert.equal(copiedProcedureText(context, ru), 'Скопирована КурсНаДату: символов 12\u00a0000, токенов около 4000.');
  const cut = { ...context, leftOutLines: 3, leftOutCallers: 193 };
  assert.equal(copiedProcedureText(cut, en), 'КурсНаДату is copied: 12,000 characters, about 4,000 tokens; left out: lines of the procedure: 3, callers: 193.');
});
