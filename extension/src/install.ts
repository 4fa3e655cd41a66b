/** Makes an environment of the server: venv, pip, a check. What runs programs is passed in. */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { COMPONENTS, costOf } from './components';
import type { Environment, Environments } from './environments';
import { runsServer, type Outcome } from './python';

export interface Plan {
  /** The interpreter that the environment is made with. */
  base: string;
  wheel: string;
  key: string;
  components: string[];
  /** A folder of wheels to take packages from instead of an index; empty: the index. */
  wheelhouse: string;
  /** Further arguments for pip. */
  extraArgs: string[];
  platform: NodeJS.Platform;
}

export type Step = 'space' | 'wheelhouse' | 'venv' | 'packages' | 'check';

/** What the installation is at: a step, or a package that is being loaded. */
export type Progress = { step: Step } | { package: string; size: string };

/** Runs a program to its end, telling its lines. */
export type RunTelling = (command: string, args: string[], line?: (text: string) => void) => Promise<Outcome>;

/** A step that failed, with all that was written. */
export class InstallError extends Error {
  constructor(
    readonly step: Step,
    readonly written: string,
  ) {
    super(`${step}: ${written.trim().split('\n').pop() ?? ''}`);
  }
}

// what the server imports late included: a library that does not load here would not load later
const CHECK = 'import bsl_scout.cli, bsl_scout.lsp.server; from bsl_scout.encoding.model import load_model; load_model()';

/** Returns the key of a wheel: the same for the same content. */
export function wheelKey(wheel: string): string {
  return createHash('sha256').update(fs.readFileSync(wheel)).digest('hex').slice(0, 8);
}

/** Makes an environment and returns it; throws an InstallError and removes what was begun when a step fails. */
export async function install(
  plan: Plan,
  environments: Environments,
  run: RunTelling,
  tell: (progress: Progress) => void,
): Promise<Environment> {
  const asked = environments.fresh(plan.key);
  let place = asked;
  try {
    checkSpace(environments.folder, costOf(plan.components).disk);
    if (plan.wheelhouse && !fs.existsSync(plan.wheelhouse)) {
      throw new InstallError('wheelhouse', plan.wheelhouse);
    }
    tell({ step: 'venv' });
    finished('venv', await run(plan.base, ['-m', 'venv', asked]));
    place = await placeOf(plan, asked, run);
    const python = interpreterOf(place, plan.platform);
    tell({ step: 'packages' });
    const loading = (line: string): void => {
      const progress = pipProgress(line);
      if (progress) {
        tell(progress);
      }
    };
    for (const args of pipRuns(plan)) {
      finished('packages', await run(python, args, loading));
    }
    tell({ step: 'check' });
    const version = await check(python, plan, run);
    return { key: plan.key, place, python, version, components: plan.components };
  } catch (error) {
    for (const folder of new Set([asked, place])) {
      remove(folder);
    }
    throw asInstallError(error);
  }
}

/** Returns the arguments of the Python in the environment that install the server, one list for each run of pip. */
export function pipRuns({ wheel, components, wheelhouse, extraArgs, platform }: Plan): string[][] {
  const quiet = ['--no-input', '--disable-pip-version-check', '--progress-bar', 'off', '--no-warn-script-location'];
  // most modules are never imported: Python compiles those that are (4 of 10 s of pip, 38 MB less)
  const pip = ['-m', 'pip', 'install', ...quiet, '--no-compile', '--prefer-binary'];
  const source = wheelhouse ? ['--no-index', '--find-links', wheelhouse] : [];
  // who names indexes or has a wheelhouse gets everything from there
  const ownIndex = wheelhouse || extraArgs.some(one => /^(-i|--index-url|--extra-index-url|--no-index)(=|$)/.test(one));
  const before = platform === 'linux' && !ownIndex ? components.map(name => COMPONENTS[name].linux).filter(one => one.length) : [];
  const what = components.length ? `${wheel}[${components.join(',')}]` : wheel;
  return [...before.map(one => [...pip, ...extraArgs, ...one]), [...pip, ...source, ...extraArgs, what]];
}

/** Returns the interpreter of an environment. */
export function interpreterOf(place: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? path.win32.join(place, 'Scripts', 'python.exe') : path.posix.join(place, 'bin', 'python');
}

/** Returns what a line of pip tells of the progress. */
export function pipProgress(line: string): Progress | undefined {
  const loading = /^\s*Downloading (?:\S*[/\\])?([^/\\\s]+) \(([^)]+)\)/.exec(line);
  return loading ? { package: loading[1].split('-')[0], size: loading[2] } : undefined;
}

/** Returns the environment variables for the installation: the user's, without what would lead pip elsewhere. */
export function installEnvironment(env: NodeJS.ProcessEnv, proxy: string): NodeJS.ProcessEnv {
  // names have no case on Windows, but a copy of process.env has
  const has = (pattern: RegExp): boolean => Object.entries(env).some(([name, value]) => pattern.test(name) && value);
  const kept = Object.entries(env).filter(([name]) => !/^(PYTHONHOME|PYTHONPATH|PYTHONDONTWRITEBYTECODE|__PYVENV_LAUNCHER__|PIP_(TARGET|PREFIX|ROOT|USER))$/i.test(name));
  const proxies = proxy && !has(/^(HTTPS?_PROXY|ALL_PROXY|PIP_PROXY)$/i) ? { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } : {};
  // UTF-8 on the pipes only: PYTHONUTF8 would make pip read a pip.ini in the code page of Windows wrongly
  return { ...Object.fromEntries(kept), ...proxies, PIP_USER: '0', PYTHONIOENCODING: 'utf-8', PYTHONUNBUFFERED: '1' };
}

async function placeOf(plan: Plan, asked: string, run: RunTelling): Promise<string> {
  // Windows moves what a Python of the Microsoft Store writes below AppData, and only that Python sees it where it wanted it
  const outcome = await run(plan.base, ['-c', 'import os, sys; print(os.path.realpath(sys.argv[1]))', asked]);
  finished('venv', outcome);
  return outcome.stdout.trim();
}

async function check(python: string, plan: Plan, run: RunTelling): Promise<string> {
  const result = await runsServer(python, run);
  if ('reason' in result) {
    throw new InstallError('check', result.detail);
  }
  finished('check', await run(python, ['-c', CHECK]));
  for (const name of plan.components) {
    // an extra that the wheel does not know is only a warning to pip
    const { module } = COMPONENTS[name];
    const code = `import importlib.util, sys; sys.exit(None if importlib.util.find_spec('${module}') else 'no module ${module}')`;
    finished('check', await run(python, ['-c', code]));
  }
  return result.version;
}

function checkSpace(folder: string, disk: number): void {
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < disk) {
    throw new InstallError('space', String(free));
  }
}

function finished(step: Step, { code, stdout, stderr, error }: Outcome): void {
  if (code !== 0) {
    throw new InstallError(step, `${stdout}\n${stderr}\n${error ?? ''}`);
  }
}

function remove(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 200 });
  } catch {
    // a program that still ends keeps a file open: the next sweep removes it
  }
}

function asInstallError(error: unknown): InstallError {
  return error instanceof InstallError ? error : new InstallError('venv', String(error));
}
