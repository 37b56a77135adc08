/** The child's side: one run, carried on until it ends or its runner asks for that. It ends with its runner. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Clock, Log, Progress } from '../../../engine/ports.ts';
import { EndAsked } from '../../../engine/errors.ts';
import { UnderWay } from '../../../engine/ports/underWay.ts';
import { emptyState, type RunState } from '../../../engine/state.ts';
import { machineTime } from '../../../endpoints/time.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { targetOfRunner } from './tracesOfRunner.ts';
import { launch, type Landing } from '../../../launch/launch.ts';
import { howLanded, howNotOpened } from '../../../launch/tries/howEnded.ts';
import { inForce } from '../../../runs/journal/experimentNow.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { currentEpoch } from '../../../runs/facts/currentEpoch.ts';
import { outlook } from '../../../runs/facts/timeline/outlook.ts';
import { phasesWith } from '../../../launch/phases.ts';
import { Schedulers, type ServerShare } from '../../../launch/policies/schedulers.ts';
import { readJournal } from '../../../runs/journal/journalFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import { saidSoFar } from '../../../shared/records/saidSoFar.ts';
import { SummaryFold } from '../../study/core/summary.ts';
import { childHearsSchema, type ChildSays, type Landed, type Rest } from '../contract.ts';

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
/** Milliseconds between two places of a run in which nothing happens. */
const agingMs = 20_000;

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
    const silences = schedulers.silences.now;
    const time = { since: epochSince, now, silent: silences.length > 0 };
    const secondsLeft = manifest === null ? null : outlook(state, inForce(manifest, state), time).secondsLeft;
    const epoch = state.summaries.length;
    const loads = schedulers.loads.map(loadOf);
    const epochs = manifest?.experiment.epochs ?? 0;
    const current = currentEpoch(state);
    const place = { epoch, current, epochs, epochSince, secondsLeft, phases, pausing, loads, silences };
    channel.send({ type: 'live', place });
  };
  // A run that is held up tells nothing by itself, and its time left must not stand.
  const aging = setInterval(() => tell(), agingMs);
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
    landed = { type: 'landed', ...howLanded(landing), epoch: state.summaries.length };
  } catch (error) {
    landed = { type: 'landed', ...howNotOpened(error), epoch: 0 };
  } finally {
    clearInterval(aging);
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
