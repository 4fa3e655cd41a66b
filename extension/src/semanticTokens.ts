/** Whether the server's semantic tokens colour BSL, or another extension's grammar does. */
import * as vscode from 'vscode';

interface Manifest {
  contributes?: { grammars?: { language?: string }[] };
}

/** Returns whether an extension has a grammar for BSL. */
export function coloursBsl(manifest: Manifest): boolean {
  return manifest.contributes?.grammars?.some(grammar => grammar.language === 'bsl') ?? false;
}

/** Returns what the setting asks for; "auto" asks only where nothing else colours BSL. */
export function semanticTokensWanted(): boolean {
  const setting = vscode.workspace.getConfiguration('bslScout').get<string>('semanticTokens', 'auto');
  if (setting !== 'auto') {
    return setting === 'on';
  }
  return !vscode.extensions.all.some(extension => coloursBsl(extension.packageJSON as Manifest));
}
