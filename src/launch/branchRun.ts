/** A branch: a run that shares its parent's first epochs, and may read other files and be measured otherwise in later ones. */
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { whyStop } from '../engine/phases/stop.ts';
import type { Clock } from '../engine/ports.ts';
import { StateFold, type RunState } from '../engine/state.ts';
import { changesOf, experimentAt } from '../runs/journal/experimentNow.ts';
import { experimentIn, lineageOf } from '../runs/journal/lineage.ts';
import { sourceOf } from '../runs/store/runPaths.ts';
import type { RunStore } from '../runs/store/runStore.ts';
import type { RunWriter } from '../runs/store/runWriter.ts';
import { valueAt } from '../shared/experiment/changeable.ts';
import { placeOfOverride } from '../shared/experiment/overrides.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { measuredBy } from '../shared/journal/measures.ts';
import { inWords } from '../shared/journal/recordedWords.ts';
import type { EventOf } from '../shared/journal/events.ts';
import { branchedFiles, type BranchedFrom, type Fresh } from './branchedFiles.ts';
import { InputError } from './inputs/inputError.ts';
import { readKeptFiles } from './inputs/keptFiles.ts';
import type { OnLeftOut } from '../shared/leftOutTasks.ts';
import { readKept } from './scoring/reward.ts';

export interface BranchAsk {
  /** Of the parent. */
  run: string;
  /** The last epoch that both share. */
  epoch: number;
  experiment: Experiment;
  /** Fields that were given for the branch: the current content of a file counts then, not the parent's copy. */
  named: readonly string[];
  author: string;
  clock: Clock;
  /** The folder of built files. */
  dist: URL;
  /** Of files that it reads anew. */
  onLeftOut?: OnLeftOut;
}

/**
 * @returns its writer. @throws InputError where it has nothing left to run, a file cannot be used, or a case is judged wrong; the errors of
 * `RunStore.branch`
 */
export async function branchRun(store: RunStore, ask: BranchAsk): Promise<RunWriter> {
  const { run, epoch, experiment, author, clock, dist, onLeftOut = () => undefined } = ask;
  const parent = await parentOf(store, run, epoch);
  const { before, shared, state } = parent;
  const taken: Taken[] = [];
  for (const { field, readBy, load } of branchedFiles) {
    const [had, to] = [readBy(before), readBy(experiment)];
    const [later] = parent.later.filter((one) => one.field === field);
    const fresh = had !== to || ask.named.includes(field) ? await load(experiment, parent, dist, onLeftOut) : null;
    const replaces = fresh !== null && (had !== to || !(await fresh.isKept())) ? fresh : null;
    const from = later === undefined ? had : later.from;
    if (replaces === null && (later === undefined || (from === null && to === null))) continue;
    taken.push({ field, from, to, replaces });
  }
  for (const field of measuredBy.validation) {
    const [from, to] = [valueAt(shared, field), valueAt(experiment, field)];
    if (field !== 'reward.file' && from !== to) taken.push({ field, from, to, replaces: null });
  }
  refuseOver(experiment, stateWith(state, epoch, taken), epoch);
  const writer = await store.branch(run, epoch, experiment);
  try {
    for (const { replaces } of taken) await replaces?.replace(writer.dir);
    const fold = new StateFold();
    for await (const event of writer.events()) fold.add(event);
    // The shared epochs had other files and limits: the journal records where these take over.
    for (const [i, { field, from, to }] of taken.entries()) {
      await writer.append({
        ...{ v: 1, seq: fold.state.seq + i, at: clock.now(), type: 'settings.changed', epoch: epoch + 1, author },
        changes: [{ field, from, to }],
        ...(field === 'reward.file' && to !== null && { rewardFiles: (await readKept(writer.dir)).files }),
        ...(field === 'curriculum.reward.file' &&
          to !== null && { curriculumFiles: (await readKeptFiles(writer.dir, 'curriculum')).files }),
      });
    }
    return writer;
  } catch (error) {
    await writer.close();
    throw error;
  }
}

/** A branch would end as its parent did, or as its own settings have it. @throws InputError */
function refuseOver(experiment: Experiment, state: RunState, epoch: number): void {
  // It tries again to write tasks.
  const stop = whyStop(experiment, { ...state, unusable: [] });
  if (stop === null) return;
  const [field, remedy] =
    stop.reason === 'early-stop'
      ? ['earlyStop', l10n.t('Branch earlier, or set earlyStop=null.')]
      : [stop.reason.replace('-', '.'), l10n.t('Branch earlier, or raise {0}.', stop.reason.replace('-', '.'))];
  const message = l10n.t('A branch at epoch {0} has nothing left to run: {1}', epoch, inWords(stop.note));
  throw new InputError([{ ...placeOfOverride(field), field, message, remedy, severity: 'error' }]);
}

/** The state in which the branch begins: its own reward and limits make earlier validations no measure of the next ones. */
const stateWith = (state: RunState, epoch: number, taken: readonly Taken[]): RunState => ({
  ...state,
  changes: [...state.changes, ...taken.map(({ field, to }) => ({ field, to, epoch: epoch + 1 }))],
});

/** A file that the branch has and its shared epochs did not, or another setting that validations are measured by. */
interface Taken {
  field: string;
  from: unknown;
  to: unknown;
  /** Null for a setting, and where the parent's copies are those. */
  replaces: Fresh | null;
}

interface ParentRun extends BranchedFrom {
  /** At the end of the epoch. */
  state: RunState;
  /** The settings with which the epoch was made: of a branch maybe those of a run before it. */
  shared: Experiment;
  /** Its changes after the epoch, in order. */
  later: EventOf<'settings.changed'>['changes'];
}

/** @throws RunError */
async function parentOf(store: RunStore, run: string, epoch: number): Promise<ParentRun> {
  const parent = await store.openReader(run);
  try {
    const { dir, manifest } = parent;
    const changes: EventOf<'settings.changed'>[] = [];
    let attemptedOffline = false;
    const fold = new StateFold();
    let isOver = false;
    for await (const event of parent.events()) {
      isOver ||= event.type === 'run.finished' || ('epoch' in event && event.epoch > epoch);
      if (!isOver) fold.add(event);
      if (event.type === 'settings.changed') changes.push(event);
      if (event.type !== 'families.scored' || event.epoch > epoch) continue;
      attemptedOffline ||= event.families.some(({ origin }) => origin === 'offline');
    }
    return {
      ...{
        dir,
        attemptedOffline,
        state: fold.state,
        directory: dirname(sourceOf(dir, manifest) ?? join(dir, 'run.json')),
      },
      before: await experimentAt(manifest, changes, epoch),
      shared: experimentIn(
        await lineageOf(dir, manifest),
        epoch,
        changes.filter((event) => event.epoch <= epoch).flatMap(changesOf),
      ),
      later: changes.filter((event) => event.epoch > epoch).flatMap((event) => event.changes),
    };
  } finally {
    await parent.close();
  }
}
