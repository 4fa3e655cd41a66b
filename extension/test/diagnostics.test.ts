import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE_COMMANDS, reportPage, reportText, SHOWN } from '../src/diagnosticsPage';
import { makeReport, type Surroundings } from '../src/diagnosticsReport';
import { momentText, sizeText, withoutPaths } from '../src/diagnosticsWords';
import type { Diagnostics, FolderDiagnostics, IndexContent, Problem } from '../src/protocol';
import { STARTING } from '../src/statusText';
import { en, ru } from './russian';

const NOW = new Date('2026-03-01T10:00:00Z');
const AROUND: Surroundings = {
  extension: '0.1.0', editor: '1.100.3 (VS Code)', system: 'Linux 6 x64', remote: '', paths: ['/home/ivan', '/home/ivan/Проект Один', 'C:\\Users\\Иван Петров'],
};
const problem = (change: Partial<Problem> = {}): Problem => ({ path: 'Documents/Заказ №1.xml', message: 'повреждённый XML', kind: 'broken', line: 12, ...change });
const content = (change: Partial<IndexContent> = {}): IndexContent => ({
  roots: [{ name: 'Торговля', kind: 'configuration', format: 'designer', path: '.' }, { name: 'Доработки', kind: 'extension', format: 'edt', path: 'ext/one' }],
  files: 2197, procedures: 38310, objects: 3000, forms: 874, codeChunks: 48000, metadataChunks: 2000,
  vectors: { count: 50000, missing: 0, dimensions: 128, model: '', wanted: '', adapted: false },
  created: '2026-02-28T10:00:00+00:00', refreshed: '2026-03-01T09:55:00+00:00', walked: null, pending: 0, problems: [], ...change,
});
const folder = (change: Partial<FolderDiagnostics> = {}): FolderDiagnostics => ({
  name: 'Проект Один', uri: 'file:///home/ivan/%D0%9F', state: 'ready', message: '', indexed: 2197, pending: 0, progress: { stage: '', done: 0, total: 0 }, waiting: 0, legs: ['lexical', 'vector'],
  store: 'exact', storeProblem: '', encoderProblem: '', adaptation: STARTING.adaptation, index: 'ready', indexProblem: '',
  bytes: { catalog: 124_870_656, models: 0, chroma: 0, other: 0 }, content: content(), ...change,
});
const answer = (folders = [folder()], errors: Diagnostics['errors'] = []): Diagnostics => ({
  folders, errors, versions: { server: '0.1.0', python: '3.11.7', sqlite: '3.40.1', system: 'Linux 6 x86_64' },
});
const report = (given: Diagnostics | undefined, words = ru, why = '') => makeReport({ ...STARTING, state: 'ready', indexed: 2197 }, given, why, AROUND, words, NOW);

test('the report tells sources, counts, freshness, search, sizes and versions in both languages', () => {
  const text = reportText(report(answer()), ru);
  const lines = text.replace(/[^\S\n]/g, ' ').split('\n');
  for (const line of [
    '## Папка Проект Один',
    '- Торговля: конфигурация, выгрузка Конфигуратора (XML)',
    '- Доработки: расширение конфигурации, проект EDT, ext/one',
    '- Модули: 2197',
    '- Процедуры и функции: 38 310',
    '- Векторы: 50 000',
    '- По смыслу: да',
    '- Модель: модель BSL из поставки, чисел в векторе: 128',
    '- Все исходники сверены: неизвестно',
    '- Всего: 125 МБ',
    '### Проблемы в исходниках: 0',
    'Без проблем: 2197 модулей.',
    '- SQLite: 3.40.1',
    '- Python: 3.11.7',
  ]) {
    assert.ok(lines.includes(line), `${line}\n${text}`);
  }
  assert.match(text, /- Обновлён: .*2026.* \(5 минут назад\)/);
  assert.match(reportText(report(answer(), en), en), /- Brought up to date: .*2026.* \(5 minutes ago\)/);
  for (const words of [ru, en]) {
    assert.ok(!/missing: |\{\d\}|undefined|null/.test(reportText(report(answer(), words), words).replace(/, missing: /g, '')));
  }
});

