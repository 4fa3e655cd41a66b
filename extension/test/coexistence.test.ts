import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offers, type Choice, type Installed } from '../src/coexistence';

const grammar = { contributes: { grammars: [{ language: 'bsl' }] } };
const syntax: Installed = { id: '1c-Syntax.language-1c-bsl', packageJSON: grammar };
const icons: Installed = { id: 'some.icons', packageJSON: {} };
const all = (choice: Choice) => () => choice;

test('alone everything is offered', () => {
  assert.deepEqual(offers(all('auto'), [icons]), { semanticTokens: true, symbols: 'all', hover: 'all', definition: 'all' });
});

test('beside language-1c-bsl procedures and colours are left to it', () => {
  assert.deepEqual(offers(all('auto'), [icons, syntax]), { semanticTokens: false, symbols: 'metadata', hover: 'metadata', definition: 'metadata' });
});

test('a grammar alone takes the colours only', () => {
  assert.deepEqual(offers(all('auto'), [{ id: 'other.bsl', packageJSON: grammar }]), { semanticTokens: false, symbols: 'all', hover: 'all', definition: 'all' });
});

test('the settings have the last word, each for its own', () => {
  assert.deepEqual(offers(all('on'), [syntax]), { semanticTokens: true, symbols: 'all', hover: 'all', definition: 'all' });
  assert.deepEqual(offers(all('off'), []), { semanticTokens: false, symbols: 'none', hover: 'none', definition: 'none' });
  assert.equal(offers(setting => (setting === 'hover' ? 'on' : 'auto'), [syntax]).symbols, 'metadata');
});
