/** The command that installs what is heavy and not needed by everyone: other models, the store Chroma. */
import * as vscode from 'vscode';
import { COMPONENTS } from './components';
import { componentCost, componentQuestion, componentTitle } from './installText';
import type { Server } from './server';
import { SetupProblem } from './setup';
import { words } from './words';

/** Lets the user choose a component and installs it. */
export async function installComponents(server: Server): Promise<void> {
  const { t } = words();
  const installed = server.setup.installed();
  const items = Object.keys(COMPONENTS).map(name => ({
    name,
    label: componentTitle(name, t),
    description: installed?.includes(name) ? t('installed') : undefined,
    detail: componentCost(name, words()),
  }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: t('What is to be installed?') });
  if (chosen) {
    await installComponent(server, chosen.name);
  }
}

/** Offers what the settings that have just changed need and the environment does not have. */
export async function offerComponents(server: Server, change: vscode.ConfigurationChangeEvent): Promise<void> {
  const values = vscode.workspace.getConfiguration('bslScout');
  for (const [name, { settings, neededFor }] of Object.entries(COMPONENTS)) {
    const needed = settings.some(setting => change.affectsConfiguration(`bslScout.${setting}`) && neededFor(values.get(setting)));
    if (needed && server.setup.installed()?.includes(name) === false) {
      await installComponent(server, name);
    }
  }
}

/** Installs a component when it is not there and the user agrees, and starts the server with it. */
async function installComponent(server: Server, name: string): Promise<void> {
  const { t, lang } = words();
  const installed = server.setup.installed();
  if (!installed) {
    const text = t('BSL Scout: the setting bslScout.pythonPath names your own Python, in which nothing is installed. Run there: python -m pip install "bsl-scout[{0}]"', name);
    void vscode.window.showInformationMessage(text);
    return;
  }
  if (installed.includes(name)) {
    void vscode.window.showInformationMessage(t('BSL Scout: this component is installed: {0}', componentTitle(name, t)));
    return;
  }
  const { title, detail } = componentQuestion(name, t, lang);
  const install = t('Install');
  if ((await vscode.window.showInformationMessage(title, { modal: true, detail }, install)) !== install) {
    return;
  }
  const retry = t('Retry');
  for (let again: string | undefined = retry; again === retry; ) {
    try {
      await server.addComponent(name);
      return;
    } catch (error) {
      if (!(error instanceof SetupProblem)) {
        throw error;
      }
      again = await vscode.window.showErrorMessage(error.message, retry);
    }
  }
}
