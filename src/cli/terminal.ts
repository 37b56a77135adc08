/** The outside of the command line: two streams, the environment, the time. */
import type { TimezoneOffset } from '../shared/text/figures/moments.ts';
import { codeOf } from '../shared/systemError.ts';
import { writePieces } from '../runs/export/writeLines.ts';
import { showsColours, style } from './text/style.ts';
import { Styled, styled, type Printable } from './text/styled.ts';

export interface Stream {
  readonly isTTY: boolean;
  /** Width of a line in cells; 80 where unknown. */
  readonly columns: number;
  readonly rows: number;
  /**
   * Hidden marks in plain text are made visible, in files and pipes as well, since their content may reach a terminal
   * later.
   */
  readonly write: (text: Printable) => void;
  /**
   * Pieces of JSON, no faster than they are read: exact in a file or pipe, with escapes on a terminal. A reader that
   * stops early (`| head`) ends them without an error. @throws the errors of their source, and of writing
   */
  readonly writeJson: (pieces: AsyncIterable<string>) => Promise<void>;
}

/** Each text on its own line. */
export function writeLines(stream: Pick<Stream, 'write'>, lines: readonly Printable[]): void {
  for (const line of lines) stream.write(styled`${line}\n`);
}

export interface Terminal {
  readonly out: Stream;
  readonly err: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly timezoneOffset: TimezoneOffset;
  now(): number;
}

/** Takes warnings, each a line. */
export const warningsTo =
  ({ err }: Pick<Terminal, 'err'>) =>
  (message: string): void =>
    err.write(styled`${style.warn('warning:')} ${message}\n`);

/** Files have no size, and a terminal of unknown size reports 0. */
const known = (size: number | undefined, otherwise: number): number =>
  size === undefined || size === 0 ? otherwise : size;

/** A stream of the process that can fail. */
interface ProcessStream extends Stream {
  /** Why nothing more can be written; null while it can, and for a reader that has enough (`| head`). */
  readonly failure: Error | null;
}

/** After a failure (its reader or terminal closed, the disk is full) nothing more is written. */
function processStream(stream: NodeJS.WriteStream): ProcessStream {
  let gone = false;
  let failure: Error | null = null;
  const colours = showsColours(stream, process.env);
  const bytes = (text: Printable): string => Styled.of(text).bytesFor({ isTTY: stream.isTTY, colours });
  async function* whileRead(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      if (gone) return;
      yield bytes(Styled.json(piece));
    }
  }
  stream.on('error', (error) => {
    gone = true;
    if (codeOf(error) !== 'EPIPE') failure ??= error;
  });
  return {
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return known(stream.columns, 80);
    },
    get rows() {
      return known(stream.rows, 24);
    },
    get failure() {
      return failure;
    },
    write(text) {
      if (!gone) stream.write(bytes(text));
    },
    async writeJson(pieces) {
      await writePieces(whileRead(pieces), stream).catch((error: unknown) => {
        if (codeOf(error) !== 'EPIPE') throw error;
      });
      if (failure !== null) throw failure;
    },
  };
}

export interface ProcessTerminal extends Terminal {
  /** Why some output was not written; null when all of it was. */
  readonly lost: Error | null;
}

/** Its streams are opened when something is written or asked of them: a command that writes files needs neither. */
export function processTerminal(): ProcessTerminal {
  let [out, err]: [ProcessStream | null, ProcessStream | null] = [null, null];
  return {
    get lost() {
      return out?.failure ?? null;
    },
    get out() {
      return (out ??= processStream(process.stdout));
    },
    get err() {
      return (err ??= processStream(process.stderr));
    },
    env: process.env,
    cwd: process.cwd(),
    timezoneOffset: (at) => new Date(at).getTimezoneOffset(),
    now: () => Date.now(),
  };
}
