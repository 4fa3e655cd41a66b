// Takes the pictures of the walkthrough in both languages, and those of README: node e2e/pictures.mjs (with the variables of the tests)
import path from 'node:path';
import { DARK, FIND, LIGHT } from './cases.mjs';
import { cleanUp, demo, inEditor, placeOf } from './setting.mjs';

const RATES = 'CommonModules/КурсыВалютСервер/Ext/Module.bsl';
const FORM = 'Documents/ЗаказПокупателя/Forms/ФормаДокумента/Ext/Form.xml';
const media = path.resolve(import.meta.dirname, '../media');
const images = path.resolve(import.meta.dirname, '../../docs/images');
const TITLES = {
  en: { find: 'Find Logic', suffix: '' },
  ru: { find: 'Найти логику', suffix: '.ru' },
};

for (const [lang, titles] of Object.entries(TITLES)) {
  await inEditor(`pictures-${lang}`, { folder: demo(`pictures-${lang}`), settings: LIGHT, russian: lang === 'ru' }, async (bench, server) => {
    const takeWindow = name => lang === 'ru' && bench.page.screenshot({ path: path.join(images, `${name}-ru.png`) });
    const take = (name, part) => part.screenshot({ path: path.join(media, `${name}${titles.suffix}.png`) });
    await bench.indexed();
    await bench.meaning();
    await withoutMessage(bench);
    await bench.command(`BSL Scout: ${titles.find}`);
    await bench.type('пересчитать курс валюты');
    await bench.rows('Пересчитать').first().waitFor();
    await take('find', bench.page.locator('.quick-input-widget'));
    await takeWindow('find-logic');
    await bench.press('Escape');
    await bench.closed();

    await bench.open(FORM);
    await bench.goTo(...placeOf(path.join(server.folder, FORM), '<DataPath>Объект.Контрагент</DataPath>', 'Контрагент'));
    await bench.card();
    await take('bindings', bench.page.locator('.monaco-editor .monaco-hover:not(.hidden)').first());
    await takeWindow('form-hover');
    await bench.press('Escape');

    if (lang === 'ru') {
      return; // the copied text is one for both
    }
    await bench.open(RATES);
    await bench.goTo(...placeOf(path.join(server.folder, RATES), 'Функция ПересчитатьВВалютуУчета('));
    await bench.command('BSL Scout: Copy Procedure for Chat');
    const told = await bench.notification(/ПересчитатьВВалютуУчета/);
    await told.locator('.monaco-button', { hasText: 'Show' }).click();
    await bench.shows('## CALLED BY');
    const box = await bench.page.locator('.editor-group-container.active .overflow-guard').first().boundingBox();
    await bench.page.screenshot({ path: path.join(media, 'copy.png'), clip: { ...box, width: 780, height: 370 } });
  });
}
await inEditor('pictures-dark', { folder: demo('pictures-dark'), settings: DARK }, async bench => {
  await bench.indexed();
  await bench.meaning();
  await withoutMessage(bench);
  await bench.command(FIND);
  await bench.type('отправить письмо');
  await bench.rows('ОтправитьПисьмо').first().waitFor();
  await bench.page.screenshot({ path: path.join(images, 'find-logic-dark.png') });
});
await cleanUp();

/** Puts away the message that the first index is ready. */
async function withoutMessage(bench) {
  const message = await bench.notification(/BSL Scout (is ready|готов)/);
  await message.hover();
  await message.locator('.codicon-notifications-clear').click();
  await message.waitFor({ state: 'hidden' });
}
