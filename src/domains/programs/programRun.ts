/** One program from its start to its end, within its limits; its whole process group ends with it. */
import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import type { ProgramSpec } from '../../shared/domains/program.ts';
import { codeOf } from '../../shared/systemError.ts';
import type { GroupMemory } from './groupMemory.ts';
import type { OrphanGuard } from './orphans.ts';
import { messageOf } from '../../shared/messageOf.ts';

type Limit = 'seconds' | 'megabytes' | 'output' | 'calls';

type Ending =
  | { how: 'exit'; code: number }
  | { how: 'signal'; signal: string }
  /** We ended it: the limit that it exceeded. */
  | { how: 'limit'; limit: Limit }
  /** We ended it: its attempt was called off. */
  | { how: 'aborted' }
  /** It could not be started: why, and the system's code for it. */
  | { how: 'missing'; why: string; code: string };

/** How a program ended, and the end of its output. */
export type ProgramEnd = Ending & { output: string; errors: string };

/** Characters of each stream that are kept. */
const [keptOutput, keptErrors] = [65_536, 8000];
/** Bytes that may be printed. */
export const mostPrinted = 16 * 2 ** 20;
/** Milliseconds in which the pipes of an ended program close; a process that left its group may hold them open. */
const closing = 1000;

export interface ProgramStart {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  folder: string;
  /** Given to its standard input, which then ends. */
  input: string;
  limits: Pick<ProgramSpec, 'seconds' | 'megabytes'>;
  memory: GroupMemory;
  guard: OrphanGuard;
  signal: AbortSignal;
}

export class ProgramRun {
  readonly ended: Promise<ProgramEnd>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #why: Ending | null = null;
  /** It has exited: its number may soon be another's. */
  #isOver = false;
  #output = '';
  #errors = '';
  #printed = 0;
  /** The program's remaining milliseconds, and when they began to run. */
  #left: number;
  #since = 0;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: ProgramStart) {
    this.#left = start.limits.seconds * 1000;
    const [program = '', ...words] = start.command;
    this.#child = spawn(program, words, {
      ...{ cwd: start.folder, env: start.env, stdio: ['pipe', 'pipe', 'pipe'] },
      // Its own process group, so that all its processes end with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.ended = this.#run(start);
  }

  /** The program waits for the agent: that time does not count. @returns a function that ends the wait */
  wait(): () => void {
    if (this.#waiting++ === 0) this.#stopTime();
    return () => {
      if (--this.#waiting === 0 && this.#why === null) this.#runTime();
    };
  }

  /** Ends it for exceeding a limit. */
  limit(limit: Limit): void {
    this.#stop({ how: 'limit', limit });
  }

  async #run({ input, limits, memory, guard, signal }: ProgramStart): Promise<ProgramEnd> {
    const { pid } = this.#child;
    const exited = once(this.#child, 'exit');
    if (pid === undefined) {
      try {
        await exited;
      } catch (error) {
        const why = messageOf(error);
        return { how: 'missing', why, code: codeOf(error), output: '', errors: '' };
      }
    }
    const group = pid ?? 0;
    guard.began(group);
    const unwatch = memory.watch(group, (bytes) => {
      if (bytes > limits.megabytes * 2 ** 20) this.limit('megabytes');
    });
    const abort = (): void => this.#stop({ how: 'aborted' });
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const closed = this.#listen(input);
    this.#runTime();
    await exited;
    this.#stopTime();
    signal.removeEventListener('abort', abort);
    unwatch();
    // Its other processes end with it.
    this.#kill();
    this.#isOver = true;
    guard.ended(group);
    await Promise.race([closed, after(closing, undefined, { ref: false })]);
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.destroy();
    const { exitCode: code, signalCode } = this.#child;
    const own: Ending = code === null ? { how: 'signal', signal: signalCode ?? 'unknown' } : { how: 'exit', code };
    return { ...(this.#why ?? own), output: this.#output, errors: this.#errors };
  }

  /** @returns when both streams have ended */
  #listen(input: string): Promise<unknown> {
    const { stdin, stdout, stderr } = this.#child;
    stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-keptOutput);
      this.#count(text);
    });
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-keptErrors);
      this.#count(text);
    });
    // It may ignore its input.
    stdin.on('error', () => undefined);
    stdin.end(input);
    return once(this.#child, 'close');
  }

  #count(text: string): void {
    this.#printed += text.length;
    if (this.#printed > mostPrinted) this.limit('output');
  }

  #runTime(): void {
    if (this.#isOver) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.limit('seconds'), this.#left);
  }

  #stopTime(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  #stop(why: Ending): void {
    this.#why ??= why;
    this.#kill();
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#isOver) return;
    if (process.platform === 'win32') {
      execFile('taskkill', ['/pid', String(pid), '/t', '/f'], () => undefined);
      return;
    }
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // Everything of it has ended; on macOS a group of the dead alone is not to be touched.
      if (!['ESRCH', 'EPERM'].includes(codeOf(error))) throw error;
    }
  }
}
