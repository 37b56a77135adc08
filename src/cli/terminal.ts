/** The outside of the command line: two streams, the environment, the time. */
import { codeOf } from '../shared/systemError.ts';
import { writePieces } from '../runs/export/writeLines.ts';
import { showsColours, style } from './text/style.ts';
import { Styled, styled, type Printable } from './text/styled.ts';

export interface Stream {
  readonly isTTY: boolean;
  /** Cells of a line; 80 where nobody knows. */
  readonly columns: number;
  readonly rows: number;
  /** Hidden marks of plain text are shown, to files and pipes as well: what is read there ends on a terminal soon. */
  readonly write: (text: Printable) => void;
  /**
   * Pieces of JSON, no faster than they are read: exact in a file or pipe, with escapes on a terminal. A reader that has
   * enough (`| head`) ends them, and that is no failure. @throws what their source throws, and why they cannot be written
   */
  readonly writeJson: (pieces: AsyncIterable<string>) => Promise<void>;
}

/** Each on a line of its own. */
export function writeLines(stream: Pick<Stream, 'write'>, lines: readonly Printable[]): void {
  for (const line of lines) stream.write(styled`${line}\n`);
}

export interface Terminal {
  readonly out: Stream;
  readonly err: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Minutes from local time to UTC, as Date has it. */
  readonly timezoneOffset: number;
  now(): number;
}

/** Takes warnings, each a line. */
export const warningsTo =
  ({ err }: Pick<Terminal, 'err'>) =>
  (message: string): void =>
    err.write(styled`${style.warn('warning:')} ${message}\n`);

/** Files have no size, and a terminal that nobody sized says 0. */
const known = (size: number | undefined, otherwise: number): number =>
  size === undefined || size === 0 ? otherwise : size;

/** A stream of the process that can fail. */
interface ProcessStream extends Stream {
  /** Why nothing more can be written; null while it can, and for a reader that has enough (`| head`). */
  readonly failure: Error | null;
}

/** Whatever happens to it (its reader or terminal went away, the disk is full), what follows is not written: no more. */
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
    get timezoneOffset() {
      return new Date().getTimezoneOffset();
    },
    now: () => Date.now(),
  };
}
