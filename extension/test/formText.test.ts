import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copiedText, isFormPath, limitProblem, noFormsText } from '../src/formText';
import type { FormContext } from '../src/protocol';
import { STARTING } from '../src/statusText';
import { en, ru } from './russian';

test('sources and modules of forms are known by their paths', () => {
  for (const path of [
    '/c/Catalogs/X/Forms/F/Ext/Form.xml',
    '/c/Catalogs/X/Forms/F/Ext/Form.bin',
    '/c/Catalogs/X/Forms/F.xml',
    '/c/CommonForms/F/Ext/Form/Module.bsl',
    '/p/src/Catalogs/X/Forms/F/Form.form',
    '/p/src/Catalogs/X/Forms/F/Module.bsl',
    '/e/Catalog/X/CatalogForm/F/CatalogForm.elem.json',
    '/e/Catalog/X/CatalogForm/F/CatalogForm.obj.bsl',
  ]) {
    assert.ok(isFormPath(path), path);
  }
  for (const path of ['/c/CommonModules/X/Ext/Module.bsl', '/c/Catalogs/X.xml', '/c/Catalogs/X/Ext/ObjectModule.bsl', '/c/a.json']) {
    assert.ok(!isFormPath(path), path);
  }
});

test('what was copied is told with everything that is not in it', () => {
  const whole: FormContext = {
    text: '', forms: ['Ф'], characters: 12345, tokens: 4115, warnings: [],
    leftOutRows: 0, leftOutProcedures: 0, leftOutForms: [],
  };
  assert.equal(copiedText(whole, ru), 'Скопировано: символов 12\u00a0345, токенов около 4115.');
  const cut = { ...whole, warnings: ['а', 'б'], leftOutRows: 7, leftOutProcedures: 3, leftOutForms: ['Х', 'У'] };
  assert.equal(
    copiedText(cut, ru),
    'Скопировано: символов 12\u00a0345, токенов около 4115; пропущено 7 строк структуры; пропущены 3 процедуры; ' +
      'пропущены 2 формы: Х, У; предупреждений: 2, см. журнал.',
  );
  const one = { ...whole, leftOutProcedures: 1, leftOutForms: ['Х'] };
  assert.equal(copiedText(one, en), 'Copied: 12,345 characters, about 4,115 tokens; 1 procedure left out; 1 form left out: Х.');
  assert.match(copiedText(one, ru), /; пропущена 1 процедура; пропущена 1 форма: Х\.$/);
});

test('a limit is a whole number of characters or -1', () => {
  for (const text of ['-1', '1', ' 40000 ']) {
    assert.equal(limitProblem(text, ru), undefined, text);
  }
  for (const text of ['', '0', '-2', '1.5', '40 000', 'много', '1e3']) {
    assert.equal(limitProblem(text, ru), 'Целое число символов или -1', text);
  }
});

test('without forms it is told why there are none', () => {
  assert.equal(noFormsText({ ...STARTING, state: 'ready' }, ru), 'BSL Scout: форм нет. В исходниках этого окна их нет.');
  assert.match(noFormsText({ ...STARTING, state: 'empty' }, ru), /^BSL Scout: форм нет\. Здесь нет исходников 1С\. Искали/);
  assert.match(noFormsText({ ...STARTING, state: 'indexing' }, en), /^BSL Scout: no forms\. Search already answers/);
});
