/** The commands of the extension. */
import * as vscode from 'vscode';
import { findLogic, type Found } from './ask';
import type { DiagnosticsPage } from './diagnostics';
import { LogicFinder } from './findLogic';
import { reasonOf } from './format';
import { installComponents } from './installComponents';
import { useForms } from './forms';
import { openForGood, type Target } from './open';
import { copyProcedure, cursorPlace, sayOutside } from './procedures';
import { RebuildIndex, StopIndexing } from './methods';
import type { Results } from './results';
import type { Server } from './server';
import { openSetupSettings, words } from './words';

const WALKTHROUGH = 'bsl-scout.bsl-scout#bslScout.start';

/** Registers every command; none of them waits for the server before it shows something. */
export function registerCommands(server: Server, results: Results, page: DiagnosticsPage, state: vscode.Memento): vscode.Disposable {
  let last: Found | undefined;
  const found = (one: Found): void => {
    last = one;
    void vscode.commands.executeCommand('setContext', 'bslScout.hasAnswer', true);
  };
  const pin = async (): Promise<void> => {
    if (last) {
      await results.pin(last);
    }
  };
  const finder = new LogicFinder(server, state, found, pin);
  const commands: Record<string, (argument?: unknown) => unknown> = {
    'bslScout.findLogic': query => finder.open(typeof query === 'string' ? query : ''),
    'bslScout.findLogicForSelection': () => finder.open(selectedText()),
    'bslScout.findSimilar': () => findSimilar(finder),
    'bslScout.chooseMode': () => finder.chooseMode(),
    'bslScout.chooseCollection': () => finder.chooseCollection(),
    'bslScout.clearHistory': () => finder.history.clear(),
    'bslScout.pinResults': pin,
    'bslScout.rerunResults': () => orSay(() => rerun(server, results)),
    'bslScout.clearResults': () => results.clear(),
    'bslScout.groupResults': () => results.group(true),
    'bslScout.ungroupResults': () => results.group(false),
    'bslScout.rebuildIndex': () => orSay(() => request(server, RebuildIndex)),
    'bslScout.stopIndexing': () => orSay(() => request(server, StopIndexing)),
    'bslScout.indexStatus': given => orSay(() => page.open((given as { all?: boolean } | undefined)?.all === true)),
    'bslScout.copyDiagnostics': () => orSay(() => page.copy()),
    'bslScout.showLog': () => server.output.show(true),
    'bslScout.restartServer': () => server.restart(),
    'bslScout.openSettings': openSetupSettings,
    'bslScout.installComponents': () => orSay(() => installComponents(server)),
    'bslScout.openRootsSetting': () => vscode.commands.executeCommand('workbench.action.openSettings', 'bslScout.roots'),
    'bslScout.gettingStarted': () => vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, false),
    'bslScout.copyFormContext': resource => orSay(() => useForms(server, state, 'copy', resource)),
    'bslScout.copyFormStructure': resource => orSay(() => useForms(server, state, 'structure', resource)),
    'bslScout.openFormContext': resource => orSay(() => useForms(server, state, 'open', resource)),
    'bslScout.copyFormsContext': () => orSay(() => useForms(server, state, 'several')),
    'bslScout.copyProcedureContext': () => orSay(() => copyProcedure(server)),
    'bslScout.showCallers': showCallers,
    'bslScout.openHit': target => openForGood(target as Target),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  );
}

function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.document.getText(editor.selection) : '';
}

async function findSimilar(finder: LogicFinder): Promise<void> {
  const place = cursorPlace();
  if (place) {
    await finder.openSimilar(place);
  }
}

async function showCallers(): Promise<void> {
  const place = cursorPlace();
  if (!place) {
    return;
  }
  const at = new vscode.Position(place.line - 1, vscode.window.activeTextEditor?.selection.active.character ?? 0);
  const items = await vscode.commands.executeCommand<unknown[] | undefined>('vscode.prepareCallHierarchy', vscode.Uri.parse(place.uri), at);
  if (!items?.length) {
    sayOutside();
    return;
  }
  // the view of the built-in extension has wider rows than the list inside the editor, and tooltips with all of a row
  const inView = vscode.extensions.getExtension('vscode.references-view') !== undefined;
  await vscode.commands.executeCommand(inView ? 'references-view.showCallHierarchy' : 'editor.showCallHierarchy');
}

async function rerun(server: Server, results: Results): Promise<void> {
  const { pinned } = results;
  if (pinned) {
    const searching = { location: { viewId: 'bslScout.results' } };
    await vscode.window.withProgress(searching, async () => {
      results.refresh({ params: pinned.params, answer: await findLogic(server, pinned.params) });
    });
  }
}

async function request(server: Server, what: typeof RebuildIndex): Promise<void> {
  const client = await server.ready();
  await client.sendRequest(what.name, {});
}

/** Does a job of the user's; tells why when it fails. */
export async function orSay(job: () => Promise<void>): Promise<void> {
  try {
    await job();
  } catch (error) {
    const reason = reasonOf(error);
    void vscode.window.showErrorMessage(reason.startsWith('BSL Scout') ? reason : words().t('BSL Scout: {0}', reason));
  }
}
