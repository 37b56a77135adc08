/** Work on untrusted input, in a thread that is ended when it takes too long and restarted for the next job. */
import type { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import { InTurn } from '../shared/inTurn.ts';
import { answerOf } from './protocol.ts';
import { SandboxError } from './sandboxError.ts';
import { fault, startThread, type SandboxOptions } from './thread.ts';

export class Sandbox<Job, Answer> {
  readonly #options: SandboxOptions<Answer>;
  #worker: Worker | null = null;
  /** A thread has one job at a time. */
  readonly #inTurn = new InTurn();

  constructor(options: SandboxOptions<Answer>) {
    this.#options = options;
  }

  /** @throws SandboxError */
  call(job: Job): Promise<Answer> {
    return this.#inTurn.run(() => this.#call(job));
  }

  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #call(job: Job): Promise<Answer> {
    const { seconds, answer } = this.#options;
    const worker = (this.#worker ??= startThread(this.#options, null));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const late = setTimeout(() => {
      reject(new SandboxError('too-slow', l10n.t('it takes longer than {0} s', seconds)));
    }, seconds * 1_000);
    const failed = (cause: unknown): void => reject(fault(cause, this.#options));
    const ended = (code: number): void => failed(new Error(l10n.t('its thread ended with code {0}', code)));
    worker.on('message', resolve).on('error', failed).on('exit', ended);
    worker.ref();
    worker.postMessage(job);
    try {
      return answerOf(await promise, answer);
    } catch (error) {
      if (this.#worker === worker) this.#worker = null;
      // Later errors of a thread that is being ended are irrelevant.
      worker.on('error', () => undefined);
      void worker.terminate();
      throw error;
    } finally {
      clearTimeout(late);
      worker.off('message', resolve).off('error', failed).off('exit', ended);
      worker.unref();
    }
  }
}
