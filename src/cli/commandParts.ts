/** The parts of a command's description. */
export interface OptionSpec {
  /** Placeholder of its value in help; a switch without one. */
  value?: string;
  /** May be given more than once. */
  many?: boolean;
  help: string;
}

export interface CommandSpec {
  summary: string;
  /** Its first argument; null for none. */
  argument: { name: string; help: string; optional?: true } | null;
  /** Further words after it, in any number. */
  rest?: {
    name: string;
    help: string;
    /** Words of a search, which a hyphen before them excludes. */
    query?: true;
  };
  options: Readonly<Record<string, OptionSpec>>;
  examples: readonly string[];
  /** Further notes for the help page, beyond the options. */
  notes?: readonly string[];
}

export const root: OptionSpec = { value: 'DIR', help: 'Folder of the runs (default: .genenv/runs here).' };
export const json: OptionSpec = { help: 'Print JSON for programs; errors too, on stderr.' };
export const run = { name: 'RUN', help: 'Id of a run, or the beginning of one.' };
