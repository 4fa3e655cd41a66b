/** How and where to search: the lists to choose from. */
import * as vscode from 'vscode';
import { collectionName } from './format';
import { modeDetail, modeName, MODES } from './modes';
import type { Collection, Mode } from './protocol';
import { words } from './words';

const COLLECTIONS: Collection[] = ['all', 'code', 'metadata', 'form'];

/** Lets a mode of search be chosen; undefined when none was. */
export async function pickMode(current: Mode): Promise<Mode | undefined> {
  const own = words();
  const items = MODES.map(mode => ({ label: marked(modeName(mode, own), mode === current), detail: modeDetail(mode, own), mode }));
  return (await vscode.window.showQuickPick(items, { title: own.t('Search Mode') }))?.mode;
}

/** Lets be chosen where to search; undefined when nothing was. */
export async function pickCollection(current: Collection): Promise<Collection | undefined> {
  const own = words();
  const items = COLLECTIONS.map(one => ({ label: marked(collectionName(one, own), one === current), collection: one }));
  return (await vscode.window.showQuickPick(items, { title: own.t('Where to Search') }))?.collection;
}

function marked(label: string, isCurrent: boolean): string {
  return `${isCurrent ? '$(check) ' : ''}${label}`;
}
