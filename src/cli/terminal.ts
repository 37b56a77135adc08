/** The outside of the command line: two streams, the environment, the time. */
import { styleFor, type Style } from './text/style.ts';

export interface Stream {
  readonly isTTY: boolean;
  /** Cells of a line; 80 where nobody knows. */
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  write(text: string): void;
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

/** Files have no size, and a terminal that nobody sized says 0. */
const known = (size: number | undefined, otherwise: number): number =>
  size === undefined || size === 0 ? otherwise : size;

/** A stream of the process. A reader that has gone away (`| head`) is no error: what follows is not written. */
function processStream(stream: NodeJS.WriteStream): Stream {
  let gone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    gone = true;
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
    style: styleFor(stream, process.env),
    write(text) {
      if (!gone) stream.write(text);
    },
  };
}

/** Its streams are opened when something is written or asked of them: a command that writes files needs neither. */
export function processTerminal(): Terminal {
  let [out, err]: [Stream | null, Stream | null] = [null, null];
  return {
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
