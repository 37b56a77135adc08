/** Write 5 Tasks, Verify Seed Tasks, Pose and Attempt: tests the current domain file with an experiment's settings. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { checkDomain } from '../../../../domains/checkDomain.ts';
import type { Progress } from '../../../../engine/ports.ts';
import { attemptTask } from '../../node/attemptTask.ts';
import { openDomainTrial, soloExperiment, type DomainTrial } from '../../node/openTrial.ts';
import { writeTasks } from '../../node/writeTasks.ts';
import type { HostKeys } from '../../../../host/servers/hostKeys.ts';
import { runLog } from '../../../../host/feedback/log.ts';
import type { PickNeeds } from '../../../../host/debug/pickTrace.ts';
import { problemsByFile } from '../../../../host/fileProblems.ts';
import { InputError } from '../../../../launch/inputs/inputError.ts';
import type { Task } from '../../../../shared/records/task.ts';
import { count } from '../../../../shared/text/figures/numbers.ts';
import { askExperiment, type AskedExperiment } from './askExperiment.ts';
import { askSeed, askTask } from './askTask.ts';
import type { TrialDocuments } from './trialDocuments.ts';
import { layPosed, layWritten } from './trialLayout.ts';
import { faultsOf, placed } from './trialProblems.ts';

export interface TrialNeeds extends PickNeeds {
  keys: HostKeys;
  log: vscode.LogOutputChannel;
  /** The folder of built files. */
  dist: URL;
  documents: TrialDocuments;
  problems: vscode.DiagnosticCollection;
}

/** How many texts are written. */
const texts = 5;
/** A slip of the keyboard must not become a bill. */
const mostAttempts = 256;

/** @throws InputError, DomainError, LoopError, KeyError, and the endpoints' own errors */
export async function writeTasksCommand(needs: TrialNeeds, domain: vscode.Uri): Promise<void> {
  const asked = await askExperiment(domain, needs.keys);
  if (asked === undefined) return;
  await tried(needs, domain, asked, async (trial) => {
    const seed = await askSeed(trial.base, vscode.l10n.t('Which seed task is varied?'));
    if (seed === undefined) return;
    const title = vscode.l10n.t('{0} writes {1} tasks', basename(domain.path), texts);
    const written = await cancellable(needs, title, (tools) => writeTasks({ trial, seed, count: texts }, tools));
    const calls = trial.functions.take();
    tell(needs, domain, calls);
    await needs.documents.show(domain, 'written', layWritten(written, basename(domain.path), calls));
  });
}

/** @throws as `writeTasksCommand`, RunError */
export async function poseTaskCommand(needs: TrialNeeds, domain: vscode.Uri): Promise<void> {
  const asked = await askExperiment(domain, needs.keys);
  if (asked === undefined) return;
  await tried(needs, domain, asked, async (trial) => {
    const title = vscode.l10n.t('Which task is posed?');
    const posed = await askTask(needs, [...trial.base, ...trial.heldOut], title);
    if (posed === undefined) return;
    const attempts = await askAttempts(trial.experiment.rollouts.group);
    if (attempts === undefined) return;
    const words = vscode.l10n.t('Attempting {0}', posed.task.id);
    const made = await cancellable(needs, words, (tools) => attemptTask({ trial, ...posed, attempts }, tools));
    const calls = trial.functions.take();
    tell(needs, domain, calls);
    await needs.documents.show(domain, 'posed', layPosed(made, basename(domain.path), calls));
  });
}

/** All seed tasks, those that are held out included. @throws InputError when the file does not load */
export async function verifySeedsCommand(needs: TrialNeeds, domain: vscode.Uri): Promise<void> {
  const solo = { experiment: soloExperiment(domain.fsPath), directory: dirname(domain.fsPath) };
  await tried(needs, domain, solo, async ({ domain: file, functions, exported, base, heldOut, heldOutLike }) => {
    const tasks = [...base, ...heldOut];
    const title = vscode.l10n.t('Verifying {0} seed tasks of {1}', count(tasks.length), basename(domain.path));
    const { problems } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      checkDomain({ domain: file, functions, exported, tasks, texts: null, heldOutLike, most: tasks.length }),
    );
    problemsByFile(needs.problems, await placed(domain, problems));
    // A command ends with its work; its message may stay until the user answers.
    void tellVerified(tasks.length, problems.length);
  });
}

/** The seed tasks of a domain alone. @throws InputError when the file does not load, with a problem at its line */
export async function seedsOf(needs: TrialNeeds, domain: vscode.Uri): Promise<readonly Task[]> {
  const solo = { experiment: soloExperiment(domain.fsPath), directory: dirname(domain.fsPath) };
  return tried(needs, domain, solo, ({ base, heldOut }) => Promise.resolve([...base, ...heldOut]));
}

async function tellVerified(tasks: number, problems: number): Promise<void> {
  if (problems === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} seed tasks verify.', count(tasks)));
    return;
  }
  const show = vscode.l10n.t('Show Problems');
  const text =
    problems === 1
      ? vscode.l10n.t('{0} seed tasks have 1 problem.', count(tasks))
      : vscode.l10n.t('{0} seed tasks have {1} problems.', count(tasks), count(problems));
  if ((await vscode.window.showWarningMessage(text, show)) === show) {
    await vscode.commands.executeCommand('workbench.actions.view.problems');
  }
}

/** Opens it temporarily; saves unsaved changes first, as it runs from the disk. */
async function tried<T>(
  needs: TrialNeeds,
  domain: vscode.Uri,
  { experiment, directory }: AskedExperiment,
  work: (trial: DomainTrial) => Promise<T>,
): Promise<T> {
  await vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === domain.toString())?.save();
  needs.problems.clear();
  let trial: DomainTrial | null = null;
  try {
    trial = await openDomainTrial(experiment, directory, needs.dist);
    return await work(trial);
  } catch (error) {
    if (error instanceof InputError) problemsByFile(needs.problems, error.problems);
    else if (trial !== null) tell(needs, domain, trial.functions.take());
    throw error;
  } finally {
    trial?.close();
  }
}

/** Reports failures at their lines. */
const tell = (needs: TrialNeeds, domain: vscode.Uri, calls: Parameters<typeof faultsOf>[1]): void =>
  problemsByFile(needs.problems, faultsOf(domain, calls));

function cancellable<T>(
  { dist, clock, keys, log }: TrialNeeds,
  title: string,
  work: (tools: Parameters<typeof writeTasks>[1]) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new Error('Cancelled.')));
    const onProgress = ({ done, total }: Progress): void =>
      progress.report({ message: vscode.l10n.t('{0} of {1}', count(done), count(total)) });
    return work({ dist, clock, keys, log: runLog(log), signal: ending.signal, onProgress });
  });
}

async function askAttempts(usual: number): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('How many attempts?'),
    value: String(usual),
    validateInput: (typed) =>
      /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= mostAttempts
        ? null
        : vscode.l10n.t('A whole number from 1 to {0}.', count(mostAttempts)),
  });
  return text === undefined ? undefined : Number(text);
}
