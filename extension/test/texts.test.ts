/** Every text exists in both languages, and the manifest and the code name the same things. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { bundle } from './russian';

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { scope?: string; markdownDescription?: string }> }[];
  };
}

const read = (path: string): string => fs.readFileSync(path, 'utf8');
const manifestText = read('package.json');
const { contributes } = JSON.parse(manifestText) as Manifest;
const sources = fs.readdirSync('src').map(name => read(`src/${name}`)).join('\n');
// both quotes and line breaks occur: t('…'), t(\n  '…',
const keys = [...sources.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g)].map(match => match[1].replace(/\\'/g, "'"));
const holes = (text: string): string[] => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();

test('every text of the code has a Russian one, and none is left over', () => {
  assert.ok(keys.length > 40);
  assert.deepEqual([...new Set(keys)].sort(), Object.keys(bundle).sort());
});

test('translations are Russian, have the same holes and enough plural forms', () => {
  for (const [english, russian] of Object.entries(bundle)) {
    assert.deepEqual(holes(russian), holes(english), english);
    if (english !== 'BSL Scout: {0}') {
      assert.match(russian, /[а-яё]/i, english);
    }
    assert.equal(english.includes('|'), russian.includes('|'), english);
  }
});

test('every text of the manifest exists in both languages', () => {
  const named = [...new Set([...manifestText.matchAll(/"%([\w.]+)%"/g)].map(match => match[1]))].sort();
  for (const file of ['package.nls.json', 'package.nls.ru.json']) {
    assert.deepEqual(Object.keys(JSON.parse(read(file)) as object).sort(), named, file);
  }
});

test('every command of the manifest is registered', () => {
  for (const { command } of contributes.commands) {
    assert.ok(sources.includes(`'${command}':`), command);
  }
});

test('every setting is read and has a scope and a description', () => {
  for (const [name, setting] of contributes.configuration.flatMap(group => Object.entries(group.properties))) {
    assert.ok(setting.scope && setting.markdownDescription, name);
    // the client library reads the trace itself
    assert.ok(name === 'bslScout.trace.server' || sources.includes(`get`) && new RegExp(`['.]${name.split('.').pop()}'`).test(sources), name);
  }
});

test('the pages of the walkthrough and their pictures exist in both languages', () => {
  for (const file of ['package.nls.json', 'package.nls.ru.json']) {
    const pages = Object.entries(JSON.parse(read(file)) as Record<string, string>).filter(([key]) => key.endsWith('.page'));
    assert.equal(pages.length, 4);
    for (const [, page] of pages) {
      for (const [, picture] of read(page).matchAll(/\]\((\.\.[^)]+)\)/g)) {
        assert.ok(fs.statSync(`walkthrough/${picture}`).size < 100_000, picture);
      }
    }
  }
});

test('the commands that texts lead to are those of the extension or of the editor', () => {
  const links = ['package.nls.json', 'package.nls.ru.json'].flatMap(file => [...read(file).matchAll(/\(command:([\w.]+)/g)]);
  assert.ok(links.length > 10);
  for (const [, command] of links) {
    assert.ok(command.startsWith('workbench.') || sources.includes(`'${command}':`), command);
  }
});
