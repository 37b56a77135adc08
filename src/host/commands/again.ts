/** Branch from Epoch, Rerun with Changes: the form of a run's settings, to change and start. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { branchableEpochs } from '../../runs/store/branch.ts';
import { RunError } from '../../runs/store/runError.ts';
import { overrideExperiment } from '../../shared/experiment/parse.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { keepOrigin } from '../runs/draftOrigins.ts';
import type { KnownRun } from '../runs/runs.ts';
import { settingsAt } from '../runs/settingsAt.ts';
import { requireTrust } from '../runs/steerError.ts';
import type { Commands } from './context.ts';
import { pickRun, targetOf } from './pickRun.ts';
import { writeBranchDraft, writeRerun } from './rerunFile.ts';

export const againCommands = {
  branchRun: {
    failed: () => vscode.l10n.t('The run was not branched'),
    async run(context, argument) {
      requireTrust();
      const run = await pickRun(context, argument, {
        title: vscode.l10n.t('Which run to branch?'),
        // One that is stuck in its first epoch continues from its start.
        fits: ({ head }) => head.current > 0,
        none: vscode.l10n.t('No run has begun an epoch yet.'),
      });
      if (run === undefined) return;
      const { epoch, wanted } = await epochOf(run, targetOf(argument)?.epoch);
      const before = await settingsAt(context.folders, run.dir, epoch);
      const reward = rewardIn(argument);
      const changes = [
        ...(reward === null ? [] : [`reward.file=${JSON.stringify(reward)}`]),
        // With nothing left to run, how much longer is the first question.
        ...(before.epochs <= epoch ? [`epochs=${epoch + 10}`] : []),
        ...changesIn(argument),
      ];
      const draft = await writeBranchDraft(context, run.dir, changed(before, changes));
      await keepOrigin(context.memory, draft.fsPath, { run: run.dir, epoch, reward });
      await vscode.commands.executeCommand('vscode.open', draft);
      if (wanted === null) return;
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          'The checkpoints of epoch {0} are no longer kept; the branch begins after epoch {1}.',
          wanted,
          epoch,
        ),
      );
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
      const file = await writeRerun(context, run.dir);
      await keepOrigin(context.memory, file.fsPath, { run: run.dir, epoch: null, reward: null });
      await vscode.commands.executeCommand('vscode.open', file);
    },
  },
} satisfies Commands;

/** The epoch to branch after: the given one, else the nearest before it that has kept its checkpoints, else the newest. */
async function epochOf(run: KnownRun, given: number | undefined): Promise<{ epoch: number; wanted: number | null }> {
  const possible = (await branchableEpochs(run.dir)).toSorted((a, b) => a - b);
  const [first] = possible;
  if (first === undefined) {
    throw new RunError('cannot-branch', {
      what: vscode.l10n.t('no epoch of this run has kept its checkpoints'),
      remedy: vscode.l10n.t('Rerun it with changes instead.'),
    });
  }
  const before = possible.findLast((epoch) => epoch <= (given ?? Infinity));
  return { epoch: before ?? first, wanted: given === undefined || before === given ? null : given };
}

const argumentSchema = z.looseObject({ reward: z.string().optional(), changes: z.array(z.string()).optional() });

/** The reward for the branch, as its experiment names it; null where not given. */
const rewardIn = (argument: unknown): string | null => argumentSchema.safeParse(argument).data?.reward ?? null;

/** Settings tried elsewhere, as `curriculum.alpha=0.4`. */
const changesIn = (argument: unknown): readonly string[] => argumentSchema.safeParse(argument).data?.changes ?? [];

function changed(before: Experiment, changes: readonly string[]): Experiment {
  const parsed = overrideExperiment(before, changes);
  if (!('problems' in parsed)) return parsed.experiment;
  const [problem] = parsed.problems;
  throw new RunError('cannot-branch', { what: problem?.message ?? '', remedy: problem?.remedy ?? '' });
}
