// A code-server of its own for one test: fresh settings, one extension, one folder.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const SETTINGS = {
  'chat.commandCenter.enabled': false,
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'files.autoSave': 'off', // in a browser it is on
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

export class CodeServer {
  /**
   * Starts it on a folder; `python` goes into bslScout.pythonPath, `also` are packages of other extensions. `prepare` is called before it
   * runs, `leave` when it has ended. All that it writes is in `home`, which is kept when it is given.
   */
  static async start({ entry, vsix, folder, python, settings = {}, env = {}, also = [], prepare, leave, home }) {
    const it = new CodeServer();
    it.leave = leave;
    it.folder = folder;
    it.kept = home !== undefined;
    it.home = home ?? fs.mkdtempSync(path.join(os.tmpdir(), 'bsl-scout-e2e-'));
    it.entry = entry;
    it.env = {
      ...process.env,
      XDG_DATA_HOME: it.home,
      XDG_CONFIG_HOME: it.home,
      XDG_CACHE_HOME: it.home,
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      VSCODE_CLI: '1', // the extension host takes PATH from here, not from a login shell
      ...env,
    };
    // read from Machine/ for settings of an executable, from User/ for the rest
    for (const scope of ['User', 'Machine']) {
      const file = it.settingsFile(scope);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify({ ...SETTINGS, ...(python ? { 'bslScout.pythonPath': python } : {}), ...settings }));
    }
    fs.writeFileSync(path.join(it.home, 'config.yaml'), '{}\n');
    try {
      prepare?.(it);
      await promisify(execFile)(process.execPath, [...it.args(), ...[vsix, ...also].flatMap(one => ['--install-extension', one]), '--force'], { env: it.env });
      await it.listen();
    } catch (error) {
      await it.stop();
      throw error;
    }
    return it;
  }

  get userDir() {
    return path.join(this.home, 'user');
  }

  get url() {
    return `${this.origin}/?folder=${encodeURI(this.folder)}`;
  }

  settingsFile(scope) {
    return path.join(this.userDir, scope, 'settings.json');
  }

  /** Changes a setting while the editor runs. */
  set(name, value) {
    for (const scope of ['User', 'Machine']) {
      const file = this.settingsFile(scope);
      fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), [name]: value }));
    }
  }

  /** Returns the text of every log, output channels of extensions included. */
  logs() {
    const folder = path.join(this.userDir, 'logs');
    const files = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }) : [];
    return files
      .filter(name => name.endsWith('.log'))
      .map(name => `== ${name}\n${fs.readFileSync(path.join(folder, name), 'utf8')}`)
      .join('\n');
  }

  /** Returns the ids of the processes below this one whose command line matches, the oldest first. */
  processes(pattern) {
    const ids = fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(Number);
    const read = (id, name) => {
      try {
        return fs.readFileSync(`/proc/${id}/${name}`, 'utf8');
      } catch {
        return '';
      }
    };
    const parent = id => Number(/\) \S (\d+)/.exec(read(id, 'stat'))?.[1] ?? 0);
    const ours = id => id > 1 && (id === this.process.pid || ours(parent(id)));
    return ids.filter(id => pattern.test(read(id, 'cmdline').replaceAll('\0', ' ')) && ours(id)).sort((a, b) => a - b);
  }

  /** Returns the files of a name below the folder of the extension. */
  stored(name) {
    return fs.readdirSync(this.storage, { recursive: true }).filter(file => path.basename(file) === name).map(file => path.join(this.storage, file));
  }

  /** The folder that the editor gives to the extension. */
  get storage() {
    return path.join(this.userDir, 'User/globalStorage/bsl-scout.bsl-scout');
  }

  /** Returns the server's wheel in the installed extension. */
  wheel() {
    const extensions = path.join(this.home, 'extensions');
    const [file] = fs.readdirSync(extensions, { recursive: true }).filter(name => name.endsWith('.whl'));
    return path.join(extensions, file);
  }

  async stop() {
    if (this.process && this.process.exitCode === null) {
      const gone = new Promise(resolve => this.process.once('exit', resolve));
      this.signal('SIGTERM');
      await Promise.race([gone, pause(4000)]);
      this.signal('SIGKILL');
      await pause(200);
    }
    this.leave?.();
    if (!this.kept) {
      await removeFolder(this.home);
    }
  }

  args() {
    const extensions = path.join(this.home, 'extensions');
    return [this.entry, '--config', path.join(this.home, 'config.yaml'), '--user-data-dir', this.userDir, '--extensions-dir', extensions];
  }

  async listen() {
    const port = await freePort();
    this.origin = `http://127.0.0.1:${port}`;
    const args = ['--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust',
      '--disable-getting-started-override', '--bind-addr', `127.0.0.1:${port}`, this.folder];
    this.process = spawn(process.execPath, [...this.args(), ...args], { env: this.env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let written = '';
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on('data', data => (written += data));
    }
    for (const end = Date.now() + 30_000; ; await pause(100)) {
      if (this.process.exitCode !== null || Date.now() > end) {
        throw new Error(`code-server did not start:\n${written}`);
      }
      const answer = await fetch(`${this.origin}/healthz`).catch(() => undefined);
      if (answer?.ok) {
        return;
      }
    }
  }

  // the whole group: code-server has children of its own
  signal(name) {
    try {
      process.kill(-this.process.pid, name);
    } catch {
      // it is gone
    }
  }
}

/** Removes a folder in which a process that ends may still write: `maxRetries` of rmSync do not look for new files. */
export async function removeFolder(folder) {
  for (let left = 10; ; left--) {
    try {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' || left === 0) {
        throw error;
      }
      await pause(300);
    }
  }
}

/** Waits. */
export function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms));
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
