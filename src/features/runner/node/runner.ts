/**
 * Executes the queue of a folder of runs: one runner a folder, each run in its own process. Actions are journaled
 * before they are done, so that after a kill the next runner continues from there.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as l10n from '@vscode/l10n';
import { KeyError } from '../../../launch/access/keys.ts';
import { wishesOf } from '../../../launch/access/wishes.ts';
import { originOf } from '../../../shared/experiment/endpoints/origins.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { Lease } from '../../../runs/lease/lease.ts';
import { describeHolder, liveHolder } from '../../../runs/lease/leaseFile.ts';
import type { Mailbox } from '../../../runs/mailbox.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import {
  queueVersion,
  type Grant,
  type Live,
  type QueueEntryEvent,
  type RunnerRequest,
  type Wait,
} from '../contract.ts';
import { answer, endedBy, isQueueRequest, type QueueRequest } from '../core/answer.ts';
import { afterLanding, pausedOf } from '../core/landing.ts';
import { isEmpty, lostIn, nextMoment, planOf, type Limits } from '../core/plan.ts';
import { isOpen, queueAfter, type Queue, type QueueEntry } from '../core/queue.ts';
import { waitText } from '../core/words.ts';
import { ChildRun } from './childRun.ts';
import { FullDisk } from './fullDisk.ts';
import { listenAtPipe } from './runnerPipe.ts';
import type { GrantedKeys } from './grants.ts';
import { settingsTold } from './tracesOfRunner.ts';
import { QueueJournal } from './queueJournal.ts';
import { RunnerError } from './runnerError.ts';
import { runnerInbox, runnerPaths, type RunnerPaths, type Surroundings } from './runnerFiles.ts';
import { dropLate, stopsIn } from './stopRequests.ts';
import { watchFolder } from './watchFolder.ts';
import { messageOf } from '../../../shared/messageOf.ts';

export interface RunnerNeeds extends Surroundings {
  store: RunStore;
  keys: GrantedKeys;
  limits: Limits;
  /** The program that carries on one run. */
  command: readonly string[];
  /** Ends once nothing runs, and nothing waits but for runs that did not finish. */
  untilEmpty: boolean;
  /** Ends it: running entries wait again. */
  signal: AbortSignal;
  /** It holds the folder. */
  onReady?: () => void;
  onEvent?(event: QueueEntryEvent): void;
}

/** Events of the inbox's folder may be lost: so often it is looked at anyway, milliseconds. */
const pollMs = 1_000;
/** Shortest interval between writes of the live state, milliseconds. */
const liveMs = 500;
/** A key may be set, or allowed, at any time: so often it is looked for, milliseconds. */
const keyMs = 10_000;

/** @throws RunnerError `held`, RunError `format`, `version`, `disk-full`, `unwritable` */
export async function executeQueue(needs: RunnerNeeds): Promise<'asked' | 'empty'> {
  const paths = runnerPaths(needs.store.root);
  for (;;) {
    mkdirSync(paths.inbox, { recursive: true });
    const inbox = runnerInbox(needs.store.root, needs);
    // Those that are posted once there is a lease are for this runner.
    const stops = await stopsIn(inbox);
    const lease = await takeLease(paths, needs);
    let why: 'asked' | 'empty';
    try {
      await dropLate(needs.store.root, inbox, stops);
      const disk = new FullDisk(needs);
      const onFull = (error: RunError): Promise<void> => disk.wait(error);
      const journal = await QueueJournal.open(paths.queue, { lease, clock: needs.clock, onFull });
      try {
        why = await new Session(needs, paths, journal, inbox, disk).run();
      } finally {
        await journal.close();
        await rm(paths.live, { force: true });
      }
    } finally {
      await lease.release();
    }
    if (why === 'asked') return why;
    // Requests between its last look and its end.
    if ((await stopsIn(inbox)).length > 0) return 'asked';
    if ((await inbox.waiting()).length === 0) return why;
  }
}

async function takeLease({ lease: path }: RunnerPaths, { clock, log, store }: RunnerNeeds): Promise<Lease> {
  try {
    return await Lease.take(path, { clock, log, files: nodeFiles });
  } catch (error) {
    if (!RunError.is(error, 'in-use')) throw error;
    const holder = await liveHolder(path, clock);
    const who = holder === null ? l10n.t('another process') : describeHolder(holder);
    throw new RunnerError(
      'held',
      l10n.t('A runner works on {0} already: {1}.', store.root, who),
      l10n.t('Add runs with “genenv queue add”, or stop it with “genenv runner stop”.'),
    );
  }
}

class Session {
  readonly #needs: RunnerNeeds;
  readonly #paths: RunnerPaths;
  readonly #journal: QueueJournal;
  readonly #inbox: Mailbox<RunnerRequest>;
  readonly #disk: FullDisk;
  readonly #children = new Map<string, ChildRun>();
  readonly #landings: Promise<void>[] = [];
  readonly #log: number;
  #waiting: ReadonlyMap<string, Wait> = new Map();
  #wake: () => void = () => undefined;
  #woken = true;
  #stop = false;
  /** Why the queue cannot be written any more. */
  #failure: Error | null = null;
  /** Keys came since waiting runs were looked at. */
  #given = false;
  #keysLookedAt = 0;
  #liveFailed = false;
  #live: { timer: NodeJS.Timeout | null; text: string } = { timer: null, text: '' };

