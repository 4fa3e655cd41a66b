/** The folder of environments: what is in use, what is removed, and that one window at a time changes it. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Environments, type Environment } from '../src/environments';
import { alone } from '../src/lock';

let root: string;
let environments: Environments;

beforeEach(() => {
  root = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'bsl scout ё-')), 'env');
  environments = new Environments(root);
});
afterEach(() => fs.rmSync(path.dirname(root), { recursive: true, force: true }));

// an environment as far as these rules look at it
function made(key: string): Environment {
  const place = environments.fresh(key);
  const python = path.join(place, 'bin', 'python');
  fs.mkdirSync(path.dirname(python), { recursive: true });
  fs.writeFileSync(python, '');
  return { key, place, python, version: '3.11', components: ['models'] };
}

const never = new AbortController().signal;
const dead = 2 ** 22 + 1; // above the largest process id of Linux

test('nothing is in use before the marker is written, nor when the interpreter is gone', () => {
  assert.equal(environments.current(), undefined);
  const first = made('aaaa');
  assert.equal(environments.current(), undefined);
  environments.use(first);
  assert.deepEqual(environments.current()?.components, ['models']);
  assert.equal(environments.current()?.place, first.place);
  fs.rmSync(first.python);
  assert.equal(environments.current(), undefined);
});

test('a damaged marker is as none', () => {
  const first = made('aaaa');
  environments.use(first);
  for (const text of ['', '{"key": "aaaa"', '[]', 'null', '{"key": 1, "place": ""}']) {
    fs.writeFileSync(path.join(root, 'current.json'), text);
    assert.equal(environments.current(), undefined, text);
    assert.deepEqual(environments.sweep(), []);
    assert.ok(fs.existsSync(first.python), 'and nothing is removed because of it');
  }
});

test('an installation that was broken off leaves the one before, and is removed with the next that works', () => {
  const first = made('aaaa');
  environments.use(first);
  const half = made('bbbb');
  assert.equal(environments.current()?.place, first.place);
  environments.sweep();
  assert.ok(!fs.existsSync(half.place));
  const second = made('bbbb');
  environments.use(second);
  assert.ok(fs.existsSync(first.place), 'until the sweep');
  assert.deepEqual(environments.sweep(), []);
  assert.ok(!fs.existsSync(first.place));
  assert.equal(environments.current()?.place, second.place);
});

test('an environment that another window uses stays until that window is closed', () => {
  const first = made('aaaa');
  environments.use(first);
  const claim = environments.claim(first);
  environments.use(made('bbbb'));
  environments.sweep();
  assert.ok(fs.existsSync(first.place));
  claim.dispose();
  fs.writeFileSync(path.join(first.place, `in-use-${dead}`), ''); // of a window that crashed
  environments.sweep();
  assert.ok(!fs.existsSync(first.place));
});

test('an environment that Windows has moved elsewhere is removed there', () => {
  const moved = { ...made('aaaa'), place: path.join(path.dirname(root), 'moved') };
  fs.mkdirSync(moved.place);
  environments.use(moved);
  environments.use(made('bbbb'));
  environments.use(made('cccc'));
  environments.sweep();
  assert.ok(!fs.existsSync(moved.place));
  assert.equal(fs.readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory()).length, 1);
});

test('one at a time; who waits says so', async () => {
  fs.mkdirSync(root, { recursive: true });
  const file = path.join(root, 'lock');
  const order: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>(resolve => (release = resolve));
  const first = alone(file, never, () => assert.fail('the first does not wait'), async () => {
    await held;
    order.push('first');
  });
  const second = alone(file, never, release, () => Promise.resolve(order.push('second')));
  await Promise.all([first, second]);
  assert.deepEqual(order, ['first', 'second']);
  assert.ok(!fs.existsSync(file));
});

test('the lock of a dead process and one that is no longer renewed are taken over, waiting can be broken off', async () => {
  fs.mkdirSync(root, { recursive: true });
  const file = path.join(root, 'lock');
  const take = () => alone(file, never, () => assert.fail('it is not waited for'), () => Promise.resolve(true));
  fs.writeFileSync(file, String(dead));
  assert.ok(await take());
  fs.writeFileSync(file, String(process.pid));
  const before = new Date(Date.now() - 60_000);
  fs.utimesSync(file, before, before);
  assert.ok(await take());
  fs.writeFileSync(file, String(process.pid));
  const stop = new AbortController();
  await assert.rejects(alone(file, stop.signal, () => stop.abort(), () => Promise.resolve()), { name: 'AbortError' });
  assert.ok(fs.existsSync(file), 'it is the lock of another');
});
