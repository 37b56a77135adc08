/**
 * A custom program's process under a debugger: queued pieces of work call it one after another, and a call has no time
 * limit. The result of each piece is sent to the process, which prints it in the debugger's console.
 */
import * as l10n from '@vscode/l10n';
import type { RewardFault } from '../../shared/rewards/outcome.ts';
import type { Called } from './callWorker.ts';
import { outputLimit } from './outputLimit.ts';
import type { Program } from './program.ts';
import { RewardLoadError } from './rewardLoadError.ts';
import { RewardProcess, type End } from './rewardProcess.ts';
import type { Reply } from './wire.ts';

type Ready = Extract<Reply, { t: 'ready' }>;

/** A file that is loaded. */
export interface LoadedFile extends Pick<Ready, 'files'> {
  /** Names of the functions of a domain file; none of a reward file. */
  functions: readonly string[];
  /** The first place inside each function where it can stop, by its name; without those of which none is known. */
  entries: NonNullable<Ready['entries']>;
}

/** Asks the process; never rejects. */
export type Ask = <Outcome>(request: object, called: Called<Outcome>) => Promise<Outcome>;

/** Asks as often as it needs to. @param functions names of a domain file's functions */
export type Piece<Outcome> = (ask: Ask, functions: readonly string[]) => Promise<Outcome>;

export interface DebuggedWork<Outcome> {
  program: Omit<Program, 'coverage' | 'debug'> & Required<Pick<Program, 'debug'>>;
  /** Done in this order. */
  pieces: readonly Piece<Outcome>[];
  /** Before the first call. @returns the text to print, '' for none */
  loaded(file: LoadedFile): Promise<string>;
  /** The text to print for an outcome. */
  done(index: number, outcome: Outcome): string;
}

interface Pending {
  id: number;
  answer: (reply: Extract<Reply, { id: number }>, output: string) => void;
  fail: (fault: RewardFault, output: string) => void;
}

export class DebuggedProgram<Outcome> {
  readonly #given: DebuggedWork<Outcome>;
  readonly #process: RewardProcess;
  readonly #listening = Promise.withResolvers<number>();
  readonly #ended = Promise.withResolvers<readonly Outcome[]>();
  readonly #outcomes: Outcome[] = [];
  #pending: Pending | null = null;
  #next = 0;
  #output = '';
  /** The pieces, once the file is loaded. */
  #work: Promise<void> | null = null;
  #killed = false;
  /** Why its process is gone. */
  #gone: RewardFault | null = null;
  #failure: RewardLoadError | null = null;

  constructor(given: DebuggedWork<Outcome>) {
    this.#given = given;
    this.#process = new RewardProcess(
      { ...given.program, coverage: false },
      { reply: (reply) => this.#take(reply), ended: (end) => void this.#end(end) },
    );
    // The error reaches callers that wait for the outcomes.
    this.#listening.promise.catch(() => undefined);
    this.#ended.promise.catch(() => undefined);
  }

  /** The port that it listens on. @throws RewardLoadError when it ends before */
  get listening(): Promise<number> {
    return this.#listening.promise;
  }

  /** Of the pieces that were done, once the process has ended. @throws RewardLoadError */
  get outcomes(): Promise<readonly Outcome[]> {
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
        this.#work ??= this.#begin({
          files: reply.files,
          functions: reply.functions ?? [],
          entries: reply.entries ?? {},
        }).catch((error: unknown) => {
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
    const given = this.#given;
    this.#say(await given.loaded(file));
    const ask: Ask = (request, called) => this.#ask(request, called);
    for (const piece of given.pieces) {
      if (this.#gone !== null || this.#killed) return;
      const outcome = await piece(ask, file.functions);
      this.#say(given.done(this.#outcomes.length, outcome));
      this.#outcomes.push(outcome);
    }
    this.#process.end();
  }

  #ask<T>(request: object, { answered, failed }: Called<T>): Promise<T> {
    const gone = this.#gone;
    if (gone !== null) return Promise.resolve(failed(gone, ''));
    const { promise, resolve } = Promise.withResolvers<T>();
    const id = this.#next++;
    this.#output = '';
    this.#pending = {
      id,
      answer: (reply, output) => resolve(answered(reply, output)),
      fail: (fault, output) => resolve(failed(fault, output)),
    };
    this.#process.send(JSON.stringify({ id, ...request }));
    return promise;
  }

  #answer(reply: Extract<Reply, { id: number }>): void {
    const pending = this.#pending;
    if (pending?.id !== reply.id) return;
    this.#pending = null;
    pending.answer(reply, this.#output);
  }

  #say(text: string): void {
    if (text !== '') this.#process.send(JSON.stringify({ say: text }));
  }

  async #end({ code, signal, missing, words }: End): Promise<void> {
    const { file, language, python } = this.#given.program;
    const how = code === null ? l10n.t('signal {0}', signal ?? '?') : l10n.t('exit code {0}', code);
    const why =
      missing === null ? l10n.t('The file ended its process while it was loaded ({0}). {1}', how, words).trim() : null;
    const program = language === 'python' ? python : 'Node';
    const failure =
      this.#failure ??
      (why === null
        ? new RewardLoadError('interpreter', file, l10n.t('{0} cannot be started: {1}', program, missing ?? ''))
        : new RewardLoadError('load', file, why));
    this.#listening.reject(failure);
    if (this.#work === null && !this.#killed) this.#ended.reject(failure);
    this.#gone = { reason: 'ended', message: l10n.t('It ended its process ({0}).', how), stack: null, at: null };
    if (!this.#killed) {
      this.#pending?.fail(this.#gone, this.#output);
      await this.#work;
    }
    this.#ended.resolve(this.#outcomes);
  }
}
