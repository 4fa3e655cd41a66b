/** The command that installs what is heavy and not needed by everyone: other models, the store Chroma. */
import * as vscode from 'vscode';
import { COMPONENTS } from './components';
import { componentQuestion, componentTitle } from './installText';
import type { Server } from './server';
import { words } from './words';

/** Lets the user choose a component and installs it. */
export async function installComponents(server: Server): Promise<void> {
  const { t } = words();
  const installed = server.setup.installed();
  const items = Object.keys(COMPONENTS).map(name => ({
    name,
    label: componentTitle(name, t),
    description: installed?.includes(name) ? t('installed') : undefined,
  }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: t('What is to be installed?') });
  if (chosen) {
    await installComponent(server, chosen.name);
  }
}

/** Installs a component when it is not there and the user agrees, and starts the server with it; returns whether it is there now. */
export async function installComponent(server: Server, name: string): Promise<boolean> {
  const { t, lang } = words();
  const installed = server.setup.installed();
  if (!installed) {
    const text = t('BSL Scout: the setting bslScout.pythonPath names your own Python, in which nothing is installed. Run there: python -m pip install "bsl-scout[{0}]"', name);
    void vscode.window.showInformationMessage(text);
    return false;
  }
  if (installed.includes(name)) {
    void vscode.window.showInformationMessage(t('BSL Scout: this component is installed: {0}', componentTitle(name, t)));
    return true;
  }
  const { title, detail } = componentQuestion(name, t, lang);
  const install = t('Install');
  if ((await vscode.window.showInformationMessage(title, { modal: true, detail }, install)) !== install) {
    return false;
  }
  await server.addComponent(name);
  return true;
}
