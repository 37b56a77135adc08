/** Reads a task or a trace of a run and lays it out. */
import { overlaysIn } from '../../engine/phases/edits.ts';
import { withOverlay } from '../../shared/records/taskEdit.ts';
import * as vscode from 'vscode';
import { readRunName } from '../../runs/store/runName.ts';
import { toolsOf } from '../../launch/domains/toolsOf.ts';
import { agentLearning } from '../../runs/journal/agentLearning.ts';
import { readPlays } from '../../runs/records/playsFile.ts';
import { readReattempts, reattemptedTrace } from '../../runs/records/reattemptsFile.ts';
import { attemptOfAnyone, traceOfAnyone } from '../../runs/records/traceOfAnyone.ts';
import type { NewVerdict } from '../../runs/rescored/rescoredVerdicts.ts';
import { runPaths } from '../../runs/store/runPaths.ts';
import { isPlayTrace, type Play } from '../../shared/records/play.ts';
import { sideOfTrace } from '../../shared/records/reattempt.ts';
import { allSaid } from '../../shared/records/conversations.ts';
import { countedFrom, countedIn } from '../../shared/journal/counted.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { healthOf } from '../../features/health/host/runHealths.ts';
import type { OpenRun } from '../trees/openRun.ts';
import { compareIds } from '../trees/runs/familyGroups.ts';
import type { LaidOut } from './layout/page.ts';
import type { DocumentPlace, TextPlace } from './layout/place.ts';
import { taskOf } from './recordedTasks.ts';
import type { NewVerdicts } from './layout/rescoredWords.ts';
import { computeReward } from '../../runs/records/rewardComputation.ts';
import { layTask } from './layout/taskLayout.ts';
import { layTrace } from './layout/traceLayout.ts';
import { layRange } from './layout/writtenText.ts';

/** Attempts at one task in one epoch for one purpose, in the order of their numbers. @throws RunError */
export async function attemptsOf(
  { followed }: OpenRun,
  { task, epoch }: Pick<Trace, 'task' | 'epoch'>,
  purpose?: Trace['purpose'],
): Promise<Trace[]> {
  const all = await followed.reader.attemptsAt(task, epoch);
  const wanted = purpose ?? (all.some((trace) => trace.purpose === 'train') ? 'train' : all[0]?.purpose);
  return all.filter((trace) => trace.purpose === wanted).sort((a, b) => compareIds(a.id, b.id));
}

/** The same that count in an epoch; where none does, those made in it, which may be late and not counted yet. @throws RunError */
export async function attemptsIn(
  run: OpenRun,
  { task, epoch }: Pick<Trace, 'task' | 'epoch'>,
  purpose?: Trace['purpose'],
): Promise<Trace[]> {
  const made = countedFrom(run.followed.state.late, { task, epoch });
  const counted = await Promise.all(made.map((one) => attemptsOf(run, { task, epoch: one }, purpose)));
  return counted.some((group) => group.length > 0) ? counted.flat() : attemptsOf(run, { task, epoch }, purpose);
}

/** Attempts of people at a task that have ended, in the order they were begun. @throws RunError */
export async function playsAt({ followed }: OpenRun, task: string): Promise<(Play & { trace: Trace })[]> {
  const { plays } = await readPlays(runPaths(followed.dir).plays);
  return plays.flatMap((one) => (one.task === task && one.trace !== null ? [{ ...one, trace: one.trace }] : []));
}

/** A trace and the others that were attempted together with it, in the order of their numbers. @throws RunError */
export async function groupOf(run: OpenRun, trace: Trace): Promise<readonly Trace[]> {
  if (isPlayTrace(trace.id)) return (await playsAt(run, trace.task)).map((one) => one.trace);
  const side = sideOfTrace(trace.id);
  if (side === null) return attemptsOf(run, trace, trace.purpose);
  const again = await reattemptedTrace(runPaths(run.followed.dir).reattempts, trace.id);
  const group = again?.of.traces[side] ?? [];
  return group.toSorted((a, b) => compareIds(a.id, b.id));
}

/** @throws RunError; Error when there is no such trace */
export async function traceOf({ followed }: OpenRun, id: string): Promise<Trace> {
  const trace = await traceOfAnyone(followed.reader, id);
  if (trace === undefined) throw new Error(vscode.l10n.t('This run has no trace “{0}”.', id));
  return trace;
}

/** @throws RunError, InputError; Error when there is no such task */
export async function knownTask(run: OpenRun, id: string): Promise<Task> {
  const task = await taskOf(run, id);
  if (task === null) throw new Error(vscode.l10n.t('This run has no task “{0}”.', id));
  return task;
}

