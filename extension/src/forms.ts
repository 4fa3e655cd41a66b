/** Forms as context for the chat of an LLM: copied, or opened as a document. */
import * as vscode from 'vscode';
import { ask } from './ask';
import { copiedText, isFormPath, limitProblem, noFormsText } from './formText';
import { showMarkdown } from './open';
import { FindForms, GetFormContext } from './methods';
import type { FormContext, FormContextParams, FormTitle } from './protocol';
import type { Server } from './server';
import { words } from './words';

interface FormItem extends vscode.QuickPickItem {
  form: FormTitle;
}

/** More than any configuration has: the list is filtered as one types, so it has to be whole. */
const ALL_FORMS = 100_000;
// the limit that was asked for last, when it is another one than that of the settings
const LIMIT = 'bslScout.forms.limit';

export type Use = 'copy' | 'structure' | 'open' | 'several';

/** Takes the form of a document, or lets one (or several) be chosen, and copies or opens its context. */
export async function useForms(server: Server, state: vscode.Memento, use: Use, resource?: unknown): Promise<void> {
  const params = await chosen(server, state, use, resource);
  if (!params) {
    return;
  }
  if (use === 'structure') {
    params.sections = ['form', 'summary'];
  }
  const progress = { location: vscode.ProgressLocation.Window, title: words().t('Reading the form…') };
  const context = await vscode.window.withProgress(progress, () => ask(server, GetFormContext, params));
  if (use === 'open') {
    await showMarkdown(context.text);
    return;
  }
  await vscode.env.clipboard.writeText(context.text);
  tell(server, context);
}

async function chosen(server: Server, state: vscode.Memento, use: Use, resource?: unknown): Promise<FormContextParams | undefined> {
  const maxChars = vscode.workspace.getConfiguration('bslScout.forms').get('maxChars', -1);
  const document = resource instanceof vscode.Uri ? resource : activeUri();
  if (use !== 'several' && document && isFormPath(document.path)) {
    return { uri: document.toString(), maxChars };
  }
  const picked = await pick(server, use === 'several', document);
  if (!picked?.length) {
    return undefined;
  }
  const forms = picked.map(one => one.id);
  if (use !== 'several') {
    return { forms, maxChars };
  }
  const prompt = words().t('What are the forms wanted for? Procedures that share words with it go first. May stay empty.');
  const question = await vscode.window.showInputBox({ prompt });
  const limit = question === undefined ? undefined : await askedLimit(state, maxChars);
  return limit === undefined ? undefined : { forms, maxChars: limit, question };
}

/** Asks how many characters the text may have; what is answered is remembered for the workspace. */
async function askedLimit(state: vscode.Memento, standard: number): Promise<number | undefined> {
  const { t } = words();
  const answer = await vscode.window.showInputBox({
    prompt: t('How many characters may the text have? -1 is without a limit.'),
    value: String(state.get(LIMIT, standard)),
    validateInput: text => limitProblem(text, words()),
  });
  if (answer === undefined) {
    return undefined;
  }
  const limit = Number(answer);
  await state.update(LIMIT, limit === standard ? undefined : limit);
  return limit;
}

/** Returns the document in front, also when an editor of another extension shows it instead of its text. */
function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const own = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : undefined;
  return own ?? vscode.window.activeTextEditor?.document.uri;
}

async function pick(server: Server, several: boolean, document?: vscode.Uri): Promise<FormTitle[] | undefined> {
  const { t } = words();
  const { forms, current } = await ask(server, FindForms, { limit: ALL_FORMS, uri: document?.toString() ?? '' });
  if (forms.length === 0) {
    void vscode.window.showInformationMessage(noFormsText(server.status, words()));
    return undefined;
  }
  const found = forms.map(form => ({ ...item(form), picked: several && form.id === current }));
  const options = { title: t('Choose a form'), matchOnDetail: true };
  if (several) {
    const items = await vscode.window.showQuickPick(found, { ...options, title: t('Choose forms'), canPickMany: true });
    return items?.map(one => one.form);
  }
  const one = await vscode.window.showQuickPick(found, options);
  return one && [one.form];
}

function item(form: FormTitle): FormItem {
  // beside the id a title would be cut
  return { label: form.id, detail: form.title ? `${form.title} — ${form.path}` : form.path, form };
}

function tell(server: Server, context: FormContext): void {
  const { t } = words();
  const showIt = t('Show');
  for (const warning of context.warnings) {
    server.output.warn(`[form] ${warning}`);
  }
  void vscode.window.showInformationMessage(copiedText(context, words()), showIt).then(answer => {
    if (answer === showIt) {
      void showMarkdown(context.text);
    }
  });
}
