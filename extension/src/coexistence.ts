/** What is left to other extensions for BSL: colours, symbols and hovers that they bring already. */

export type Choice = 'auto' | 'on' | 'off';

/** What the server is asked for: everything, what another extension does not know, or nothing. */
export type Share = 'all' | 'metadata' | 'none';

/** What of an extension is looked at. */
export interface Installed {
  id: string;
  packageJSON: unknown;
}

export interface Offers {
  semanticTokens: boolean;
  symbols: Share;
  hover: Share;
  /** Of references too. */
  definition: Share;
}

interface Manifest {
  contributes?: { grammars?: { language?: string }[] };
}

/** Extensions that list procedures and show their cards, in lower case as identifiers are compared. */
const KNOW_PROCEDURES = ['1c-syntax.language-1c-bsl'];

/** Returns what the settings and the other extensions leave to our server; "auto" doubles nothing. */
export function offers(choice: (setting: string) => Choice, installed: readonly Installed[]): Offers {
  const known = installed.some(({ id }) => KNOW_PROCEDURES.includes(id.toLowerCase()));
  const coloured = installed.some(({ packageJSON }) => coloursBsl(packageJSON as Manifest));
  const share = (setting: string): Share => {
    const own = choice(setting);
    return own === 'off' ? 'none' : own === 'auto' && known ? 'metadata' : 'all';
  };
  const colours = choice('semanticTokens');
  return {
    semanticTokens: colours === 'on' || (colours === 'auto' && !coloured),
    symbols: share('symbols'),
    hover: share('hover'),
    definition: share('definition'),
  };
}

function coloursBsl(manifest: Manifest): boolean {
  return manifest.contributes?.grammars?.some(grammar => grammar.language === 'bsl') ?? false;
}
