import * as vscode from 'vscode';
import { attemptedTask, attemptsIn } from '../documents/reading.ts';
import { answerOf, startOf } from '../documents/layout/messages.ts';
import { judgedWord } from '../documents/layout/verdictWords.ts';
import { pickRun, type RunChoice } from '../commands/pickRun.ts';
import type { CommandContext } from '../commands/context.ts';
import { number } from '../../shared/text/figures/numbers.ts';
import { parts } from '../trees/words.ts';
import type { RunDir } from '../runs/runs.ts';
import type { OpenRun } from '../trees/openRun.ts';
import type { OpenRuns } from '../trees/openRuns.ts';
import type { TraceTarget } from '../files/traceInFront.ts';

export interface PickNeeds extends Pick<CommandContext, 'catalog' | 'clock'> {
  open: OpenRuns;
}

/** Tasks whose attempts are listed. */
const most = 100;
/** Characters of a gold and of an answer. */
const long = 80;

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
    .sort((a, b) => Number(a.trace.verdict.success) - Number(b.trace.verdict.success))
    .map(({ trace: { id, verdict, messages }, gold }) => ({
      label: id,
      // In two rows: a long gold would push the answer out of sight.
      description: parts(
        vscode.l10n.t('{0}, reward {1}', judgedWord(verdict), number(verdict.reward)),
        ...(gold === null ? [] : [vscode.l10n.t('gold: {0}', startOf(gold, long))]),
      ),
      detail: vscode.l10n.t('answer: {0}', startOf(answerOf(messages), long)),
    }));
  if (items.length === 0) throw new Error(vscode.l10n.t('No epoch of this run is scored yet.'));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  return picked && { run: dir, trace: picked.label };
}

async function newestTraces(run: OpenRun) {
  const epoch = run.followed.scoredEpochs.at(-1);
  if (epoch === undefined) return [];
  const tasks = (await run.families(epoch)).flatMap((family) => family.tasks).slice(0, most);
  const attempts = tasks.map(async ({ id }) => {
    const traces = await attemptsIn(run, { task: id, epoch }, 'train');
    const [first] = traces;
    const gold = first === undefined ? null : ((await attemptedTask(run, first))?.gold ?? null);
    return traces.map((trace) => ({ trace, gold }));
  });
  return (await Promise.all(attempts)).flat();
}
