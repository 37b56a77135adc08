/**
 * One run, started or resumed: the only path by which the command line, the study and the editor run the loop. Builds
 * the ports from an experiment, folds the journal, and turns every way of stopping into a session event and a state.
 */
import { join } from 'node:path';
import { machineTime, reasonOf, type Time } from '../endpoints/time.ts';
import { EndpointError, type EndpointErrorReason } from '../endpoints/endpointError.ts';
import { CurriculumError } from '../rewards/curricula/curriculumError.ts';
import { coevolve } from '../engine/coevolve.ts';
import { EndAsked, LoopError } from '../engine/errors.ts';
import type { Clock, Log, Progress } from '../engine/ports.ts';
import type { UnderWay } from '../engine/ports/underWay.ts';
import { applyEvent, StateFold, type RunState } from '../engine/state.ts';
import { CheckpointLedger, pruneCheckpoints } from '../runs/store/checkpoints.ts';
import { inForce, ownChanges } from '../runs/journal/experimentNow.ts';
import { RunError } from '../runs/store/runError.ts';
import type { StudyMark } from '../runs/store/runLabel.ts';
import type { RunStore } from '../runs/store/runStore.ts';
import type { RunWriter } from '../runs/store/runWriter.ts';
import { standstills } from '../runs/journal/standstills.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { Ending, JournalEvent } from '../shared/journal/events.ts';
import { codeOf } from '../shared/systemError.ts';
import { defined } from '../shared/defined.ts';
import { messageOf } from '../shared/messageOf.ts';
import { inEnglish } from './language.ts';
import { changedPrograms } from './inputs/changedPrograms.ts';
import { KeyError, type Keys } from './access/keys.ts';
import { inboxChanges, inboxEdits, pausesIn, watchForPause } from './inboxPorts.ts';
import { leftOutLine } from '../shared/leftOutTasks.ts';
import { keepNamedFiles, loadNamedFiles } from './namedFiles.ts';
import { openPorts, type OpenPorts } from './openPorts.ts';
import { lossInWords, Renewals } from './renewal.ts';
import type { Schedulers } from './policies/schedulers.ts';
import { keepRooms } from './policies/settledRooms.ts';
import { renewCurriculum } from './scoring/renewedCurriculum.ts';
import { openTraces } from './traced/openTraces.ts';
import type { TracesTarget } from './traced/target.ts';
import { Guard, StrayFailure } from './strayFailures.ts';

export interface Launch {
  store: RunStore;
  /** A new run of this experiment, or an existing run to carry on with. */
  start:
    | {
        experiment: Experiment;
        /** Relative file names in it start here. */
        directory: string;
        /** The experiment's file, where it came from one. */
        file?: string;
        /** The member of a study. */
        study?: StudyMark;
        /** Its folder has its copies of all that it reads. The run is not made where this throws. */
        onInputs?: (dir: string) => Promise<void>;
      }
    | { resume: string };
  /** The folder of built files: worker, kernels, weights. */
  dist: URL;
  clock: Clock;
  /** Waits, timeouts and latencies of endpoints; the machine's when absent. */
  time?: Time;
  /** Where it can be seen how busy the endpoints are; its own when absent. */
  schedulers?: Schedulers;
  log: Log;
  /** Where the keys of endpoints are found. */
  keys: Keys;
  /** Where spans of its rollouts go; nowhere when absent. */
  traces?: TracesTarget | null;
  /** Called once the run has an id, before anything else happens. */
  onRun?(id: string, directory: string, state: RunState): void;
  onEvent?(event: JournalEvent, state: RunState): void;
  onProgress?(progress: Progress): void;
  /** Where its attempts can be watched before they are recorded. */
  underWay?: UnderWay;
  /** Pause at once; aborted with an `EndAsked` it says how and why. */
  signal: AbortSignal;
  /** Pause at the next phase boundary. */
  boundary?: AbortSignal;
  /** The process is shared (the extension host): only failures of the run's own work end it. */
  sharedProcess?: boolean;
}

export interface Landing {
  id: string;
  state: 'finished' | 'paused' | 'stopped' | 'interrupted' | 'failed';
  /** Why it paused by itself or failed. */
  error?: Error;
  /** Why it is over, where it finished. */
  ending?: Ending;
  /** It did not end when it should: parts of it may still be at work in this process. */
  abandoned?: boolean;
}

