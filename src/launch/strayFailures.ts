/**
 * Failures that reach the process instead of a caller: a rejection without a reader, an exception in a callback.
 * Without a guard they end the process during a run and leave its lease behind.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import * as l10n from '@vscode/l10n';
import type { Cancel, Time } from '../endpoints/time.ts';
import { messageOf } from '../shared/messageOf.ts';

export class StrayFailure extends Error {
  override readonly name = 'StrayFailure';
  readonly reason = 'stray';

  constructor(cause: unknown) {
    const said = messageOf(cause);
    super(
      l10n.t(
        'A part of the program failed that nothing waited for: {0}. Resume the run; if it fails like this again, report it with the log.',
        said.replace(/\.$/, ''),
      ),
      { cause },
    );
  }
}

export interface GuardOptions {
  time: Time;
  /** The process is shared: only failures that this work caused are its own. */
  shared: boolean;
  /** Called at once for each failure. */
  onFailure?(failure: StrayFailure): void;
  source?: Pick<EventEmitter, 'on' | 'off'>;
}

/** How long work may take to end once a failure of it reached the process; then it is abandoned. */
const patience = 15_000;

/** Whose work the code at hand belongs to, across everything that it awaits or sets off. */
const owner = new AsyncLocalStorage<Guard>();

export class Guard {
  readonly #options: Required<Pick<GuardOptions, 'source'>> & GuardOptions;
  readonly #controller = new AbortController();
  readonly #overdue = Promise.withResolvers<never>();
  #failure: StrayFailure | null = null;
  #abandoned = false;
  #cancel: Cancel | null = null;
  readonly #hear = (thrown: unknown): void => {
    const of = owner.getStore();
    if (of === this || (of === undefined && !this.#options.shared)) this.#take(thrown);
  };

  constructor(options: GuardOptions) {
    this.#options = { source: process, ...options };
    for (const event of events) this.#options.source.on(event, this.#hear);
    this.#overdue.promise.catch(() => undefined);
  }

  /** Aborted by the first failure. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Work that did not end in time after one. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** The first. */
  get failure(): StrayFailure | null {
    return this.#failure;
  }

  /**
   * From now on, catches failures caused by `work` that have no handler. @throws as `work`; StrayFailure when it does
   * not end soon after one, and is abandoned
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    return owner.run(this, () => Promise.race([work(), this.#overdue.promise]));
  }

  dispose(): void {
    this.#cancel?.();
    for (const event of events) this.#options.source.off(event, this.#hear);
  }

  #take(thrown: unknown): void {
    const failure = new StrayFailure(thrown);
    this.#options.onFailure?.(failure);
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#cancel = this.#options.time.after(patience, () => {
      this.#abandoned = true;
      this.#overdue.reject(failure);
    });
    this.#controller.abort(failure);
  }
}

const events = ['unhandledRejection', 'uncaughtException'] as const;
