/** Which run a command is about: the one it was given, the only fitting one, or the one a person picks. */
import * as vscode from 'vscode';
import type { KnownRun } from '../runs/runs.ts';
import { rate } from '../../shared/text/figures/numbers.ts';
import { runTargetSchema, type RunTarget } from '../trees/target.ts';
import { ago, stateWord } from '../trees/words.ts';
import type { CommandContext } from './context.ts';

export interface RunChoice {
  /** "Which run to pause?" */
  title: string;
  /** Runs that the command can be about. */
  fits: (run: KnownRun) => boolean;
  /** Why there is none to pick. */
  none: string;
}

/** The tree node, panel or link that a command was called from. */
export const targetOf = (argument: unknown): RunTarget | undefined => runTargetSchema.safeParse(argument).data;

/** @returns undefined when there is none, or the given one is gone, which was reported, or when none was picked */
export async function pickRun(
  { catalog, clock }: Pick<CommandContext, 'catalog' | 'clock'>,
  argument: unknown,
  { title, fits, none }: RunChoice,
): Promise<KnownRun | undefined> {
  await catalog.ready;
  const target = targetOf(argument);
  if (target !== undefined) {
    // A run that was just made may not be listed yet.
    if (catalog.get(target.run) === undefined) await catalog.refresh();
    const known = catalog.get(target.run);
    if (known === undefined) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('This run is not listed any more: it was moved or deleted, or cannot be read.'),
      );
    }
    return known;
  }
  const fitting = catalog.runs.filter(fits);
  const [first] = fitting;
  if (first === undefined) {
    void vscode.window.showInformationMessage(none);
    return undefined;
  }
  if (fitting.length === 1) return first;
  const items = fitting.map((run) => itemOf(run, clock.now()));
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  return picked?.run;
}

const icons: Record<KnownRun['head']['state'], string> = {
  running: '$(sync)',
  paused: '$(debug-pause)',
  finished: '$(pass)',
  failed: '$(error)',
  stopped: '$(debug-stop)',
  interrupted: '$(debug-disconnect)',
};

/** A run as a line of a quick pick. */
export function itemOf(run: KnownRun, now: number): vscode.QuickPickItem & { run: KnownRun } {
  const { name, state, current, epochs, startedAt, summary, id } = run.head;
  const measured = summary === null ? [] : [`p̂ ${rate(summary.successRate.p)}`];
  const words = [stateWord(state), vscode.l10n.t('epoch {0}/{1}', current, epochs), ...measured, ago(startedAt, now)];
  return { label: `${icons[state]} ${name}`, description: words.join(' · '), detail: id, run };
}
