import * as vscode from 'vscode';
import { attemptsIn } from '../documents/reading.ts';
import { judgedWord } from '../documents/layout/verdictWords.ts';
import { pickRun, type RunChoice } from '../commands/pickRun.ts';
import type { CommandContext } from '../commands/context.ts';
import { number } from '../../shared/text/figures/numbers.ts';
import type { RunDir } from '../runs/runs.ts';
import type { OpenRun } from '../trees/openRun.ts';
import type { OpenRuns } from '../trees/openRuns.ts';
import type { TraceTarget } from '../files/traceInFront.ts';

export interface PickNeeds extends Pick<CommandContext, 'catalog' | 'clock'> {
  open: OpenRuns;
}

/** Tasks whose attempts are listed. */
const most = 100;

/**
 * A trace of the newest scored epoch of a run, those that failed first; undefined when none was picked.
 * @param run a picker asks for it when absent @throws RunError
 */
export async function pickTrace(
  { catalog, clock, open }: PickNeeds,
  title: string,
  run?: RunDir,
): Promise<TraceTarget | undefined> {
  const choice: RunChoice = {
    title: vscode.l10n.t('A trace of which run?'),
    fits: () => true,
    none: vscode.l10n.t('There is no run yet, so there is no trace to stop on.'),
  };
  const dir = run ?? (await pickRun({ catalog, clock }, null, choice))?.dir;
  if (dir === undefined) return undefined;
  const traces = await newestTraces(await open.open(dir));
  const items = traces
    .sort((a, b) => Number(a.verdict.success) - Number(b.verdict.success))
    .map(({ id, verdict }) => ({
      label: id,
      description: vscode.l10n.t('{0}, reward {1}', judgedWord(verdict), number(verdict.reward)),
    }));
  if (items.length === 0) throw new Error(vscode.l10n.t('No epoch of this run is scored yet.'));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked && { run: dir, trace: picked.label };
}

async function newestTraces(run: OpenRun) {
  const epoch = run.followed.scoredEpochs.at(-1);
  if (epoch === undefined) return [];
  const tasks = (await run.families(epoch)).flatMap((family) => family.tasks).slice(0, most);
  return (await Promise.all(tasks.map(({ id }) => attemptsIn(run, { task: id, epoch }, 'train')))).flat();
}
