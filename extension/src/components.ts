/** What the server's environment consists of, and what that costs. */

export interface Cost {
  /** What pip loads from the package index, and what it is on disk, in MB of 10^6 bytes (docs/install.md says how measured). */
  download: number;
  disk: number;
}

export interface Component extends Cost {
  /** A module that comes with it: how an installation of it is checked. */
  module: string;
  /** What pip installs before it on Linux, with the index that it is taken from. */
  linux: string[];
  /** The settings below `bslScout.` that may need it, and whether a value of one does. */
  settings: string[];
  neededFor: (value: unknown) => boolean;
}

export const CORE: Cost = { download: 36, disk: 160 };

/** The extras of the package `bsl-scout` that are installed only when they are asked for. */
export const COMPONENTS: Record<string, Component> = {
  models: {
    download: 270,
    disk: 1000,
    module: 'sentence_transformers',
    // the builds of torch for Linux on PyPI bring several GB for graphic cards
    linux: ['--index-url', 'https://download.pytorch.org/whl/cpu', 'torch'],
    settings: ['encoder', 'rerank.model'],
    neededFor: value => typeof value === 'string' && value.trim() !== '',
  },
  chroma: { download: 80, disk: 300, module: 'chromadb', linux: [], settings: ['vectors.store'], neededFor: value => value === 'chroma' },
};

/** Returns what the core and components need together. */
export function costOf(components: string[]): Cost {
  const parts = [CORE, ...components.map(name => COMPONENTS[name])];
  return { download: sum(parts.map(one => one.download)), disk: sum(parts.map(one => one.disk)) };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
