/** A study's runs as entries of the queue: each is made, put there, and waited for. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { Clock, Log } from '../../../engine/ports.ts';
import { makeRun, type Landing } from '../../../launch/launch.ts';
import { InTurn } from '../../../shared/inTurn.ts';
import { ReasonedError } from '../../../shared/reasonedError.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { MemberRun } from '../../study/node/runStudy.ts';
import type { Work } from '../contract.ts';
import { isOpen, type Queue, type QueueEntry } from '../core/queue.ts';
import { workOf } from './enqueue.ts';
import { lookAtRunner, QueueReading, runnerInbox } from './runnerFiles.ts';

/** Milliseconds between two looks at the queue. */
const glance = 300;

export interface MemberNeeds {
  store: RunStore;
  /** The folder of built files. */
  dist: URL;
  clock: Clock;
  log: Log;
  /** The study's own entry: its runs have its priority, its tries and its author. */
  entry: Pick<Work, 'run' | 'priority' | 'retries' | 'author'>;
  /** The study ends for now; its runs stay in the queue. */
  signal: AbortSignal;
}

/** A run of a study left the queue without an end. */
class MemberError extends ReasonedError<'failed' | 'removed'> {
  override readonly name = 'MemberError';
}

export class QueuedMembers {
  readonly #needs: MemberNeeds;
  readonly #reading: QueueReading;
  readonly #waiting = new Map<string, (entry: QueueEntry | undefined) => void>();
  #looking = false;
  /** Runs are made and queued one after the other: seed by seed, as the study names them. */
  readonly #inTurn = new InTurn();

  constructor(needs: MemberNeeds) {
    this.#needs = needs;
    this.#reading = new QueueReading(needs.store.root);
  }

  /** @throws InputError, RunError, MemberError */
  async execute(asked: MemberRun): Promise<Landing> {
    const { signal } = this.#needs;
    const isOver = (): boolean => signal.aborted;
    const id = await this.#inTurn.run(() => this.#queued(asked));
    if (isOver()) return { id, state: 'interrupted' };
    const ended = await this.#ended(id);
    // Its removal may be seen before the word that the whole study is paused.
    if (ended === undefined && !isOver()) await sleep(glance);
    if (isOver()) return { id, state: 'interrupted' };
    if (ended === undefined) throw new MemberError('removed', l10n.t('The run {0} was taken out of the queue.', id));
    if (ended.state === 'failed') throw new MemberError('failed', ended.why);
    return { id, state: ended.state === 'finished' ? 'finished' : 'paused' };
  }

  /** The run's id. It is made, and put into the queue unless the study ends. */
  async #queued({ start, part, onRun }: MemberRun): Promise<string> {
    const { store, clock, log, entry, signal } = this.#needs;
    const manifest = 'resume' in start ? await this.#manifest(start.resume) : await this.#made(start);
    const { id } = manifest;
    onRun(id);
    const queue = await this.#queue();
    if (signal.aborted || queue.some((one) => one.run === id && isOpen(one))) return id;
    const { priority, retries, author } = entry;
    const asked = { priority, retries, author, after: [] };
    const work = { ...(await workOf(store.root, manifest, asked)), member: entry.run, rest: part };
    await runnerInbox(store.root, { clock, log }).post({ type: 'add', work: [work], author });
    return id;
  }

  async #made(start: Extract<MemberRun['start'], { experiment: unknown }>) {
    const { store, dist, log } = this.#needs;
    const writer = await makeRun(store, start, dist, log);
    await writer.session({ type: 'paused', reason: l10n.t('Waits in the queue.') });
    await writer.close();
    return writer.manifest;
  }

  async #manifest(id: string) {
    const reader = await this.#needs.store.openReader(id);
    await reader.close();
    return reader.manifest;
  }

  async #queue(): Promise<Queue> {
    const { store, clock, log } = this.#needs;
    return (await lookAtRunner(store.root, { clock, log }, this.#reading)).queue;
  }

  /** Undefined when it left the queue, and when the study ends. */
  #ended(run: string): Promise<QueueEntry | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(run, resolve);
      if (!this.#looking) void this.#look().catch(reject);
    });
  }

  /** One look for all that wait. */
  async #look(): Promise<void> {
    this.#looking = true;
    try {
      while (this.#waiting.size > 0) {
        // Those that come later may have been put into the queue after this look.
        const waiting = [...this.#waiting];
        const queue = this.#needs.signal.aborted ? [] : await this.#queue();
        for (const [run, resolve] of waiting) {
          const entry = queue.find((one) => one.run === run);
          if (entry !== undefined && isOpen(entry)) continue;
          this.#waiting.delete(run);
          resolve(entry);
        }
        await sleep(glance, undefined, { ref: this.#waiting.size > 0 });
      }
    } finally {
      this.#looking = false;
    }
  }
}
