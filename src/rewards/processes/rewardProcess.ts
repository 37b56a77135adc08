/** One reward process: replies as they come, and how it ended. */
import type { ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { parseOrUndefined } from '../../shared/json.ts';
import { parseAsWritten } from '../../shared/writtenNumbers.ts';
import { pipes, startProgram, type Program } from './program.ts';
import { repliesSchema, type Reply } from './wire.ts';

/** Characters of one reply; a longer one comes from no worker of ours. */
const longestReply = 4_000_000;

/** Characters of waiting requests after which the next one is written by itself: a text has an end of its own. */
const together = 1_000_000;

/** How a process ended. */
export interface End {
  code: number | null;
  signal: string | null;
  /** Why it could not be started; null when it could. */
  missing: string | null;
  /** The end of the runtime's own output. */
  words: string;
}

export interface Listener {
  reply(reply: Reply): void;
  /** Once, after the last reply. */
  ended(end: End): void;
}

export class RewardProcess {
  readonly #child: ChildProcess;
  readonly #listener: Listener;
  readonly #requests: Writable;
  readonly #parse: (line: string) => unknown;
  #rest = '';
  #words = '';
  #missing: string | null = null;
  #outgoing = '';

  constructor(program: Program, listener: Listener) {
    this.#listener = listener;
    this.#parse = program.language === 'python' ? parseAsWritten : parseOrUndefined;
    this.#child = startProgram(program);
    const { requests, replies } = pipes(program.language);
    this.#requests = writable(this.#child.stdio[requests]);
    // A dead process takes no more requests; its exit is reported separately.
    this.#requests.on('error', () => undefined);
    readable(this.#child.stdio[replies])
      .setEncoding('utf8')
      .on('data', (text: string) => {
        this.#read(text);
      });
    for (const stream of [this.#child.stderr, replies === 1 ? null : this.#child.stdout])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#words = (this.#words + text).slice(-4000);
      });
    this.#child.on('error', ({ message }) => {
      this.#missing = message;
      if (this.#child.pid === undefined) this.#end(null, null);
    });
    this.#child.on('close', (code, signal) => {
      if (this.#child.pid !== undefined) this.#end(code, signal);
    });
  }

  /** Small requests of one turn travel together. */
  send(line: string): void {
    if (this.#outgoing.length > together) this.#flush();
    if (this.#outgoing === '') queueMicrotask(() => this.#flush());
    this.#outgoing += `${line}\n`;
  }

  /** Sends no more requests: the process ends when it has answered those it has. */
  end(): void {
    this.#flush();
    this.#requests.end();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Its process may be the last thing that keeps this one alive, or not. */
  #flush(): void {
    const text = this.#outgoing;
    this.#outgoing = '';
    if (this.#requests.writable) this.#requests.write(text);
  }

  #read(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const reply = repliesSchema.safeParse(this.#parse(this.#rest + text.slice(from, end)));
      // A line that is no reply was written into our pipe by the user's code.
      if (reply.success) this.#listener.reply(reply.data);
      this.#rest = '';
      from = end + 1;
    }
    this.#rest += text.slice(from);
    if (this.#rest.length > longestReply) this.#rest = '';
  }

  #end(code: number | null, signal: string | null): void {
    this.#listener.ended({ code, signal, missing: this.#missing, words: this.#words });
  }
}

function writable(stream: unknown): Writable {
  if (stream instanceof Writable) return stream;
  throw new Error('Unreachable: the pipe of requests is open.');
}

function readable(stream: unknown): Readable {
  if (stream instanceof Readable) return stream;
  throw new Error('Unreachable: the pipe of replies is open.');
}
