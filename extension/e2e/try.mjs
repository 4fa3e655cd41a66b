// Opens the extension on a folder in a code-server and prints its address: node e2e/try.mjs FOLDER VSIX PYTHON
import { CodeServer } from './code-server.mjs';
import { setUpCodeServer } from './setup-code-server.mjs';

const [folder, vsix, python] = process.argv.slice(2);
const server = await CodeServer.start({ entry: setUpCodeServer(), vsix, folder, python });
console.log(`VS Code with BSL Scout: ${server.url}\nCtrl+C ends it.`);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await server.stop();
    process.exit(0);
  });
}
