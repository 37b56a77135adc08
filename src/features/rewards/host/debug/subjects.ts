/** Subjects for debugging a reward: recorded traces, failing ones of a family, pinned cases. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { caseName, casesFile, readCases, type RewardCase } from '../../../../shared/rewards/cases.ts';
import { countedIn } from '../../../../shared/journal/counted.ts';
import { codeOf } from '../../../../shared/systemError.ts';
import { traceUri } from '../../../../host/documents/layout/place.ts';
import { attemptsIn, traceOf } from '../../../../host/documents/reading.ts';
import type { OpenRun } from '../../../../host/trees/openRun.ts';
import type { OpenRuns } from '../../../../host/trees/openRuns.ts';
import { recordedAttempt } from '../recordedAttempt.ts';
import type { TraceTarget } from '../../../../host/files/traceInFront.ts';
import type { DebugCall } from './debugReward.ts';
import type { Judged } from '../scoreLines.ts';

/**
 * An attempt to stop on, with the values shown beside its outcome, and whether its run lets rewards use the network.
 */
export interface Subject extends DebugCall, Omit<Judged, 'outcome'> {
  network: boolean;
}

/** @throws RunError, InputError; Error when the trace or its task is not recorded */
export async function traceSubject(open: OpenRuns, target: TraceTarget): Promise<Subject> {
  const { run, trace, call } = await recordedAttempt(open, target);
  return {
    ...{ name: trace.id, call, before: trace.verdict, document: traceUri(target.run, trace.id) },
    network: run.followed.experiment.reward.network,
  };
}

/** A family of an epoch: by its id, or as that of a trace. */
export type FamilyTarget = { run: string } & ({ family: string; epoch?: number } | { trace: string });

/**
 * Traces of a family in the order of its tasks, only those recorded as not solved unless all are requested.
 * @throws RunError, InputError; Error when there is no such family, or none that failed
 */
export async function familySubjects(open: OpenRuns, target: FamilyTarget, all: boolean): Promise<Subject[]> {
  const run = await open.open(target.run);
  const { family, epoch } = await familyOf(run, target);
  const traces = (
    await Promise.all(family.tasks.map(({ id }) => attemptsIn(run, { task: id, epoch }, 'train')))
  ).flat();
  const wanted = all ? traces : traces.filter(({ verdict }) => !verdict.success);
  if (wanted.length === 0) throw new Error(vscode.l10n.t('No trace of the family “{0}” fails.', family.id));
  return Promise.all(wanted.map(({ id }) => traceSubject(open, { run: target.run, trace: id })));
}

async function familyOf(run: OpenRun, target: FamilyTarget) {
  if ('trace' in target) {
    const trace = await traceOf(run, target.trace);
    const { task } = trace;
    const epoch = countedIn(run.followed.state.late, trace);
    const families = run.followed.scoredEpochs.includes(epoch) ? await run.families(epoch) : [];
    const family = families.find(({ tasks }) => tasks.some(({ id }) => id === task));
    if (family === undefined) throw new Error(vscode.l10n.t('The trace {0} is of no scored family.', target.trace));
    return { family, epoch };
  }
  const epochs = target.epoch === undefined ? run.followed.scoredEpochs.toReversed() : [target.epoch];
  for (const epoch of epochs) {
    const family = (await run.families(epoch)).find(({ id }) => id === target.family);
    if (family !== undefined) return { family, epoch };
  }
  throw new Error(vscode.l10n.t('This run has no scored family “{0}”.', target.family));
}

/** @param wanted the name of a case, or the id of its task or its trace; @throws Error when there is none */
export async function caseSubject(reward: vscode.Uri, wanted: string): Promise<Subject> {
  const uri = reward.with({ path: casesFile(reward.path) });
  const is = (one: RewardCase): boolean => [caseName(one), one.source?.trace, one.task.id].includes(wanted);
  for (const line of readCases(await textOf(uri))) {
    if (!('case' in line) || !is(line.case)) continue;
    const { task, trace } = line.case;
    return { name: caseName(line.case), call: { task, trace }, before: null, document: uri, network: false };
  }
  throw new Error(vscode.l10n.t('{0} has no case “{1}”.', basename(uri.path), wanted));
}

/** '' for a missing file. */
async function textOf(uri: vscode.Uri): Promise<string> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch (error) {
    if (codeOf(error) === 'FileNotFound') return '';
    throw error;
  }
}
