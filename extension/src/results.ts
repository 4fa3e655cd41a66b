/** The tree of pinned results: one list of hits, each with its snippet below it. */
import * as vscode from 'vscode';
import { hitIcon, hitName, hitTexts, resultsText, snippetLabel, spansWithin } from './format';
import type { Found } from './findLogic';
import type { Target } from './open';
import type { Hit } from './protocol';
import { words } from './words';

interface Row {
  hit: Hit;
  snippet: boolean;
}

export class Results implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView('bslScout.results', { treeDataProvider: this });
  private found: Found | undefined;

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

  getChildren(row?: Row): Row[] {
    if (row) {
      return row.snippet || !row.hit.snippet.trim() ? [] : [{ hit: row.hit, snippet: true }];
    }
    return (this.found?.answer.hits ?? []).map(hit => ({ hit, snippet: false }));
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const item = row.snippet ? snippetItem(row.hit) : hitItem(row.hit);
    const line = row.snippet ? row.hit.snippetLine : row.hit.line;
    const target: Target = { uri: row.hit.uri, line, column: row.snippet ? 1 : row.hit.column };
    item.command = { command: 'bslScout.openHit', title: words().t('Open'), arguments: [target] };
    return item;
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }

  private update(): void {
    const { t } = words();
    void vscode.commands.executeCommand('setContext', 'bslScout.hasPinned', this.found !== undefined);
    const found = this.found;
    const query = `«${found?.params.query}»`;
    // the only view of its container has no other place for the query than the title
    this.view.title = found ? query : t('Results');
    // the number stays with its word where the line breaks
    this.view.message = found && `${query}: ${found.answer.hits.length ? resultsText(found.answer.hits.length, words()).replace(' ', '\u00a0') : t('nothing found')}`;
    this.changed.fire();
  }
}

function hitItem(hit: Hit): vscode.TreeItem {
  const { lang } = words();
  const { name, place } = hitName(hit, lang);
  const at = hit.snippet.indexOf(name);
  const highlights = at < 0 ? [] : spansWithin(hit.matches, at, name.length);
  const item = new vscode.TreeItem({ label: name, highlights }, vscode.TreeItemCollapsibleState.Expanded);
  item.description = place || hit.path;
  item.iconPath = new vscode.ThemeIcon(hitIcon(hit.kind));
  const places = [hit, ...hit.also].map(one => `${one.path}:${one.line}`);
  item.tooltip = [hit.symbol, hitTexts(hit, lang).description, ...places].filter(Boolean).join('\n');
  return item;
}

function snippetItem(hit: Hit): vscode.TreeItem {
  const item = new vscode.TreeItem(snippetLabel(hit), vscode.TreeItemCollapsibleState.None);
  item.tooltip = hit.snippet.trim();
  item.description = String(hit.snippetLine);
  return item;
}
