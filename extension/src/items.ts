/** The rows of the list of results. */
import * as vscode from 'vscode';
import { hitIcon, hitTexts, nameTexts, plain, type Words } from './format';
import { noticeText, whyText } from './modes';
import { isOnlyNames, withOtherName } from './narrowing';
import type { Answer, Hit, ObjectNames } from './protocol';
import { LOOKED_FOR, statusView, type ScoutStatus } from './statusText';

export interface Item extends vscode.QuickPickItem {
  hit?: Hit;
  /** A name that the row puts after the `@` in the query. */
  insert?: string;
  /** A command that the row runs. */
  command?: string;
  /** A query that the row asks again. */
  query?: string;
}

interface RowButtons {
  side: vscode.QuickInputButton;
  copy: vscode.QuickInputButton;
  forget: vscode.QuickInputButton;
}

/** Returns the buttons of a row. */
export function rowButtons({ t }: Words): RowButtons {
  return {
    side: { iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: t('Open to the Side') },
    copy: { iconPath: new vscode.ThemeIcon('copy'), tooltip: t('Copy Name') },
    forget: { iconPath: new vscode.ThemeIcon('close'), tooltip: t('Remove from History') },
  };
}

/** Returns the rows of an answer in the order of the server; `advice` stands below an answer without hits. */
export function answerItems(answer: Answer, words: Words, buttons: vscode.QuickInputButton[], advice: string): Item[] {
  const { t, lang } = words;
  const notices = noticeItems(answer, words);
  if (answer.hits.length === 0) {
    return notices.length ? notices : [infoItem(t('Nothing found'), advice)];
  }
  // just the objects that are named were asked for: the query says why they are there
  const named = isOnlyNames(answer.query);
  const items = answer.hits.map((hit): Item => ({
    ...hitTexts(hit, lang, named ? '' : whyText(hit, words)),
    iconPath: new vscode.ThemeIcon(hitIcon(hit.kind)),
    alwaysShow: true,
    buttons,
    hit,
  }));
  if (!answer.convincing) {
    // a row: a separator would stand beside the first hit, where nobody reads it
    items.unshift(infoItem(t('Nothing convincing was found; the nearest:'), '', 'question'));
  }
  return [...notices, ...items];
}

/** Returns the rows that say what the query names and is not here, and those that ask again with a name that is. */
function noticeItems({ route, query }: Answer, words: Words): Item[] {
  const notice = noticeText(route, words);
  if (!notice) {
    return [];
  }
  const [wrong, ...similar] = route.code === 'unknown-name' ? route.names : [];
  const others = similar.map((name): Item => ({ ...nameTexts(name, '', words), ...row('symbol-class'), query: withOtherName(query, wrong, name) }));
  return [infoItem(plain(notice), '', 'question'), ...others];
}

/** Returns the rows of the queries that were asked before. */
export function historyItems(queries: string[], { t }: Words, forget: vscode.QuickInputButton): Item[] {
  const rows = queries.map((query): Item => ({
    label: plain(query),
    iconPath: new vscode.ThemeIcon('history'),
    alwaysShow: true,
    buttons: [forget],
    query,
  }));
  return rows.length ? [{ label: t('Recent queries'), kind: vscode.QuickPickItemKind.Separator }, ...rows] : [];
}

/** Returns the rows of the objects that a query can be narrowed to. */
export function nameItems({ names }: ObjectNames, words: Words): Item[] {
  const { t } = words;
  if (names.length === 0) {
    return [infoItem(t('No object is called so'), t('After @ stands a metadata object, a kind of objects or a subsystem.'))];
  }
  return names.map(({ name, title }) => ({ ...nameTexts(name, title, words), ...row('symbol-class'), insert: name }));
}

function row(icon: string): Pick<Item, 'iconPath' | 'alwaysShow'> {
  return { iconPath: new vscode.ThemeIcon(icon), alwaysShow: true };
}

/** Returns the row that says why there is no answer. */
export function infoItem(label: string, detail = '', icon = 'info'): Item {
  return { label, detail, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true };
}

/** Returns rows that say that there is nothing to search, what was looked for, and what can be done. */
export function emptyItems({ t }: Words): Item[] {
  return [
    infoItem(t('No 1C sources here'), t('Looked for: {0}', LOOKED_FOR), 'warning'),
    offer(t('Open Folder…'), 'folder-opened', 'workbench.action.files.openFolder'),
    offer(t('Choose folders of sources in the settings'), 'gear', 'bslScout.openRootsSetting'),
    offer(t('Getting Started'), 'book', 'bslScout.gettingStarted'),
  ];
}

function offer(label: string, icon: string, command: string): Item {
  return { label, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, command };
}

/** Returns rows that say why the server does not run, and what can be done. */
export function problemItems(status: ScoutStatus, words: Words): Item[] {
  const { t } = words;
  return [
    infoItem(t('The search does not work now'), statusView(status, words).detail, 'error'),
    ...(status.state === 'noPython' ? [offer(t('Open Settings'), 'gear', 'bslScout.openSettings')] : []),
    offer(t('Restart Server'), 'debug-restart', 'bslScout.restartServer'),
    offer(t('Show Log'), 'output', 'bslScout.showLog'),
  ];
}