  constructor(
    needs: RunnerNeeds,
    paths: RunnerPaths,
    journal: QueueJournal,
    inbox: Mailbox<RunnerRequest>,
    disk: FullDisk,
  ) {
    this.#needs = needs;
    this.#disk = disk;
    this.#paths = paths;
    this.#journal = journal;
    this.#inbox = inbox;
    this.#log = openSync(paths.log, 'a', 0o600);
  }

  async run(): Promise<'asked' | 'empty'> {
    const { signal, untilEmpty, onReady } = this.#needs;
    await this.#append({ type: 'opened', host: hostname(), pid: process.pid });
    // Those of a runner that was killed: their processes end with it.
    for (const { run, state } of this.#journal.queue)
      if (state === 'running') await this.#append({ type: 'returned', run });
    onReady?.();
    const rouse = (): void => this.#rouse();
    const grants = await this.#listen();
    const watcher = watchFolder(this.#paths.inbox, rouse, (error) =>
      this.#needs.log.warn(
        `The inbox is read once a second, because its folder cannot be watched: ${messageOf(error)}`,
      ),
    );
    signal.addEventListener('abort', rouse);
    try {
      for (;;) {
        await this.#takeRequests();
        if (this.#failure !== null) throw this.#failure;
        if (this.#stop || signal.aborted) break;
        await this.#startWhatMay();
        const { queue, held } = this.#journal;
        if (untilEmpty && this.#children.size === 0 && (held || isEmpty(queue))) break;
        await this.#sleep();
      }
    } finally {
      watcher?.close();
      grants?.close();
      signal.removeEventListener('abort', rouse);
      this.#disk.giveUp();
      await this.#endChildren();
      if (this.#live.timer !== null) clearTimeout(this.#live.timer);
      closeSync(this.#log);
    }
    const why = this.#stop || signal.aborted ? 'asked' : 'empty';
    if (why === 'empty') this.#tellLost();
    await this.#append({ type: 'closed', why });
    return why;
  }

  #tellLost(): void {
    const { clock, log } = this.#needs;
    for (const { run } of lostIn(this.#journal.queue)) {
      const wait = this.#waiting.get(run);
      if (wait !== undefined) log.warn(`${run} ${waitText(wait, clock.now())}.`);
    }
  }

  #append(event: QueueEntryEvent): Promise<void> {
    return this.#decide(() => [event]);
  }

  async #decide(decide: (queue: Queue) => readonly QueueEntryEvent[]): Promise<void> {
    const events = await this.#journal.append(decide);
    for (const event of events) this.#needs.onEvent?.(event);
    this.#tellLive();
  }

  async #takeRequests(): Promise<void> {
    for (const { id, request } of await this.#inbox.waiting()) {
      if (isQueueRequest(request)) await this.#decide((queue) => this.#answered(queue, request));
      else if (request.type === 'stop') this.#stop = true;
      else await this.#hold(request);
      // A repeated answer does no harm: after a crash in between the second addition is refused.
      await this.#inbox.remove(id);
    }
  }

  #answered(queue: Queue, request: QueueRequest): QueueEntryEvent[] {
    for (const run of endedBy(queue, request)) this.#children.get(run)?.end('pause');
    return answer(queue, request);
  }

  async #hold({ type, author }: Extract<RunnerRequest, { type: 'hold' | 'release' }>): Promise<void> {
    const held = type === 'hold';
    if (held !== this.#journal.held) await this.#append({ type: held ? 'held' : 'released', author });
  }

  /** Without a pipe its keys are those that it began with. */
  async #listen(): Promise<{ close: () => void } | null> {
    const { store, clock, keys, log } = this.#needs;
    const nonce = (await liveHolder(this.#paths.lease, clock))?.nonce ?? '';
    try {
      return await listenAtPipe(store.root, nonce, {
        take: (grants) => {
          keys.give(grants);
          this.#keysLookedAt = 0;
          this.#given = true;
          this.#rouse();
        },
        said: async (run, task) => (await this.#children.get(run)?.said(task)) ?? null,
      });
    } catch (error) {
      if (!RunnerError.is(error, 'no-pipe')) throw error;
      log.warn(error.message);
      return null;
    }
  }

  async #startWhatMay(): Promise<void> {
    const { clock, limits } = this.#needs;
    await this.#lookForKeys();
    const { start, waiting } = planOf(this.#journal.queue, limits, clock.now(), this.#journal.held);
    this.#waiting = waiting;
    for (const entry of start) {
      const looked = await this.#look(entry);
      if ('grants' in looked) await this.#start(entry, looked.grants);
      else {
        const { run, epoch } = entry;
        await this.#append({ type: 'delayed', run, delay: 'key', until: null, epoch, ...looked });
        this.#woken = true;
      }
    }
    this.#tellLive();
  }

  async #start(entry: QueueEntry, grants: readonly Grant[]): Promise<void> {
    const { command, store } = this.#needs;
    const { run } = entry;
    await this.#append({ type: 'started', run });
    const onPlace = (): void => this.#tellLive();
    const child = new ChildRun({ command, root: store.root, entry, log: this.#log, grants, onPlace });
    this.#children.set(run, child);
    this.#landings.push(
      child.landed
        .then((landed) => this.#land(run, landed))
        .catch((error: unknown) => {
          this.#failure ??= error instanceof Error ? error : new Error(String(error));
          this.#rouse();
        }),
    );
  }

  async #land(run: string, landed: Awaited<ChildRun['landed']>): Promise<void> {
    await this.#decide((queue) => {
      const asked = this.#children.get(run)?.asked ?? null;
      this.#children.delete(run);
      const entry = queue.find((one) => one.run === run);
      return entry === undefined ? [] : this.#landed(queue, entry, asked === 'pause' ? pausedOf(landed) : landed);
    });
    this.#rouse();
  }

  /** Runs that a study put into the queue while it was being paused leave with it. */
  #landed(queue: Queue, entry: QueueEntry, landed: Awaited<ChildRun['landed']>): QueueEntryEvent[] {
    const now = this.#needs.clock.now();
    const event = afterLanding(entry, landed, now);
    const { run, study, author } = entry;
    const after = queueAfter(queue, event, now);
    if (study === null || landed.how !== 'paused' || !after.some((one) => one.member === run && isOpen(one)))
      return [event];
    return [event, ...this.#answered(after, { v: queueVersion, at: now, type: 'pause', run, author })];
  }

  /** Entries that lacked a key get their turn again when it is there. */
  async #lookForKeys(): Promise<void> {
    const now = this.#needs.clock.now();
    if (Math.abs(now - this.#keysLookedAt) < keyMs) return;
    this.#keysLookedAt = now;
    const given = this.#given;
    this.#given = false;
    for (const entry of this.#journal.queue) {
      const { run, state, delayed } = entry;
      if (state !== 'waiting' || delayed?.delay !== 'key') continue;
      // Its own process missed a key of something that the runner does not know: a new key may be it.
      if (delayed.until !== null && !given) continue;
      if ('grants' in (await this.#look(entry))) await this.#append({ type: 'returned', run });
    }
  }

  /** A run's grants, or its missing key in a sentence and by name. */
  async #look({ run }: QueueEntry): Promise<{ grants: Grant[] } | { why: string; lacks: string }> {
    const { store, keys } = this.#needs;
    let lacks = '';
    try {
      const reader = await store.openReader(run);
      await reader.close();
      for (const { key, url } of wishesOf(reader.manifest)) {
        lacks = key ?? originOf(url);
        await (key === null ? keys.reach(url) : keys.find(key, url));
      }
      return { grants: keys.forRun(reader.manifest, settingsTold(process.env)) };
    } catch (error) {
      if (KeyError.is(error)) {
        return { why: l10n.t('The runner lacks what this run’s endpoint needs. {0}', error.message), lacks };
      }
      // Its own process reports the run's fault.
      if (RunError.is(error)) return { grants: [] };
      throw error;
    }
  }

  async #endChildren(): Promise<void> {
    for (const child of this.#children.values()) child.end('interrupt');
    await Promise.all(this.#landings);
  }

  #rouse(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Until something happens, or something that waits may start. */
  async #sleep(): Promise<void> {
    const now = this.#needs.clock.now();
    const next = nextMoment(this.#journal.queue, now);
    if (!this.#woken) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      this.#wake = () => resolve(undefined);
      const timer = setTimeout(this.#wake, Math.max(1, Math.min(pollMs, next === null ? pollMs : next - now)));
      await promise;
      clearTimeout(timer);
    }
    this.#woken = false;
  }

  #tellLive(): void {
    this.#live.timer ??= setTimeout(() => {
      this.#live.timer = null;
      void this.#writeLive();
    }, liveMs);
  }

  /** A failed write only leaves the display old. */
  async #writeLive(): Promise<void> {
    const running = [...this.#children].flatMap(([run, { place }]) => (place === null ? [] : [[run, place] as const]));
    const live: Live = {
      ...{ v: queueVersion, pid: process.pid, held: this.#journal.held },
      ...{ running: Object.fromEntries(running), waiting: Object.fromEntries(this.#waiting) },
    };
    const text = `${JSON.stringify(live)}\n`;
    if (text === this.#live.text) return;
    this.#live.text = text;
    const next = `${this.#paths.live}.${randomUUID().slice(0, 8)}`;
    try {
      await writeFile(next, text);
      await rename(next, this.#paths.live);
      this.#liveFailed = false;
    } catch (error) {
      await rm(next, { force: true });
      if (!this.#liveFailed) this.#needs.log.warn(`The progress of runs is not shown: ${messageOf(error)}`);
      this.#liveFailed = true;
      this.#live.text = '';
    }
  }
}
