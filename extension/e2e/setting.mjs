// What the runner passes in, and the folders that the tests work on.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from './setup-code-server.mjs';
import { CodeServer, removeFolder } from './code-server.mjs';
import { Workbench } from './workbench.mjs';

const extension = path.resolve(import.meta.dirname, '..');
const env = process.env;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'bsl-scout-e2e-work-'));

export const artifacts = env.BSL_SCOUT_ARTIFACTS || path.join(extension, '../.artifacts/e2e');
export const python = env.BSL_SCOUT_PYTHON || fakePython();
/** Whether the real server answers, not the fake one of the unit tests. */
export const real = Boolean(env.BSL_SCOUT_PYTHON);
const corpora = env.BSL_SCOUT_CORPORA;
const gold = env.BSL_SCOUT_GOLD;
/** Whether a real configuration and the questions about it are there. */
export const hasCorpora = Boolean(real && corpora && gold);

/** Returns a fresh copy of the demo configuration. */
export function demo(name) {
  const folder = path.join(scratch, name);
  fs.cpSync(path.join(extension, '../tests/fixtures/demo'), folder, { recursive: true });
  return folder;
}

/** Returns a fresh copy of the demo configuration as an EDT project. */
export function demoEdt(name) {
  const folder = path.join(scratch, name);
  fs.cpSync(path.join(extension, '../tests/fixtures/demo_edt'), folder, { recursive: true });
  return folder;
}

/** Returns a folder with two real ordinary forms: one with its module beside its Form.bin, one with it inside. */
export function ordinaryForms(name) {
  const folder = path.join(scratch, name);
  for (const [from, what] of [
    ['mpl_vanessa_add/epf/bddRunner', ['bddRunner.xml', 'bddRunner/Forms/Форма.xml', 'bddRunner/Forms/Форма']],
    ['ordinary_xunitfor1c/Tests/cf/83-no-modal', ['Configuration.xml', 'DataProcessors/xddTestRunner.xml', 'DataProcessors/xddTestRunner']],
  ]) {
    for (const part of what) {
      fs.cpSync(path.join(corpora, 'testdata', from, part), path.join(folder, path.basename(from), part), { recursive: true });
    }
  }
  return folder;
}

/** Returns line and column, from 1, inside the first text of a file; `at` is what of it the cursor is on. */
export function placeOf(file, text, at = text) {
  const lines = fs.readFileSync(file, 'utf8').replace(/^\ufeff/, '').split(/\r?\n/);
  const line = lines.findIndex(one => one.includes(text));
  return [line + 1, lines[line].indexOf(text) + text.indexOf(at) + 2];
}

/** Returns the folder of the Standard Subsystems Library; it is only read. */
export function library() {
  return path.join(corpora, 'ssl_3_1');
}

/** Returns a question of the development set by its id. */
export function question(id) {
  const file = fs.statSync(gold).isDirectory() ? path.join(gold, 'ssl_dev.jsonl') : gold;
  return questionIn(file, id);
}

/** Returns a question of this repository's own sets by its id. */
export const ownQuestion = (set, id) => questionIn(path.join(extension, `../tests/gold/${set}.jsonl`), id);

function questionIn(file, id) {
  const lines = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map(line => JSON.parse(line)).find(one => one.id === id);
}

/** Returns the package of a stand-in for another extension. */
export function stub(name) {
  const vsix = path.join(scratch, `${name}.vsix`);
  const vsce = path.join(extension, 'node_modules/@vscode/vsce/vsce');
  const options = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '-o', vsix];
  execFileSync(process.execPath, [vsce, ...options], { cwd: path.join(extension, 'e2e/stubs', name), stdio: 'pipe' });
  return vsix;
}

/** Returns an empty folder. */
export function emptyFolder(name) {
  const folder = path.join(scratch, name);
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

/** Returns the line of a procedure's heading in a file, from 1. */
export function lineOf(file, name) {
  const heading = new RegExp(`^\\s*(Процедура|Функция)\\s+${name}\\(`, 'i');
  return fs.readFileSync(file, 'utf8').split(/\r?\n/).findIndex(line => heading.test(line)) + 1;
}

/**
 * Returns how an editor is started that has no interpreter set: `bin` is all of its PATH, empty at first, and `env` is the environment
 * with the user's own package index and pip's cache.
 */
export function noInterpreter(name) {
  const bin = emptyFolder(`bin-${name}`);
  const cache = env.PIP_CACHE_DIR || path.join(env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'pip');
  return { bin, python: undefined, env: { PATH: bin, PIP_CACHE_DIR: cache } };
}

/** The same with the real interpreter in that PATH. */
export function freshMachine(name) {
  const machine = noInterpreter(name);
  putPython(machine.bin);
  return machine;
}

/** Puts a program `python3` into a folder: the real one, or a script. */
export function putPython(bin, script = `exec "${python}" "$@"`) {
  const file = path.join(bin, 'python3');
  fs.writeFileSync(`${file}.new`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  fs.renameSync(`${file}.new`, file);
}

/** Returns a folder with the wheels of all that the server needs, as docs/install.md tells to fill it. */
export function wheelhouse() {
  const folder = emptyFolder('пакеты 1С');
  const server = path.join(extension, 'dist/server');
  const wheel = fs.readdirSync(server).find(name => name.endsWith('.whl'));
  execFileSync(python, ['-m', 'pip', 'download', '-qqq', '--dest', folder, path.join(server, wheel)]);
  return folder;
}

/** Runs a test in an editor of its own and takes a screenshot and the logs when it fails. */
export async function inEditor(name, options, body) {
  const entry = env.BSL_SCOUT_CODE_SERVER || path.join(cacheFolder(), 'node_modules/code-server/out/node/entry.js');
  const vsix = env.BSL_SCOUT_VSIX || path.join(extension, 'dist/bsl-scout.vsix');
  const server = await CodeServer.start({ entry, vsix, python, ...options });
  let bench;
  try {
    bench = await Workbench.open(server, { artifacts, ...options });
    await body(bench, server);
  } catch (error) {
    await bench?.screenshot(`failed-${name}`);
    fs.writeFileSync(path.join(artifacts, `failed-${name}.log`), server.logs());
    throw error;
  } finally {
    await bench?.close();
    await server.stop();
  }
}

/** Removes the copies. */
export function cleanUp() {
  return removeFolder(scratch);
}

function fakePython() {
  const file = path.join(scratch, 'fake-python');
  const server = path.join(extension, 'test/fake-server.mjs');
  const script = `#!/bin/sh\nif [ "$1" = -c ]; then echo "3 11 64 $0"; exit 0; fi\nexec "${process.execPath}" "${server}" "$@"\n`;
  fs.writeFileSync(file, script, { mode: 0o755 });
  return file;
}
