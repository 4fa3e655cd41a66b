// Lists, describes and finds the procedures of modules, as the extension that it stands for does.
const vscode = require('vscode');

const HEAD = /^(?:Процедура|Функция)\s+([\wА-яЁё]+)/;

function procedures(document) {
  const found = [];
  for (let number = 0; number < document.lineCount; number++) {
    const match = HEAD.exec(document.lineAt(number).text);
    if (match) {
      found.push({ name: match[1], range: document.lineAt(number).range });
    }
  }
  return found;
}

// the procedures of all modules that are called as the word at a position, and the places where the word stands
async function named(document, position) {
  const word = document.getText(document.getWordRangeAtPosition(position, /[\wА-яЁё]+/));
  const found = { heads: [], places: [] };
  for (const uri of await vscode.workspace.findFiles('**/*.bsl')) {
    const one = await vscode.workspace.openTextDocument(uri);
    for (const { name, range } of procedures(one)) {
      if (name === word) {
        const start = one.lineAt(range.start.line).text.indexOf(name);
        const own = new vscode.Range(range.start.line, start, range.start.line, start + name.length);
        found.heads.push({ targetUri: uri, targetRange: range, targetSelectionRange: own });
      }
    }
    for (const match of one.getText().matchAll(new RegExp(`(?<![\\wА-яЁё])${word}(?=\\()`, 'g'))) {
      found.places.push(new vscode.Location(uri, new vscode.Range(one.positionAt(match.index), one.positionAt(match.index + word.length))));
    }
  }
  return found;
}

exports.activate = context => {
  const bsl = { language: 'bsl', scheme: 'file' };
  context.subscriptions.push(
    vscode.languages.registerDocumentSymbolProvider(bsl, {
      provideDocumentSymbols: document =>
        procedures(document).map(({ name, range }) => new vscode.DocumentSymbol(name, 'stand-in', vscode.SymbolKind.Method, range, range)),
    }),
    vscode.languages.registerWorkspaceSymbolProvider({
      async provideWorkspaceSymbols(query) {
        const found = [];
        for (const uri of await vscode.workspace.findFiles('**/*.bsl')) {
          for (const { name, range } of procedures(await vscode.workspace.openTextDocument(uri))) {
            if (query && name.toLowerCase().includes(query.toLowerCase())) {
              found.push(new vscode.SymbolInformation(name, vscode.SymbolKind.Method, 'stand-in', new vscode.Location(uri, range)));
            }
          }
        }
        return found;
      },
    }),
    vscode.languages.registerDefinitionProvider(bsl, { provideDefinition: async (...place) => (await named(...place)).heads }),
    vscode.languages.registerReferenceProvider(bsl, { provideReferences: async (...place) => (await named(...place)).places }),
    vscode.languages.registerHoverProvider(bsl, {
      provideHover: (document, position) => {
        const word = document.getText(document.getWordRangeAtPosition(position, /[\wА-яЁё]+/));
        return procedures(document).some(({ name }) => name === word) ? new vscode.Hover(`stand-in: ${word}`) : undefined;
      },
    }),
  );
};