/** The task as a trace attempted it; null when it is recorded nowhere. @throws RunError, InputError */
export async function attemptedTask(run: OpenRun, { id, task }: Pick<Trace, 'id' | 'task'>): Promise<Task | null> {
  const recorded = await taskOf(run, task);
  const edited = (await attemptOfAnyone(run.followed.reader, id))?.edited;
  return recorded === null ? null : { ...recorded, ...edited };
}

/** The verdict that overrides an attempt's recorded one; null for none. @throws RunError */
export const rescoredOf = ({ followed: { reader, state } }: OpenRun, trace: Pick<Trace, 'id' | 'epoch'>) =>
  reader.rescored.of(state.rescorings, trace);

/** The same of several, by their ids. @throws RunError */
export async function rescoredAmong(
  run: OpenRun,
  traces: readonly Pick<Trace, 'id' | 'epoch'>[],
): Promise<NewVerdicts> {
  const found = new Map<string, NewVerdict>();
  for (const trace of traces) {
    const newest = await rescoredOf(run, trace);
    if (newest !== null) found.set(trace.id, newest);
  }
  return found;
}

/** @throws RunError, InputError; Error when there is no such trace */
export async function readTrace(run: OpenRun, { id, text }: DocumentPlace): Promise<LaidOut> {
  const trace = await traceOf(run, id);
  const name = vscode.l10n.t('Trace {0}', id);
  if (text?.of === 'message') {
    const prompt = trace.asked ?? (await attemptedTask(run, trace))?.prompt;
    return layRange(name, messageAt(prompt, text).content, text);
  }
  if (text !== undefined) {
    const { content, reasoning = '' } = messageAt(allSaid(trace), text);
    return layRange(name, text.of === 'turn' ? content : reasoning, text);
  }
  const [task, group] = await Promise.all([attemptedTask(run, trace), groupOf(run, trace)]);
  const computation = computeReward(trace, group, (await learningIn(run))(trace));
  const rescored = await rescoredOf(run, trace);
  const { reattempts } = await readReattempts(runPaths(run.followed.dir).reattempts);
  const forks = reattempts.filter(({ fork }) => fork?.trace === id);
  const tools = task === null ? [] : toolsOf(task);
  return layTrace({ trace, task, tools, computation, rescored, forks, run: await nameOf(run) });
}

/** @throws RunError, InputError; Error when there is no such task */
export async function readTask(run: OpenRun, { id, at, text }: DocumentPlace): Promise<LaidOut> {
  const recorded = await knownTask(run, id);
  const overlay = overlaysIn(run.followed.state, Infinity).get(id);
  const epochs = await run.followed.reader.epochsAttempting(id);
  const epoch = at ?? epochs.at(-1) ?? recorded.epoch;
  const attempts = await attemptsIn(run, { task: id, epoch });
  const task =
    overlay === undefined ? recorded : { ...recorded, ...withOverlay(recorded, { ...overlay, excluded: null }) };
  if (text !== undefined) return layRange(vscode.l10n.t('Task {0}', id), messageAt(task.prompt, text).content, text);
  const [first] = attempts;
  const counted = first === undefined ? epoch : countedIn(run.followed.state.late, first);
  const scored = await scoredIn(run, id, counted);
  const { reattempts } = await readReattempts(runPaths(run.followed.dir).reattempts);
  return layTask({
    ...{ task, epoch, counted, attempts, scored, learningOf: await learningIn(run) },
    rescored: await rescoredAmong(run, attempts),
    excluded: overlay?.excluded ?? null,
    tools: toolsOf(task),
    others: epochs,
    health: await healthOf(run, task),
    reattempts: reattempts.filter((one) => one.task === id),
    plays: (await playsAt(run, id)).map(({ trace }) => trace),
    run: await nameOf(run),
  });
}

/** @throws Error where there is none */
function messageAt(messages: readonly Message[] | undefined, { at }: TextPlace): Message {
  const message = messages?.[at];
  if (message === undefined) throw new Error(vscode.l10n.t('There is no message {0} here.', at + 1));
  return message;
}

const nameOf = async ({ followed }: OpenRun): Promise<string> =>
  `${await readRunName(followed)} (${followed.manifest.id})`;

/** How the agent's updates so far treat the run's attempts. @throws RunError */
export const learningIn = ({ followed: { dir, manifest, facts } }: OpenRun) =>
  agentLearning({ dir, manifest, events: () => facts.light });

async function scoredIn(run: OpenRun, id: string, epoch: number) {
  const facts = run.facts.epochs.get(epoch);
  if (facts === undefined || facts.scored === null) return null;
  const families = await run.families(epoch);
  const family = families.find(({ tasks }) => tasks.some((task) => task.id === id));
  return family === undefined ? null : { family, band: facts.curriculum };
}
