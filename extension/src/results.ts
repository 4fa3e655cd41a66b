/** The tree of pinned results: hits with their snippets, in the order of the search or by object. */
import * as vscode from 'vscode';
import type { Found } from './ask';
import { foundText, hitIcon, hitName, hitTexts, lineText, placeAndKind, resultsText, snippetLabel, spansWithin } from './format';
import { grouped, type Group } from './grouping';
import { whyText } from './modes';
import type { Target } from './open';
import { nameFirst } from './place';
import type { Hit } from './protocol';
import { words } from './words';

type Row = { hit: Hit; snippet: boolean; inGroup?: boolean } | { group: Group };

const GROUPED = 'bslScout.groupedResults';

export class Results implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView('bslScout.results', { treeDataProvider: this, showCollapseAll: true });
  private found: Found | undefined;

  constructor(private readonly state: vscode.Memento) {
    this.update();
  }

  get pinned(): Found | undefined {
    return this.found;
  }

  /** Shows a list in place of the one before it. */
  async pin(found: Found): Promise<void> {
    this.found = found;
    this.update();
    await vscode.commands.executeCommand('bslScout.results.focus');
  }

  /** Shows what a repeated search has found. */
  refresh(found: Found): void {
    this.found = found;
    this.update();
  }

  clear(): void {
    this.found = undefined;
    this.update();
  }

  /** Shows the hits by object, or in the order of the search; the choice is kept for the workspace. */
  async group(on: boolean): Promise<void> {
    await this.state.update(GROUPED, on);
    this.update();
  }

  getChildren(row?: Row): Row[] {
    const hits = this.found?.answer.hits ?? [];
    if (!row) {
      return this.isGrouped ? grouped(hits, words().lang).map(group => ({ group })) : hits.map(hit => ({ hit, snippet: false }));
    }
    if ('group' in row) {
      return row.group.hits.map(hit => ({ hit, snippet: false, inGroup: true }));
    }
    return row.snippet || !row.hit.snippet.trim() ? [] : [{ hit: row.hit, snippet: true }];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    if ('group' in row) {
      return groupItem(row.group);
    }
    const item = row.snippet ? snippetItem(row.hit) : hitItem(row.hit, row.inGroup);
    const line = row.snippet ? row.hit.snippetLine : row.hit.line;
    const target: Target = { uri: row.hit.uri, line, column: row.snippet ? 1 : row.hit.column };
    item.command = { command: 'bslScout.openHit', title: words().t('Open'), arguments: [target] };
    return item;
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }

  private get isGrouped(): boolean {
    return this.state.get(GROUPED, false);
  }

  private update(): void {
    const { t } = words();
    void vscode.commands.executeCommand('setContext', 'bslScout.hasPinned', this.found !== undefined);
    void vscode.commands.executeCommand('setContext', GROUPED, this.isGrouped);
    const found = this.found;
    // the only view of its container has no other place for the query than the title
    this.view.title = found ? asked(found) : t('Results');
    this.view.message = found && `${asked(found)}: ${foundText(found.answer, words())}`;
    this.changed.fire();
  }
}

function asked({ params, answer }: Found): string {
  return params.uri ? words().t('Similar to {0}', answer.query) : `«${params.query}»`;
}

function groupItem({ name, root, kind, hits }: Group): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.description = [root, kind, resultsText(hits.length, words())].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon(kind ? 'symbol-class' : 'file-code');
  return item;
}

function hitItem(hit: Hit, inGroup = false): vscode.TreeItem {
  const { lang } = words();
  const { name, place } = hitName(hit, lang);
  const at = hit.snippet.indexOf(name);
  const highlights = at < 0 ? [] : spansWithin(hit.matches, at, name.length);
  const item = new vscode.TreeItem({ label: name, highlights }, vscode.TreeItemCollapsibleState.Expanded);
  // the group tells the object already
  item.description = inGroup ? place.split(' · ').slice(1).join(' · ') : nameFirst(place, ownerOf(hit), lang) || hit.path;
  item.iconPath = new vscode.ThemeIcon(hitIcon(hit.kind));
  const places = [hit, ...hit.also].map(one => `${one.path}:${one.line}`);
  item.tooltip = [hit.symbol.startsWith('<') ? name : hit.symbol, hitTexts(hit, lang).description, whyText(hit, words()), ...places].filter(Boolean).join('\n');
  // what the icon tells is read aloud too
  const spoken = [name, placeAndKind(hit, lang), place ? '' : hit.path, lineText(hit.line, lang), whyText(hit, words())];
  item.accessibilityInformation = { label: spoken.filter(Boolean).join(', ') };
  return item;
}

/** Returns the full name that the place of a hit is told by. */
function ownerOf({ symbol, owner }: Hit): string {
  return symbol.includes('.') ? symbol : (owner ?? '');
}

function snippetItem(hit: Hit): vscode.TreeItem {
  const item = new vscode.TreeItem(snippetLabel(hit), vscode.TreeItemCollapsibleState.None);
  item.tooltip = hit.snippet.trim();
  item.description = String(hit.snippetLine);
  item.accessibilityInformation = { label: `${lineText(hit.snippetLine, words().lang)}: ${hit.snippet.trim()}` };
  return item;
}
