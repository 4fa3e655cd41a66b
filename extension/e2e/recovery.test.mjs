// What goes wrong outside and comes right again: sources that are out of reach, a disk without room. One message, and it goes by itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { find, LIGHT, realTest } from './cases.mjs';
import { pause } from './code-server.mjs';
import { demo, freshMachine } from './setting.mjs';
import { until } from './workbench.mjs';

const COMMON = 'CommonModules/ОбщегоНазначения/Ext/Module.bsl';
const OUT_OF_REACH = /cannot be reached\. Search answers from the index made before\. .*by itself/;
const FULL = /The disk of the index is full\..*by itself/;
const NO_SPACE = /The disk of .* has \d+ MB free, \d+ MB are needed/;

realTest('gone', 'the folder of the sources is renamed, and comes back', () => ({ folder: demo('gone'), settings: LIGHT }), async (bench, server) => {
  await bench.indexed();
  const away = `${server.folder}-away`;
  fs.renameSync(server.folder, away);
  // nobody saves anything: the watcher of the editor tells it
  await bench.status(/sources out of reach/);
  const message = await bench.notification(OUT_OF_REACH);
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
  await bench.titled(/sources out of reach/);
  await bench.screenshot('gone-light');
  await pause(8_000);
  assert.equal(await bench.toasts(OUT_OF_REACH).count(), 1);
  await bench.press('Enter');
  await bench.notification(/the file could not be opened/);

  const module = path.join(away, COMMON);
  fs.appendFileSync(module, '\nПроцедура ПокаНеБылоПапки()\nКонецПроцедуры\n');
  fs.renameSync(away, server.folder);
  await bench.indexed();
  await message.waitFor({ state: 'hidden' });
  await find(bench, 'пока не было папки');
  await bench.rows('ПокаНеБылоПапки').first().waitFor();
  await bench.screenshot('gone-back-light');
  assert.doesNotMatch(await bench.quickTitle(), /out of reach/);
});

realTest('folders', 'folders of objects come, are renamed and go, as with another branch', () => ({ folder: demo('folders'), settings: LIGHT }), async (bench, server) => {
  await bench.indexed();
  const modules = path.join(server.folder, 'CommonModules');
  const at = (name, number) => path.join(modules, `${name}${number}`);
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  // each folder and its file at once: most files are written before the editor watches the folder
  for (const number of numbers) {
    fs.mkdirSync(path.join(at('ИзВетки', number), 'Ext'), { recursive: true });
    fs.writeFileSync(path.join(at('ИзВетки', number), 'Ext/Module.bsl'), `Процедура СклеитьКоробку${number}() Экспорт\nКонецПроцедуры\n`);
  }
  const listed = (module, count) =>
    until(async () => {
      await find(bench, 'склеить коробку1');
      await bench.rows().first().waitFor();
      await pause(500);
      const found = await bench.rows(module).count();
      await bench.press('Escape');
      return found === count;
    }, `${count} rows of ${module}`);
  await bench.status(/BSL Scout: 59 modules/);
  await listed('module ИзВетки1 ', 1);
  fs.renameSync(at('ИзВетки', 1), at('Другое', 1));
  await listed('module Другое1 ', 1);
  await listed('module ИзВетки1 ', 0);
  fs.rmSync(at('Другое', 1), { recursive: true });
  numbers.slice(1).forEach(number => fs.rmSync(at('ИзВетки', number), { recursive: true }));
  await bench.status(/BSL Scout: 51 modules/);
});

smallDiskTest('full-index', 'the disk of the index is full', 'index', 600, () => ({ folder: demo('full-index'), settings: LIGHT }), async (bench, server, disk) => {
  await bench.status(/the disk is full/);
  const message = await bench.notification(FULL);
  await bench.screenshot('full-index-light');
  await find(bench, 'отправить письмо');
  await bench.titled(/the disk is full|indexing/);
  await bench.press('Escape');
  await pause(8_000);
  assert.equal(await bench.toasts(FULL).count(), 1);
  disk.grow();
  await bench.indexed();
  await message.waitFor({ state: 'hidden' });
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
});

smallDiskTest('full-setup', 'the disk of the environment is full', 'env', 40_000, () => ({ ...freshMachine('full-setup'), folder: demo('full-setup'), settings: LIGHT }), async (bench, server, disk) => {
  const message = await bench.notification(NO_SPACE, 60_000);
  await bench.status(/not set up/);
  await bench.screenshot('full-setup-light');
  await pause(1_000); // the editor drops the fourth notification within 0.8 s
  await bench.answer(message, 'Retry');
  await bench.notification(NO_SPACE);
  assert.equal(await bench.toasts(NO_SPACE).count(), 1);
  disk.grow();
  // not by the button of the message: it goes away all the same
  await bench.command('BSL Scout: Restart Server');
  await bench.toasts(NO_SPACE).first().waitFor({ state: 'hidden' });
  await bench.indexed();
  assert.equal(await bench.toasts(/could not be set up/).count(), 0);
  await find(bench, 'отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
});

/** Runs a test with a disk of so many KB in place of a folder of the extension, where that can be mounted. */
function smallDiskTest(name, title, folder, kilobytes, options, body) {
  if (spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status !== 0) {
    test(title, { skip: 'only root may mount a small disk' });
    return;
  }
  let place;
  const mount = (...args) => assert.equal(spawnSync('mount', args).status, 0, args.join(' '));
  const prepare = server => {
    place = path.join(server.storage, folder);
    fs.mkdirSync(place, { recursive: true });
    mount('-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', place);
  };
  const disk = { grow: () => mount('-o', 'remount,size=2g', place) };
  realTest(name, title, () => ({ ...options(), prepare, leave: () => spawnSync('umount', ['-l', place]) }), (bench, server) => body(bench, server, disk));
}
