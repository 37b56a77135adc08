import type { RunStore } from '../runs/store/runStore.ts';
import type { Arguments } from './commandLine.ts';
import type { Terminal } from './terminal.ts';
import { Styled } from './text/styled.ts';

/** The context of a command that reads no runs. */
export interface Surroundings {
  terminal: Terminal;
  arguments: Arguments;
  /** The folder of built files. */
  dist: URL;
  /** The command that starts this program, for sentences with a command to type. */
  call: Call;
  /** Of this program. */
  version: string;
}

/** The context of a command on runs. */
export interface Context extends Surroundings {
  store: RunStore;
}

/** The command line that calls a command on the same runs, for a person to copy: `genenv resume ID --root DIR`. */
export type Call = (...words: readonly string[]) => string;

/** One JSON value on standard output, for programs. */
export function writeJson({ out }: Terminal, value: unknown): void {
  out.write(Styled.json(`${JSON.stringify(value, null, 2)}\n`));
}
