/** What the editor knows about Python interpreters. */
import * as os from 'node:os';
import * as vscode from 'vscode';
import type { Known } from './python';

const PATIENCE_MS = 5_000;

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(): unknown;
    resolveEnvironment(environment: unknown): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
  };
}

/** Returns what is set and chosen; the Python extension is asked only when it is there. */
export async function knownInterpreters(log: (line: string) => void): Promise<Known> {
  const setting = expanded(vscode.workspace.getConfiguration('bslScout').get<string>('pythonPath', '').trim());
  const { platform, env } = process;
  return setting ? { setting, platform, env } : { setting, platform, env, active: await active(log), defaultInterpreter: byDefault() };
}

async function active(log: (line: string) => void): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const ask = async (): Promise<string | undefined> => {
    const { environments } = await extension.activate();
    const found = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath());
    return found?.executable?.uri?.fsPath;
  };
  const patience = new Promise<undefined>(resolve => setTimeout(resolve, PATIENCE_MS, undefined));
  try {
    return await Promise.race([ask(), patience]);
  } catch (error) {
    log(`ms-python.python gave no interpreter: ${String(error)}`);
    return undefined;
  }
}

function byDefault(): string | undefined {
  const value = vscode.workspace.getConfiguration('python').inspect<string>('defaultInterpreterPath');
  // a folder that is not trusted must not name programs to run
  const own = vscode.workspace.isTrusted ? (value?.workspaceFolderValue ?? value?.workspaceValue) : undefined;
  const chosen = own ?? value?.globalValue;
  return typeof chosen === 'string' ? expanded(chosen.trim()) : undefined;
}

/** Returns a path with the home folder and the first workspace folder put in. */
export function expanded(path: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  return path.replace(/^~(?=[/\\]|$)/, os.homedir()).replace(/\$\{workspaceFolder\}/g, folder);
}
