/**
 * A reward process under a debugger: given calls are judged one after another, each for as long as it takes. What each came
 * to is said to the process, which prints it where the debugger shows what it prints.
 */
import type { RewardCall } from '../../shared/rewards/given.ts';
import type { RewardOutcome } from '../../shared/rewards/outcome.ts';
import { answered, failed } from './answer.ts';
import { outputLimit } from './outputLimit.ts';
import type { Program } from './program.ts';
import { RewardLoadError } from './rewardLoadError.ts';
import { RewardProcess, type End } from './rewardProcess.ts';
import type { Reply } from './wire.ts';

type Ready = Extract<Reply, { t: 'ready' }>;

/** A file that is loaded. */
export type LoadedFile = Pick<Ready, 'files'> & { entry: NonNullable<Ready['entry']> | null };

export interface DebuggedCalls {
  program: Omit<Program, 'coverage' | 'debug'> & Required<Pick<Program, 'debug'>>;
  calls: readonly RewardCall[];
  /** Before the first call. @returns what is said of it, '' for nothing */
  loaded(file: LoadedFile): Promise<string>;
  /** What is said of an outcome. */
  judged(index: number, outcome: RewardOutcome): string;
}

export class DebuggedReward {
  readonly #given: DebuggedCalls;
  readonly #process: RewardProcess;
  readonly #listening = Promise.withResolvers<number>();
  readonly #ended = Promise.withResolvers<readonly RewardOutcome[]>();
  readonly #outcomes: RewardOutcome[] = [];
  #output = '';
  #loaded = false;
  #killed = false;
  #failure: RewardLoadError | null = null;

  constructor(given: DebuggedCalls) {
    this.#given = given;
    this.#process = new RewardProcess(
      { ...given.program, coverage: false },
      { reply: (reply) => this.#take(reply), ended: (end) => this.#end(end) },
    );
    // Whoever waits for the outcomes is told the same.
    this.#listening.promise.catch(() => undefined);
    this.#ended.promise.catch(() => undefined);
  }

  /** The port that it listens on. @throws RewardLoadError when it ends before */
  get listening(): Promise<number> {
    return this.#listening.promise;
  }

  /** Of the calls that were judged, once the process has ended. @throws RewardLoadError */
  get outcomes(): Promise<readonly RewardOutcome[]> {
    return this.#ended.promise;
  }

  /** Nothing that is under way counts. */
  kill(): void {
    this.#killed = true;
    this.#process.kill();
  }

  #take(reply: Reply): void {
    if (this.#killed) return;
    switch (reply.t) {
      case 'debugger':
        this.#listening.resolve(reply.port);
        return;
      case 'unloadable':
        this.#failure = new RewardLoadError('load', this.#given.program.file, reply.message, reply.at);
        return;
      case 'ready':
        this.#loaded = true;
        this.#begin({ files: reply.files, entry: reply.entry ?? null }).catch((error: unknown) => {
          this.#ended.reject(error);
          this.kill();
        });
        return;
      case 'out':
        this.#output = (this.#output + reply.text).slice(0, outputLimit);
        return;
      case 'memory':
        return;
      case 'gave':
      case 'threw':
        this.#answer(reply);
    }
  }

  async #begin(file: LoadedFile): Promise<void> {
    this.#say(await this.#given.loaded(file));
    this.#next();
  }

  #answer(reply: Extract<Reply, { id: number }>): void {
    const call = this.#given.calls[reply.id];
    if (call === undefined || reply.id !== this.#outcomes.length) return;
    this.#settle(answered(reply, { stopReason: call.trace.stopReason, output: this.#output }));
    this.#next();
  }

  #settle(outcome: RewardOutcome): void {
    this.#output = '';
    this.#say(this.#given.judged(this.#outcomes.length, outcome));
    this.#outcomes.push(outcome);
  }

  #next(): void {
    const id = this.#outcomes.length;
    const call = this.#given.calls[id];
    if (call === undefined) this.#process.end();
    else this.#process.send(JSON.stringify({ id, ...call }));
  }

  #say(text: string): void {
    if (text !== '') this.#process.send(JSON.stringify({ say: text }));
  }

  #end({ code, signal, missing, words }: End): void {
    const { file, language, python } = this.#given.program;
    const how = code === null ? `signal ${signal ?? 'unknown'}` : `exit code ${code}`;
    const why = missing === null ? `The file ended its process while it was loaded (${how}). ${words}`.trim() : null;
    const program = language === 'python' ? python : 'Node';
    const failure =
      this.#failure ??
      (why === null
        ? new RewardLoadError('interpreter', file, `${program} cannot be started: ${missing}`)
        : new RewardLoadError('load', file, why));
    this.#listening.reject(failure);
    if (!this.#loaded && !this.#killed) this.#ended.reject(failure);
    if (!this.#killed && this.#outcomes.length < this.#given.calls.length) {
      const message = `It ended its process (${how}).`;
      this.#outcomes.push(failed({ reason: 'ended', message, stack: null, at: null }, this.#output));
    }
    this.#ended.resolve(this.#outcomes);
  }
}
