// How a test runs in an editor of its own, and which tests need the real server or the real configurations.
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { artifacts, cleanUp, hasCorpora, inEditor, real } from './setting.mjs';

export const FIND = 'BSL Scout: Find Logic';
export const DARK = { 'workbench.colorTheme': 'Default Dark Modern' };
export const LIGHT = { 'workbench.colorTheme': 'Default Light Modern' };

before(() => fs.mkdirSync(artifacts, { recursive: true }));
after(cleanUp);

/** Runs `body` in an editor on `options().folder`. */
export const editorTest = (name, title, options, body) =>
  test(title, { timeout: 240_000 }, () => inEditor(name, options(), body));

/** The same, when the real server is there. */
export const realTest = (name, title, ...rest) =>
  real ? editorTest(name, title, ...rest) : test(title, { skip: 'the real server is not here (BSL_SCOUT_PYTHON)' });

/** The same, when the real configurations are there. */
export const libraryTest = (name, title, ...rest) =>
  hasCorpora ? editorTest(name, title, ...rest) : test(title, { skip: 'the corpora are not here (BSL_SCOUT_CORPORA, BSL_SCOUT_GOLD)' });

/** Opens the list of results and types a query. */
export async function find(bench, query) {
  await bench.command(FIND);
  await bench.type(query);
}
