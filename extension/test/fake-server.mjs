// A server that speaks the protocol without any index: for trying the extension alone. Every word of a query that a procedure's
// text contains counts; `crash` as a query kills it, `slow` delays the answer, `bad` fails, `doubt` finds nothing convincing.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const rpc = createRequire(import.meta.url)('vscode-jsonrpc/node');
const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(process.stdin), new rpc.StreamMessageWriter(process.stdout));
let folder = '';
let procedures = [];

function load() {
  procedures = [];
  for (const name of fs.readdirSync(folder, { recursive: true })) {
    if (!/\.(bsl|os)$/.test(name)) {
      continue;
    }
    const lines = fs.readFileSync(path.join(folder, name), 'utf8').replace(/^\ufeff/, '').split(/\r?\n/);
    lines.forEach((line, index) => {
      const head = /^(Процедура|Функция)\s+([\wа-яё]+)/i.exec(line);
      if (head) {
        const end = lines.findIndex((other, at) => at > index && /^Конец(Процедуры|Функции)/i.test(other));
        procedures.push({ name, symbol: head[2], kind: head[1] === 'Функция' ? 'function' : 'procedure', line: index, lines: lines.slice(index, end + 1) });
      }
    });
  }
  return new Set(procedures.map(one => one.name)).size;
}

function search(query, top) {
  const words = query.toLowerCase().split(/\s+/).map(word => word.slice(0, 6));
  const count = one => words.filter(word => one.lines.join('\n').toLowerCase().includes(word)).length + words.filter(word => one.symbol.toLowerCase().includes(word)).length;
  const found = procedures.map(one => ({ one, score: count(one) })).filter(row => row.score > 0).sort((a, b) => b.score - a.score);
  return found.slice(0, top).map(({ one, score }, rank) => {
    const offset = Math.max(one.lines.findIndex(line => words.some(word => line.toLowerCase().includes(word))), 0);
    const snippet = one.lines[offset];
    const matches = words.map(word => [snippet.toLowerCase().indexOf(word), word.length]).filter(([at]) => at >= 0).map(([at, length]) => [at, at + length]);
    return {
      rank: rank + 1, root: '.', path: one.name, uri: pathToFileURL(path.join(folder, one.name)).href, symbol: one.symbol, kind: one.kind,
      line: one.line + 1, endLine: one.line + one.lines.length, score, ranks: { lexical: rank + 1 }, owner: `Документ.${one.name.split(path.sep)[1]}`,
      module: 'МодульОбъекта', words: 'модуль объекта', synonym: null, snippet, snippetLine: one.line + offset + 1, matches, also: [], translated: {},
    };
  });
}

const status = (state, indexed, pending) => {
  const progress = state === 'indexing' ? { stage: 'modules', done: indexed, total: indexed + pending } : { stage: '', done: 0, total: 0 };
  return connection.sendNotification('bslScout/indexStatus', { state, indexed, pending, progress, legs: ['lexical'], message: '' });
};

async function index() {
  const modules = load();
  if (!modules) {
    return status('empty', 0, 0);
  }
  for (let step = 0; step < 10; step++) {
    status('indexing', Math.round((modules * step) / 10), Math.round((modules * (10 - step)) / 10));
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  return status('ready', modules, 0);
}

connection.onRequest('initialize', params => {
  folder = fileURLToPath(params.workspaceFolders?.[0]?.uri ?? params.rootUri);
  return { capabilities: { textDocumentSync: { openClose: true, change: 1, save: true } } };
});
connection.onNotification('initialized', () => void index());
connection.onRequest('bslScout/findLogic', async ({ query, top }, token) => {
  if (query === 'crash') {
    process.exit(1);
  }
  if (query === 'bad') {
    throw new rpc.ResponseError(-32602, 'Пустой запрос');
  }
  for (let wait = query === 'slow' ? 20 : 0; wait > 0; wait--) {
    await new Promise(resolve => setTimeout(resolve, 100));
    if (token.isCancellationRequested) {
      throw new rpc.ResponseError(-32800, 'cancelled');
    }
  }
  const hits = search(query, top ?? 10);
  return {
    query, mode: 'lexical', route: { mode: 'lexical', reason: '', confidence: 1, code: 'asked', names: [] }, legs: ['lexical'], convincing: !query.includes('doubt'),
    fresh: { indexed: procedures.length, pending: 0 }, elapsedMs: 1, hits,
  };
});
connection.onRequest('bslScout/stopIndexing', () => ({}));
connection.onRequest('bslScout/rebuildIndex', () => { void index(); return {}; });
connection.onNotification('textDocument/didSave', () => void load());
connection.onRequest('shutdown', () => null);
connection.onNotification('exit', () => process.exit(0));
connection.listen();
