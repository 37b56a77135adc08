/** The outside of a suite: prints its report, acts on its window when it asks, keeps its counts. */
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { actions } from './actions.ts';
import { fromSuiteSchema, type Answer, type Counts } from './link.ts';
import type { Window } from './window.ts';

export class Runner {
  readonly #server: Server;
  readonly #window = Promise.withResolvers<Window>();
  readonly #ended = Promise.withResolvers<Counts>();
  #soFar: Counts = { last: '', passes: 0, failures: 0, failed: [], skipped: [], retried: [] };

  constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** The suite's own count: nothing else is believed, VS Code says code 0 of an extension host that was killed. */
  get counts(): Promise<Counts> {
    return this.#ended.promise;
  }

  /** The counts of a suite that has not ended, which is a failure of its own. */
  unfinished(why: string): Counts {
    const { last, failures, failed, ...rest } = this.#soFar;
    const place = last === '' ? 'before its first test ended' : `after “${last}”`;
    return { ...rest, last, failures: failures + 1, failed: [...failed, `did not finish, ${place}: ${why}`] };
  }

  /** @returns the port that the suite connects to */
  listen(): Promise<number> {
    return new Promise((listening, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address();
        listening(address !== null && typeof address === 'object' ? address.port : 0);
      });
    });
  }

  drives(win: Window): void {
    this.#window.resolve(win);
  }

  close(): void {
    this.#server.close();
  }

  #serve(socket: Socket): void {
    socket.on('error', (error) => console.error(`The suite's connection broke: ${error.message}`));
    createInterface({ input: socket }).on('line', (line) => {
      const message = fromSuiteSchema.parse(JSON.parse(line));
      if (message.kind === 'line') console.log(message.text);
      else if (message.kind === 'counts') {
        this.#soFar = message.counts;
        if (message.hasEnded) this.#ended.resolve(message.counts);
      } else {
        const { id, action, args } = message;
        const answer = (rest: Omit<Answer, 'id'>): void => void socket.write(`${JSON.stringify({ id, ...rest })}\n`);
        this.#act(action, args).then(
          (value) => answer({ value }),
          (error: unknown) => answer({ error: String(error) }),
        );
      }
    });
  }

  async #act(name: string, args: readonly string[]): Promise<string | undefined> {
    const action = actions[name];
    if (action === undefined) throw new Error(`There is no action "${name}".`);
    return action(await this.#window.promise, ...args);
  }
}