/** Journaled also while the run does not execute. */
const byPeople: ReadonlySet<JournalEvent['type']> = new Set([
  'tasks.edited',
  'verdicts.rescored',
  'rescoring.withdrawn',
]);

/**
 * Runs until the experiment ends, a pause, or a failure. @throws RunError, InputError before the run exists; from
 * then on every outcome is a Landing and is recorded in the run folder.
 */
export async function launch(options: Launch): Promise<Landing> {
  const { start, store, log, time = machineTime, sharedProcess = false } = options;
  const left = 'resume' in start ? await pausesLeft(store, start.resume) : [];
  const writer =
    'resume' in start ? await store.openWriter(start.resume) : await makeRun(store, start, options.dist, log);
  const { id } = writer.manifest;
  const guard = new Guard({ time, shared: sharedProcess, onFailure: ({ cause }) => log.warn(toldWhole(cause)) });
  const signal = AbortSignal.any([options.signal, guard.signal]);
  try {
    // Errors of the loop are recorded: in sessions, traces and what else it writes.
    const ending = await inEnglish(() => guard.run(() => carryOn(writer, { ...options, signal }, left)));
    return { id, state: 'finished', ...defined({ ending }) };
  } catch (error) {
    // A user's earlier request is the reason that counts.
    const why = options.signal.aborted ? error : (guard.failure ?? error);
    return { ...(await land(writer, id, why, options.signal)), ...(guard.abandoned && { abandoned: true }) };
  } finally {
    await writer.close();
    guard.dispose();
  }
}

/** Requests to pause that were left before this process writes the run. @throws RunError */
async function pausesLeft(store: RunStore, run: string): Promise<string[]> {
  const reader = await store.openReader(run);
  try {
    return await pausesIn(reader.inbox);
  } finally {
    await reader.close();
  }
}

/** Executes to the end of the run. @param left requests to pause from before @throws any error that prevents it */
async function carryOn(writer: RunWriter, options: Launch, left: readonly string[]): Promise<Ending | undefined> {
  const { experiment } = writer.manifest;
  const resuming = 'resume' in options.start;
  const journaled = new StateFold();
  const ledger = new CheckpointLedger();
  const loopTimes: number[] = [];
  const traces = openTraces(options.traces ?? null, writer.manifest, options);
  for await (const event of writer.events()) {
    traces?.past(event);
    journaled.add(event);
    ledger.add(event);
    if (!byPeople.has(event.type)) loopTimes.push(event.at);
  }
  const read = journaled.state;
  // A branch retries work that its parent failed to do.
  const shared = writer.manifest.parent?.epoch ?? 0;
  let state: RunState = {
    ...read,
    changes: ownChanges(writer.manifest, read.changes),
    unusable: read.unusable.filter(({ epoch }) => epoch > shared),
  };
  const prune = () => pruneCheckpoints(join(writer.dir, 'checkpoints'), ledger.keep(experiment));
  // A crash may have come between an epoch's end and its pruning.
  if (state.started !== null) await prune();
  options.onRun?.(writer.manifest.id, writer.dir, state);
  await writer.session({ type: resuming ? 'resumed' : 'started' });
  if (resuming) {
    const renewed = await renewCurriculum(writer, state, options);
    if (renewed !== null) {
      traces?.journaled(renewed);
      state = applyEvent(state, renewed);
      options.onEvent?.(renewed, state);
    }
    for (const said of await changedPrograms(writer.dir, writer.manifest)) options.log.warn(said);
  }
  const { seconds, megabytes } = inForce(writer.manifest, state).reward;
  const opened = { ...experiment, reward: { ...experiment.reward, seconds, megabytes } };
  const stoodStill = standstills(await writer.sessions(), loopTimes);
  const asked = await watchForPause(writer.inbox, options.log, left);
  const boundary = AbortSignal.any([asked.signal, ...(options.boundary === undefined ? [] : [options.boundary])]);
  const { inbox } = writer;
  const taken = { changes: inboxChanges(inbox), edits: inboxEdits(inbox) };
  const renewals = new Renewals();
  /**
   * Executes from the journal's end. False when an endpoint lost the run's state, and it may continue from checkpoints.
   */
  const goOn = async (): Promise<boolean> => {
    const ports = await openPorts(opened, writer, { ...options, boundary, stoodStill, shared, ...taken });
    try {
      for await (const event of coevolve(experiment, traces?.ports(ports) ?? ports, state)) {
        traces?.journaled(event);
        state = applyEvent(state, event);
        ledger.add(event);
        renewals.progressed();
        if (event.type === 'epoch.finished') {
          await prune();
          await noteRooms(writer, ports, options.log);
        }
        options.onEvent?.(event, state);
      }
      return true;
    } catch (error) {
      if (!renewals.mayGoOn(error, options.signal)) throw error;
      await writer.session({ type: 'restored', reason: error.message });
      options.log.warn(`${error.message} ${lossInWords(state)}`);
      return false;
    } finally {
      await noteRooms(writer, ports, options.log);
      await ports.close();
    }
  };
  try {
    while (!(await goOn()));
  } finally {
    await asked.stop();
    await traces?.close();
  }
  await writer.session({ type: 'finished' });
  return state.finished?.reason;
}

