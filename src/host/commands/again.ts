/** Branch from Epoch, Rerun with Changes: a run again, with something else. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { branchableEpochs } from '../../runs/store/branch.ts';
import { experimentAt } from '../../runs/journal/experimentNow.ts';
import { RunError } from '../../runs/store/runError.ts';
import { branchedExperiment, namesReward } from '../../shared/experiment/branched.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { KnownRun, RunDir } from '../runs/runs.ts';
import { requireTrust } from '../runs/steerError.ts';
import { measured } from '../trees/figures.ts';
import type { CommandContext, Commands } from './context.ts';
import { pickRun, targetOf } from './pickRun.ts';
import { writeRerun } from './rerunFile.ts';

export const againCommands = {
  branchRun: {
    failed: () => vscode.l10n.t('The run was not branched'),
    async run(context, argument) {
      requireTrust();
      const run = await pickRun(context, argument, {
        title: vscode.l10n.t('Which run to branch?'),
        fits: ({ head }) => head.epoch > 0,
        none: vscode.l10n.t('No run has finished an epoch yet.'),
      });
      if (run === undefined) return;
      const epoch = await pickEpoch(context, run, targetOf(argument)?.epoch);
      if (epoch === undefined) return;
      const before = await settingsAt(context, run.dir, epoch);
      const asked = await askForChanges(before, epoch, rewardIn(argument));
      if (asked === undefined) return;
      const title = vscode.l10n.t('Branching “{0}”…', run.head.name);
      const location = vscode.ProgressLocation.Notification;
      const dir = await vscode.window.withProgress({ location, title }, () =>
        context.service.branch(run.dir, epoch, asked),
      );
      void context.failures.guard(vscode.l10n.t('The branch was not resumed'), () => offerResume(run, epoch, dir));
    },
  },
  rerunRun: {
    failed: () => vscode.l10n.t('The experiment was not written'),
    async run(context, argument) {
      const run = await pickRun(context, argument, {
        title: vscode.l10n.t('Which run to rerun?'),
        fits: () => true,
        none: vscode.l10n.t('There are no runs yet.'),
      });
      if (run === undefined) return;
      await vscode.commands.executeCommand('vscode.open', await writeRerun(context, run.dir));
    },
  },
} satisfies Commands;

/** @returns undefined when none was picked */
async function pickEpoch(
  context: CommandContext,
  run: KnownRun,
  given: number | undefined,
): Promise<number | undefined> {
  const possible = await branchableEpochs(run.dir);
  if (given !== undefined && possible.includes(given)) return given;
  if (possible.length === 0) {
    throw new RunError('cannot-branch', {
      what: vscode.l10n.t('no epoch of this run has kept its checkpoints'),
      remedy: vscode.l10n.t('Rerun it with changes instead.'),
    });
  }
  const followed = await context.catalog.follow(run.dir);
  const summaries = new Map(followed.state.summaries.map((summary) => [summary.epoch, summary]));
  followed.dispose();
  const items = possible.toReversed().map((epoch) => {
    const summary = summaries.get(epoch);
    const label = epoch === 0 ? vscode.l10n.t('Before the first epoch') : vscode.l10n.t('After epoch {0}', epoch);
    return { label, description: summary === undefined ? '' : measured(summary.successRate), epoch };
  });
  const placeHolder =
    given === undefined
      ? vscode.l10n.t('The branch shares the epochs up to this one')
      : vscode.l10n.t('The checkpoints of epoch {0} are no longer kept; these are', given);
  const title = vscode.l10n.t('Branch “{0}”', run.head.name);
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.epoch;
}

async function settingsAt({ folders }: CommandContext, dir: RunDir, epoch: number): Promise<Experiment> {
  const { store, id } = await folders.locate(dir);
  const reader = await store.openReader(id);
  try {
    return await experimentAt(reader.manifest, reader.events(), epoch);
  } finally {
    await reader.close();
  }
}

const rewardSchema = z.looseObject({ reward: z.string() });

/** The reward that a branch shall judge by, as its experiment names it; null where nobody said. */
const rewardIn = (argument: unknown): string | null => rewardSchema.safeParse(argument).data?.reward ?? null;

/** Several at once, parted by commas or blanks; a value may hold both. */
const overridesIn = (text: string): string[] =>
  text
    .split(/[\s,]+(?=[A-Za-z][\w.]*\s*=)/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** @returns undefined when it was given up */
async function askForChanges(
  before: Experiment,
  epoch: number,
  reward: string | null,
): Promise<{ experiment: Experiment; namesReward: boolean } | undefined> {
  const asked = [
    ...(reward === null ? [] : [`reward.file=${reward}`]),
    // With nothing left to run, how much longer is the first question.
    ...(before.epochs <= epoch ? [`epochs=${epoch + 10}`] : []),
  ];
  const judge = (text: string) => branchedExperiment(before, overridesIn(text), epoch);
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Branch from epoch {0}: which settings should change?', epoch),
    prompt: vscode.l10n.t('Settings and their values, or nothing: curriculum.alpha=0.4, epochs=120'),
    value: asked.join(', '),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const judged = judge(typed);
      const [problem] = 'problems' in judged ? judged.problems : [];
      return problem === undefined ? undefined : `${problem.message} ${problem.remedy}`.trim();
    },
  });
  if (text === undefined) return undefined;
  const judged = judge(text);
  if ('problems' in judged) return undefined;
  return { experiment: judged.experiment, namesReward: namesReward(overridesIn(text)) };
}

async function offerResume(parent: KnownRun, epoch: number, dir: RunDir): Promise<void> {
  const resume = vscode.l10n.t('Resume Now');
  const text = vscode.l10n.t(
    '“{0}” was branched after epoch {1}; the branch waits to be resumed.',
    parent.head.name,
    epoch,
  );
  if ((await vscode.window.showInformationMessage(text, resume)) !== resume) return;
  await vscode.commands.executeCommand('genenv.resumeRun', { run: dir });
}
