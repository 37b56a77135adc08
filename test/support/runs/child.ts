/** Processes of their own that write runs, for tests of what happens between processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child {
  pid: number;
  /** The next line it says. @throws when it ended without saying one */
  next(): Promise<string>;
  /** Sends a line to its input. */
  tell(line: string): void;
  kill(): void;
  ended(): Promise<void>;
}

/** Starts `test/support/runs/<script>` under this Node. */
export const startChild = (script: string, ...args: readonly string[]): Child => startChildIn([], script, ...args);

/** The same behind a program that runs others (`unshare …`). */
export function startChildIn(wrapper: readonly string[], script: string, ...args: readonly string[]): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [program = process.execPath, ...words] = [...wrapper, process.execPath, path, ...args];
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  // A killed child cannot read its input.
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? 0,
    async next() {
      const line = await lines.next();
      if (line.done === true) throw new Error(`The child ended without a word. ${errors}`);
      return line.value;
    },
    tell: (line) => child.stdin.write(`${line}\n`),
    kill: () => child.kill('SIGKILL'),
    async ended() {
      await exit;
    },
  };
}
