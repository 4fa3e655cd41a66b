// Bundles the extension into dist/, or with --tests the unit tests into out/test/.
import { build } from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const tests = process.argv.includes('--tests');
const production = process.argv.includes('--production');
const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node18', external: ['vscode'], absWorkingDir: here, logLevel: 'warning' };

if (tests) {
  fs.rmSync(path.join(here, 'out'), { recursive: true, force: true });
  const names = fs.readdirSync(path.join(here, 'test')).filter(name => name.endsWith('.test.ts'));
  await build({ ...common, entryPoints: names.map(name => `test/${name}`), outdir: 'out/test', sourcemap: 'inline' });
} else {
  await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', sourcemap: !production, minify: production });
  // one source for every editor: the file lives with the grammar queries
  fs.copyFileSync(path.join(here, '../grammars/bsl/language-configuration.json'), path.join(here, 'dist/language-configuration.json'));
}
