// Puts a real VS Code (code-server) into a cache folder and prints the path of its entry script. Only the npm registry and
// Debian packages are used: whatever an install script would download from GitHub is built or linked here instead.
// Needed beforehand: apt-get install chromium ripgrep g++ make python3.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const VERSION = process.env.CODE_SERVER_VERSION || '4.100.3'; // the last one for Node 20

/** Returns the folder in which code-server is kept between runs. */
export function cacheFolder() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'bsl-scout', 'code-server');
}

/** Installs code-server unless it is there; returns its entry script. */
export function setUpCodeServer(folder = cacheFolder()) {
  const entry = path.join(folder, 'node_modules/code-server/out/node/entry.js');
  const stamp = path.join(folder, `.ready-${VERSION}-${process.version}`);
  if (fs.existsSync(stamp) && fs.existsSync(entry)) {
    return entry;
  }
  const ripgrep = which('rg');
  if (!ripgrep) {
    throw new Error('ripgrep is missing: apt-get install ripgrep');
  }
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-audit', '--no-fund'];
  npm(folder, 'install', '--ignore-scripts', ...quiet, `code-server@${VERSION}`);
  // code-server does not start without argon2, and its own script asks GitHub first
  npm(folder, 'rebuild', 'argon2', '--build-from-source');
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  // the shrinkwrap is incomplete, so not `npm ci`
  npm(vscode, 'install', '--ignore-scripts', '--omit=dev', ...quiet);
  const gyp = path.join(npm(folder, 'root', '-g').trim(), 'npm/node_modules/node-gyp/bin/node-gyp.js');
  for (const name of ['native-watchdog', '@vscode/spdlog', 'node-pty']) {
    build(gyp, path.join(vscode, 'node_modules', name));
  }
  const bin = path.join(vscode, 'node_modules/@vscode/ripgrep/bin');
  fs.mkdirSync(bin, { recursive: true });
  link(ripgrep, path.join(bin, 'rg'));
  link('node_modules', path.join(vscode, 'node_modules.asar'));
  fs.writeFileSync(stamp, '');
  return entry;
}

// file logs, the terminal and the watchdog: wanted, but the tests run without them
function build(gyp, folder) {
  try {
    run(process.execPath, [gyp, 'rebuild', '-j', '2'], folder);
  } catch (error) {
    console.error(`${path.basename(folder)} was not built: ${String(error.stderr ?? error).trim().split('\n').pop()}`);
  }
}

function npm(folder, ...args) {
  return run('npm', args, folder);
}

function run(command, args, cwd) {
  const env = { ...process.env };
  const headers = env.NODEDIR || (fs.existsSync('/usr/include/node/node.h') ? '/usr' : '');
  if (headers) {
    env.npm_config_nodedir = headers; // node-gyp would download the headers
  }
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 });
}

function which(name) {
  return (process.env.PATH || '').split(path.delimiter).map(folder => path.join(folder, name)).find(file => fs.existsSync(file));
}

function link(target, file) {
  fs.rmSync(file, { recursive: true, force: true });
  fs.symlinkSync(target, file);
}

if (process.argv[1] === import.meta.filename) {
  console.log(setUpCodeServer(process.argv[2]));
}
