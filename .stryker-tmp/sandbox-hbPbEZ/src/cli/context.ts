import type { RunStore } from '../runs/runStore.ts';
import type { Arguments } from './commandLine.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with. */
export interface Context {
  terminal: Terminal;
  arguments: Arguments;
  store: RunStore;
  /** The folder of built files. */
  dist: URL;
  /** How this program is called here, for sentences that say what to type next. */
  call: Call;
  /** Of this program. */
  version: string;
}

/** The command line that calls a command on the same runs: `genenv resume ID --root DIR`. */
export type Call = (command: string) => string;

/** One JSON value on standard output, for programs. */
export function writeJson({ out }: Terminal, value: unknown): void {
  out.write(`${JSON.stringify(value, null, 2)}\n`);
}
