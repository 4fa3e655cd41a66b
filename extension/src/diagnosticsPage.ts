/** The report as a page without scripts, and as a text for a message: pure functions. */
import type { Item, List, Report, Section } from './diagnosticsReport';
import type { Words } from './format';
import { number } from './plural';

/** So many problems of a kind are shown at first, and so many are copied. */
export const SHOWN = 200;
const COPIED = 20;

/** The commands that links of the page may run. */
export const PAGE_COMMANDS = ['bslScout.indexStatus', 'bslScout.copyDiagnostics', 'bslScout.openHit', 'bslScout.rebuildIndex', 'bslScout.stopIndexing', 'bslScout.showLog'];

const STYLE = `
body { max-width: 70em; padding: 0 1.5em 2em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.3em; margin-top: 1.6em; border-bottom: 1px solid var(--vscode-panel-border, currentColor); }
h3 { font-size: 1.1em; margin-bottom: .3em; } h4 { font-size: 1em; margin: .8em 0 .2em; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .15em 1.5em .15em 0; overflow-wrap: anywhere; }
th { font-weight: normal; color: var(--vscode-descriptionForeground); min-width: 14em; }
ul { padding-left: 1.3em; margin: .2em 0; } li { margin: .15em 0; overflow-wrap: anywhere; }
nav a { display: inline-block; margin: 0 .5em .5em 0; padding: .35em .9em; text-decoration: none;
  color: var(--vscode-button-foreground); background: var(--vscode-button-background); border: 1px solid var(--vscode-button-border, transparent); }
nav a:hover { background: var(--vscode-button-hoverBackground); color: var(--vscode-button-foreground); }
a:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;

/** Returns the page; its links run commands of the editor, so that it needs no script. With `all` no list is cut. */
export function reportPage(report: Report, words: Words, nonce: string, all: boolean): string {
  const { t } = words;
  const actions = [
    [t('Refresh'), 'bslScout.indexStatus'],
    [t('Copy Diagnostics'), 'bslScout.copyDiagnostics'],
    [t('Show Log'), 'bslScout.showLog'],
    report.indexing ? [t('Stop Indexing'), 'bslScout.stopIndexing'] : [t('Rebuild Index'), 'bslScout.rebuildIndex'],
  ].map(([title, name]) => `<a role="button" href="command:${name}">${escaped(title)}</a>`);
  return `<!DOCTYPE html>
<html lang="${words.lang}">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'">
<title>${escaped(report.title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${escaped(report.title)}</h1>
<p role="status">${escaped(report.summary)}</p>
<nav aria-label="${escaped(t('Actions'))}">${actions.join('')}</nav>
${report.sections.map(one => sectionHtml(one, words, all)).join('\n')}
</main></body></html>`;
}

function sectionHtml({ level, title, rows, lists, note }: Section, words: Words, all: boolean): string {
  const table = rows.map(([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(value)}</td></tr>`).join('');
  return [
    `<h${level}>${escaped(title)}</h${level}>`,
    table && `<table>${table}</table>`,
    note && `<p>${escaped(note)}</p>`,
    ...lists.map(list => listHtml(list, words, all)),
  ].filter(Boolean).join('\n');
}

function listHtml({ title, items }: List, words: Words, all: boolean): string {
  const shown = all ? items : items.slice(0, SHOWN);
  const rest = items.length - shown.length;
  const more = rest ? `<p>${escaped(shownText(shown.length, items.length, words))} <a href="${commandUri('bslScout.indexStatus', { all: true })}">${escaped(words.t('Show all'))}</a></p>` : '';
  return `${title && `<h4>${escaped(title)}</h4>`}<ul>${shown.map(itemHtml).join('')}</ul>${more}`;
}

function itemHtml({ text, target, label }: Item): string {
  return target
    ? `<li><a href="${commandUri('bslScout.openHit', target)}">${escaped(label ?? '')}</a>: ${escaped(text)}</li>`
    : `<li>${escaped(text)}</li>`;
}

function commandUri(name: string, argument: object): string {
  return escaped(`command:${name}?${encodeURIComponent(JSON.stringify([argument]))}`);
}

function shownText(shown: number, count: number, { t, lang }: Words): string {
  return t('The first {0} of {1} are shown.', number(shown, lang), number(count, lang));
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Returns the report as Markdown: no addresses, paths relative to their folders, and every cut told. */
export function reportText(report: Report, words: Words): string {
  const parts = report.sections.map(({ level, title, rows, lists, note }) => [
    `${'#'.repeat(level)} ${title}`,
    ...rows.map(([label, value]) => `- ${label}: ${value}`),
    ...(note ? [note] : []),
    ...lists.flatMap(list => listText(list, words)),
    '',
  ]);
  return [`# ${report.title}`, report.summary, '', ...parts.flat()].join('\n').trimEnd() + '\n';
}

function listText({ title, items }: List, words: Words): string[] {
  const shown = items.slice(0, COPIED).map(({ label, text }) => `- ${label ? `${label}: ` : ''}${text}`);
  const cut = items.length > COPIED ? [shownText(COPIED, items.length, words)] : [];
  return [...(title ? [`#### ${title}`] : []), ...shown, ...cut];
}