test('each folder stands for itself, and what cannot be read says why', () => {
  const states = (['none', 'other-version', 'damaged', 'unavailable'] as const).map(index =>
    folder({ name: index, index, indexProblem: 'database is locked', content: null, state: 'indexing' }),
  );
  const text = reportText(report(answer([folder(), ...states])), ru);
  for (const line of ['Его ещё нет.', 'Его построила другая версия', 'Он повреждён и строится заново: database is locked', 'Сейчас его не прочитать: database is locked']) {
    assert.ok(text.includes(`- Индекс на диске: ${line}`), line);
  }
  assert.equal(text.match(/^## Папка /gm)?.length, 5);
});

test('a server that does not answer leaves a page that says so', () => {
  const text = reportText(report(undefined, ru, 'нет Python в /home/ivan/venv/bin/python'), ru);
  assert.match(text, /Сервер не отвечает, поэтому здесь нет его папок и версий: нет Python в …/);
  assert.match(text, /- Расширение: 0\.1\.0/);
  assert.ok(!text.includes('ivan'));
  assert.match(reportText(report(answer([])), ru), /Папка не открыта\./);
});

test('models, stores and their problems are told', () => {
  const vectors = { count: 10, missing: 5, dimensions: 384, model: 'e5', wanted: '', adapted: false };
  const text = reportText(report(answer([folder({ legs: ['lexical'], store: 'chroma-server', storeProblem: 'нет ответа', content: content({ vectors }) })])), ru);
  for (const line of ['- Векторы: 10, не хватает: 5', '- По смыслу: сейчас нет', '- Где хранятся векторы: сервер Chroma', '- Модель: e5, чисел в векторе: 384',
    '- Запрошенная модель: модель BSL из поставки', '- Что с хранилищем: нет ответа']) {
    assert.ok(text.split('\n').includes(line), line);
  }
});

test('problems are links to their places, grouped by kind', () => {
  const problems = [problem(), problem({ path: 'CommonModules/А/Ext/Module.bsl', message: 'модуль пуст', kind: 'empty', line: null }), problem({ path: '.', message: 'модели нет', kind: 'model', line: null })];
  const page = reportPage(report(answer([folder({ content: content({ problems }) })])), ru, 'n0', false);
  assert.match(page, /<h4>Повреждённые XML и JSON: 1<\/h4>/);
  assert.match(page, /<li>модели нет<\/li>/);
  const links = [...page.matchAll(/href="command:bslScout\.openHit\?([^"]+)"/g)].map(match => JSON.parse(decodeURIComponent(match[1])) as unknown);
  assert.deepEqual(links, [
    [{ uri: `file:///home/ivan/%D0%9F/Documents/${encodeURIComponent('Заказ №1.xml')}`, line: 12 }],
    [{ uri: 'file:///home/ivan/%D0%9F/CommonModules/%D0%90/Ext/Module.bsl', line: 1 }],
  ]);
  assert.match(page, />Documents\/Заказ №1\.xml:12<\/a>: повреждённый XML/);
});

test('a long list says how much of it is shown, on the page and in the copy', () => {
  const problems = Array.from({ length: 1_500 }, (_, index) => problem({ path: `М${index}.bsl`, message: 'модуль пуст', kind: 'empty', line: null }));
  const long = report(answer([folder({ content: content({ problems }) })]));
  const links = (page: string): number => page.match(/command:bslScout\.openHit/g)?.length ?? 0;
  const page = reportPage(long, ru, 'n0', false);
  assert.equal(links(page), SHOWN);
  assert.match(page, /Показаны первые 200 из 1500\. <a href="command:bslScout\.indexStatus\?%5B%7B%22all%22%3Atrue%7D%5D">Показать все<\/a>/);
  const whole = reportPage(long, ru, 'n0', true);
  assert.equal(links(whole), 1_500);
  assert.ok(!whole.includes('Показаны первые'));
  const text = reportText(long, ru);
  assert.match(text, /#### Пустые модули: 1500/);
  assert.match(text, /Показаны первые 20 из 1500\./);
  assert.equal(text.match(/модуль пуст/g)?.length, 20);
});

test('the page runs no script, loads nothing and shows texts as they are', () => {
  const nasty = '<img src=x onerror=alert(1)> "&';
  const errors = [{ at: '2026-03-01T09:00:00+00:00', level: 'error' as const, message: nasty }];
  const page = reportPage(report(answer([folder({ name: nasty, content: content({ problems: [problem({ message: nasty })] }) })], errors)), ru, 'n0', false);
  assert.ok(!page.includes('<img'));
  assert.match(page, /&lt;img src=x onerror=alert\(1\)&gt; &quot;&amp;/);
  assert.match(page, /default-src 'none'; style-src 'nonce-n0'"/);
  assert.ok(!/<script|src=|https?:\/\/|style="/.test(page.replaceAll('src=x', '')));
  for (const [, command] of page.matchAll(/href="command:([\w.]+)/g)) {
    assert.ok(PAGE_COMMANDS.includes(command), command);
  }
});

test('the page can be read aloud and walked by keys', () => {
  const page = reportPage(report(answer([folder({ content: content({ problems: [problem()] }) })])), ru, 'n0', false);
  assert.match(page, /<html lang="ru">/);
  const levels = [...page.matchAll(/<h(\d)>/g)].map(match => Number(match[1]));
  assert.equal(levels.filter(level => level === 1).length, 1);
  levels.slice(1).forEach((level, index) => assert.ok(level <= levels[index] + 1, `h${level} after h${levels[index]}`));
  assert.ok(!/<td>[^<]*<\/td><th|<tr><td>/.test(page));
  assert.ok([...page.matchAll(/<a /g)].length === [...page.matchAll(/<a [^>]*href="command:/g)].length);
});

test('the copy names no path and no user, whoever wrote the text', () => {
  const errors = [
    '/home/ivan/Проект Один/src/М.bsl is gone', 'cannot open C:\\Users\\Иван Петров\\index\\catalog.sqlite', 'file:///c%3A/Users/ivan/x.xml', '\\\\server\\share\\ivan\\x.xml',
  ].map(message => ({ at: '2026-03-01T09:00:00+00:00', level: 'warning' as const, message }));
  const text = reportText(report(answer([folder({ message: 'нет /home/ivan/Проект Один/а', storeProblem: 'see /opt/ivan/chroma' })], errors)), ru);
  assert.ok(!/ivan|Иван|Users|home|share/.test(text), text);
  assert.match(text, /предупреждение: …\/src\/М\.bsl is gone/);
});

test('paths go, relative ones and texts stay', () => {
  const clean = (text: string): string => withoutPaths(text, ['/home/ivan']);
  assert.equal(clean('Documents/Заказ/Ext/ObjectModule.bsl:5'), 'Documents/Заказ/Ext/ObjectModule.bsl:5');
  assert.equal(clean('и/или, 1/2, http'), 'и/или, 1/2, http');
  assert.equal(clean('bad /tmp/a/b.txt, D:\\x\\y.txt'), 'bad …/b.txt, …/y.txt');
  assert.equal(clean('/home/ivan'), '…');
  assert.equal(withoutPaths('in /srv/my-app (1)+[x]/Storage-2/a', ['/srv/my-app (1)+[x]/Storage-2']), 'in …/a');
  assert.equal(withoutPaths('Roles/rooted.xml, /root/x', ['/root']), 'Roles/rooted.xml, …/x');
  assert.equal(withoutPaths('c:\\users\\иван петров\\a b\\x.xml', ['C:\\Users\\Иван Петров']), '…\\a b\\x.xml');
});

test('moments and sizes read as a person says them', () => {
  assert.equal(momentText(null, ru, NOW), 'неизвестно');
  assert.equal(momentText('nonsense', en, NOW), 'not known');
  assert.match(momentText('2026-03-01T09:59:30Z', en, NOW), /\(30 seconds ago\)$/);
  assert.match(momentText('2026-03-01T07:00:00Z', ru, NOW), /\(3 часа назад\)$/);
  assert.match(momentText('2026-02-27T10:00:00Z', en, NOW), /\(2 days ago\)$/);
  assert.equal(sizeText(0, en), '0 kB');
  assert.equal(sizeText(1_081_344, ru).replace(/\s/g, ' '), '1,1 МБ');
  assert.equal(sizeText(215_072_768, en), '215 MB');
});
