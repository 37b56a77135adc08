/** Real OpenEnv servers of our own making, in processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('server.py', import.meta.url));

/** The environments of `server.py`. */
export type OpenenvKind = 'numbers' | 'shelf' | 'shop';

export class RealOpenenv {
  readonly #process: ChildProcess;
  readonly port: number;

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  /** @param kind of `server.py`; @param port 0 for any free one */
  static async start(python: string, kind: OpenenvKind, sessions: number, port = 0): Promise<RealOpenenv> {
    const child = spawn(python, [server, String(port), kind, String(sessions)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(child.stdout)) {
      const [, ready] = /^ready (\d+)$/.exec(line) ?? [];
      if (ready !== undefined) return new RealOpenenv(child, Number(ready));
    }
    throw new Error(`The OpenEnv server of the tests ended with ${child.exitCode ?? 'no code'}.`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}
