/** The page that tells the state of the indexes, and its text for a message about an error. */
import { randomBytes } from 'node:crypto';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { PAGE_COMMANDS, reportPage, reportText } from './diagnosticsPage';
import { makeReport, type Report, type Surroundings } from './diagnosticsReport';
import { reasonOf } from './format';
import { GetDiagnostics } from './methods';
import type { Diagnostics } from './protocol';
import { OneAtATime } from './restarts';
import type { Server } from './server';
import type { ScoutStatus } from './statusText';
import { words } from './words';

const PATIENCE_MS = 15_000;

/** Shows the page, one for a window; it follows the server while it is open. */
export class DiagnosticsPage implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown = '';
  private all = false;
  private readonly filling = new OneAtATime(() => this.fill());
  private readonly following: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly context: vscode.ExtensionContext,
  ) {
    this.following = server.onStatus(status => this.follow(status));
  }

  /** Opens the page or brings it to the front, and reads everything anew. */
  async open(all: boolean): Promise<void> {
    this.all = all;
    if (this.panel) {
      this.panel.reveal();
    } else {
      const options = { enableScripts: false, enableCommandUris: PAGE_COMMANDS, enableFindWidget: true, localResourceRoots: [] };
      this.panel = vscode.window.createWebviewPanel('bslScout.indexStatus', words().t('Index Status'), vscode.ViewColumn.Active, options);
      this.panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, 'media/scout.svg');
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.onDidChangeViewState(() => this.follow(this.server.status));
    }
    await this.filling.run();
  }

  /** Puts the report on the clipboard. */
  async copy(): Promise<void> {
    await vscode.env.clipboard.writeText(reportText(await this.report(), words()));
    vscode.window.setStatusBarMessage(words().t('BSL Scout: the diagnostics are on the clipboard.'), 5_000);
  }

  dispose(): void {
    this.following.dispose();
    this.panel?.dispose();
  }

  /** Reads anew when the state has become another one; counts that run up would disturb who reads. */
  private follow(status: ScoutStatus): void {
    if (this.panel?.visible && this.shown !== stateOf(status)) {
      void this.filling.run();
    }
  }

  private async fill(): Promise<void> {
    this.shown = stateOf(this.server.status);
    const report = await this.report();
    if (this.panel) {
      this.panel.webview.html = reportPage(report, words(), randomBytes(16).toString('base64'), this.all);
    }
  }

  private async report(): Promise<Report> {
    let answer: Diagnostics | undefined;
    let problem = '';
    try {
      answer = await this.ask();
    } catch (error) {
      problem = reasonOf(error);
    }
    return makeReport(this.server.status, answer, problem, this.surroundings(), words(), new Date());
  }

  /** Asks the server that runs; one that is only starting is not waited for. */
  private async ask(): Promise<Diagnostics> {
    const client = this.server.current;
    if (!client) {
      throw new Error(this.server.trouble ?? words().t('The search server is starting.'));
    }
    const ending = new vscode.CancellationTokenSource();
    const patience = setTimeout(() => ending.cancel(), PATIENCE_MS);
    try {
      return await client.sendRequest<Diagnostics>(GetDiagnostics.name, {}, ending.token);
    } finally {
      clearTimeout(patience);
      ending.dispose();
    }
  }

  private surroundings(): Surroundings {
    const { packageJSON, extensionPath } = this.context.extension as { packageJSON: { version: string }; extensionPath: string };
    const folders = (vscode.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath);
    return {
      extension: packageJSON.version,
      editor: `${vscode.version} (${vscode.env.appName})`,
      system: `${os.type()} ${os.release()} ${os.arch()}`,
      remote: remoteKind(vscode.env.remoteName),
      paths: [os.homedir(), os.tmpdir(), extensionPath, this.context.globalStorageUri.fsPath, ...folders],
    };
  }
}

/** Returns the kind of a remote window, such as wsl or ssh-remote; some editors put the address of a machine there. */
function remoteKind(name: string | undefined): string {
  return name === undefined || /^[a-z-]+$/.test(name) ? (name ?? '') : 'remote';
}

function stateOf({ state, legs, message, adaptation }: ScoutStatus): string {
  return JSON.stringify([state, legs, message, adaptation.state]);
}