/** Never throws: without the note a resumed run only begins with fewer requests in flight. */
async function noteRooms(writer: RunWriter, ports: OpenPorts, log: Log): Promise<void> {
  const rooms = ports.rooms();
  if (rooms.length === 0) return;
  try {
    await writer.confirm();
    await keepRooms(writer.dir, rooms);
  } catch (error) {
    log.info(`How much the servers had room for is not kept: ${messageOf(error)}`);
  }
}

/** With its stack: nothing else shows the place. */
const toldWhole = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);

type Fresh = Extract<Launch['start'], { experiment: Experiment }>;

/** A new run with its own copies of all that it reads; nothing of it is done yet. @throws InputError, RunError */
export async function makeRun(store: RunStore, start: Fresh, dist: URL, log: Pick<Log, 'warn'>): Promise<RunWriter> {
  const files = await loadNamedFiles(start.experiment, start.directory, dist);
  // A study says it once, before its first run.
  if (start.study === undefined) for (const found of files.leftOut) log.warn(leftOutLine(found));
  return store.create({
    ...start,
    servers: [...files.domains.values()].flatMap(({ server }) => server ?? []),
    fill: async (dir) => {
      await keepNamedFiles(dir, start.experiment, files);
      await start.onInputs?.(dir);
    },
  });
}

/**
 * A fault that the user can fix, or a retry may pass (a full disk, an unreachable endpoint), is a pause; others are
 * failures.
 */
async function land(writer: RunWriter, id: string, thrown: unknown, signal: AbortSignal): Promise<Landing> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // Before the loop runs, waiting work throws the reason itself.
  const asked = LoopError.is(error, 'paused') || (signal.aborted && error === reasonOf(signal));
  const end = asked && signal.reason instanceof EndAsked ? signal.reason : null;
  const state = end?.how ?? (asked || isMendable(error) ? 'paused' : 'failed');
  try {
    const { message: reason } = end ?? error;
    const unrewarded = state === 'failed' && CurriculumError.is(error) ? error.epoch : undefined;
    if (state === 'failed') await writer.session({ type: state, reason, ...defined({ unrewarded }) });
    else await writer.session(state === 'stopped' ? { type: state } : { type: state, reason });
  } catch (unwritten) {
    // The folder that could not take the run's data may not take this line either; the caller gets both errors.
    return { id, state, error: new AggregateError([error, unwritten], error.message) };
  }
  return asked ? { id, state } : { id, state, error };
}

/** Faults that a user fixes outside the run: the server, its key, its bill, its load. */
const mendableEndpoint: readonly EndpointErrorReason[] = [
  'unreachable',
  'credentials',
  'billing',
  'overloaded',
  'gone',
  // After every try: a proxy in the way, or a server of another kind or version.
  'malformed',
];

/** A server that answers 5xx to every try is as good as away: it may be started again. */
const isDown = ({ reason, status }: EndpointError): boolean => reason === 'failed' && status !== null && status >= 500;

/** Error codes of full or read-only disks, for the run folder and for an endpoint's checkpoint. */
const diskCodes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'];

function isMendable(error: Error): boolean {
  if (RunError.is(error, 'disk-full') || RunError.is(error, 'unwritable')) return true;
  if (error instanceof EndpointError && (mendableEndpoint.includes(error.reason) || isDown(error))) return true;
  if (KeyError.is(error) || error instanceof StrayFailure) return true;
  if (diskCodes.includes(codeOf(error))) return true;
  return error.cause instanceof Error && isMendable(error.cause);
}
