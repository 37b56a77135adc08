/** The child's side: one run, carried on until it ends or its runner asks for that. It ends with its runner. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Clock, Log, Progress } from '../../../engine/ports.ts';
import { EndAsked } from '../../../engine/errors.ts';
import { UnderWay } from '../../../engine/ports/underWay.ts';
import { emptyState, type RunState } from '../../../engine/state.ts';
import { EndpointError } from '../../../endpoints/endpointError.ts';
import { machineTime } from '../../../endpoints/time.ts';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import { targetOfRunner } from './tracesOfRunner.ts';
import { launch, type Landing } from '../../../launch/launch.ts';
import { StrayFailure } from '../../../launch/strayFailures.ts';
import { inForce } from '../../../runs/journal/experimentNow.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { outlook } from '../../../runs/facts/timeline/outlook.ts';
import { phasesWith } from '../../../launch/phases.ts';
import { Schedulers, type ServerShare } from '../../../launch/policies/schedulers.ts';
import { readJournal } from '../../../runs/journal/journalFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import { saidSoFar } from '../../../shared/records/saidSoFar.ts';
import { SummaryFold } from '../../study/core/summary.ts';
import { childHearsSchema, type ChildSays, type Landed, type Rest } from '../contract.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { codeOf } from '../../../shared/systemError.ts';

/** The channel to the runner; `process` has it where it was started by one. */
interface Channel {
  send(said: ChildSays): void;
  on(event: 'message', heard: (message: unknown) => void): void;
  on(event: 'disconnect', gone: () => void): void;
}

export interface WorkNeeds {
  store: RunStore;
  run: string;
  /** Null: to its end. */
  rest: Rest | null;
  dist: URL;
  clock: Clock;
  log: Log;
  keys: Keys;
  channel: Channel;
}

/** Shortest interval between reports to the runner, milliseconds. */
const throttle = 500;

/** @returns the last message to the runner; never throws */
export async function work({ store, run, rest, dist, clock, log, keys, channel }: WorkNeeds): Promise<Landed> {
  const controller = new AbortController();
  let pausing = false;
  const end = (how: EndAsked['how'], reason: string): void => {
    pausing = true;
    controller.abort(new EndAsked(how, reason));
  };
  const underWay = new UnderWay();
  channel.on('disconnect', () => end('interrupted', l10n.t('Its runner ended.')));
  channel.on('message', (message) => {
    const heard = childHearsSchema.safeParse(message).data;
    if (heard?.type === 'pause') end('paused', 'Paused.');
    if (heard?.type === 'interrupt') end('interrupted', l10n.t('The runner was stopped.'));
    if (heard?.type === 'said') {
      const { question, task } = heard;
      channel.send({ type: 'said', question, said: saidSoFar(underWay.at(task)) });
    }
  });
  let state: RunState = emptyState;
  let phases: Progress[] = [];
  let manifest: Manifest | null = null;
  let [epochSince, told] = [clock.now(), -Infinity];
  const boundary = new AbortController();
  const schedulers = new Schedulers(machineTime);
  const tell = (force = false): void => {
    const now = clock.now();
    if (!force && Math.abs(now - told) < throttle) return;
    told = now;
    const { secondsLeft } =
      manifest === null ? { secondsLeft: null } : outlook(state, inForce(manifest, state), { since: epochSince, now });
    const epoch = state.summaries.length;
    const { loads } = schedulers;
    const epochs = manifest?.experiment.epochs ?? 0;
    const place = { epoch, epochs, epochSince, secondsLeft, phases, pausing, loads: loads.map(loadOf) };
    channel.send({ type: 'live', place });
  };
  let landed: Landed;
  try {
    const reader = await store.openReader(run);
    ({ manifest } = reader);
    const spent = rest === null ? null : await spentSoFar(store, run);
    const over = (await reader.head()).state === 'finished';
    await reader.close();
    const landing: Landing = over
      ? { id: run, state: 'finished' }
      : await launch({
          ...{ store, start: { resume: run }, dist, clock, log, keys, schedulers, underWay },
          traces: targetOfRunner(process.env, keys),
          onRun: (_id, _dir, opened) => {
            state = opened;
            tell(true);
          },
          onEvent: (event, after) => {
            if (event.type === 'epoch.started') epochSince = clock.now();
            [state, phases] = [after, []];
            spent?.add(event);
            if (event.type === 'epoch.finished' && rest !== null && (spent?.spent(rest.kind) ?? 0) >= rest.amount) {
              boundary.abort(new EndAsked('paused', l10n.t('The study’s round is over.')));
            }
            tell(event.type === 'epoch.finished');
          },
          onProgress: (progress) => {
            phases = phasesWith(phases, progress);
            tell();
          },
          signal: controller.signal,
          boundary: boundary.signal,
        });
    landed = { type: 'landed', ...howOf(landing), epoch: state.summaries.length };
  } catch (error) {
    landed = { type: 'landed', ...howNotOpened(error), epoch: 0 };
  }
  channel.send(landed);
  return landed;
}

/** The costs of a study's run so far. */
async function spentSoFar(store: RunStore, run: string): Promise<SummaryFold> {
  const fold = new SummaryFold();
  for await (const { event } of readJournal(runPaths(join(store.root, run)).journal)) fold.add(event);
  return fold;
}

const loadOf = ({ urls, load }: ServerShare) => ({ urls: [...urls], load: { ...load } });

type How = Pick<Landed, 'how' | 'why'>;

function howOf({ state, error, ending }: Landing): How {
  const why = error?.message ?? '';
  if (state === 'finished') {
    return ending === 'no-tasks'
      ? { how: 'gone', why: l10n.t('It ended because no text of the environment became a task.') }
      : { how: 'finished', why };
  }
  if (state !== 'paused' || error === undefined) return { how: state, why };
  return { how: causeOf(error), why };
}

type Cause = 'key' | 'disk' | 'server' | 'failed';

/** Why a run that paused by itself cannot continue. A failure that nothing waited for may come again at every try. */
export function causeOf(error: Error, otherwise: Cause = 'server'): Cause {
  if (KeyError.is(error)) return 'key';
  // An endpoint says of its checkpoint what the disk said.
  if (RunError.is(error) || isOfFullDisk(error)) return 'disk';
  if (error instanceof EndpointError) return 'server';
  const known = error instanceof StrayFailure ? 'failed' : otherwise;
  const [first] = within(error);
  return first instanceof Error ? causeOf(first, known) : known;
}

/** The cause of an error, or all that happened together. */
const within = (error: Error): readonly unknown[] => (error instanceof AggregateError ? error.errors : [error.cause]);

const isOfFullDisk = (error: unknown): boolean =>
  error instanceof Error && (['ENOSPC', 'EDQUOT'].includes(codeOf(error)) || within(error).some(isOfFullDisk));

function howNotOpened(error: unknown): How {
  const why = messageOf(error);
  if (RunError.is(error, 'in-use')) return { how: 'busy', why };
  if (RunError.is(error, 'disk-full') || RunError.is(error, 'unwritable')) return { how: 'disk', why };
  return { how: RunError.is(error) ? 'gone' : 'failed', why };
}
