// Opens the extension on a folder in a code-server and prints its address: node e2e/try.mjs FOLDER VSIX PYTHON HOME
// In HOME its profile is kept, with the index: the next start goes on from there.
import { CodeServer } from './code-server.mjs';
import { setUpCodeServer } from './setup-code-server.mjs';

const [folder, vsix, python, home] = process.argv.slice(2);
const server = await CodeServer.start({ entry: setUpCodeServer(), vsix, folder, python, home });
console.log(`VS Code with BSL Scout: ${server.url}\nCtrl+C ends it.`);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await server.stop();
    process.exit(0);
  });
}
