/** One status bar item for each run of this window: where it is, and a click to its calibration. */
import * as vscode from 'vscode';
import { outlayOf, type Outlay } from '../../runs/facts/spending.ts';
import { plainMarkdown } from '../plainMarkdown.ts';
import type { ActiveRun, RunCatalog, RunDir, RunService } from '../runs/runs.ts';
import { aboutDuration } from '../../shared/text/figures/durations.ts';
import { measured } from '../../shared/text/figures/intervals.ts';
import { count, rate } from '../../shared/text/figures/numbers.ts';
import { percent } from '../../shared/text/figures/shares.ts';
import { phaseName } from '../trees/words.ts';
import { aheadText, outlayText } from './words.ts';

/** @param catalog has the names of runs */
export function registerStatusBar(service: RunService, catalog: Pick<RunCatalog, 'get'>): vscode.Disposable {
  const items = new Map<RunDir, vscode.StatusBarItem>();
  const show = (run: ActiveRun): void => {
    const item = items.get(run.dir) ?? itemOf(run);
    items.set(run.dir, item);
    const ahead = aheadOf(run);
    const parts = partsOf(run, ahead);
    item.text = `${icon(run)} ${parts.join(' · ')}`;
    const name = catalog.get(run.dir)?.head.name ?? run.experiment.name;
    item.tooltip = tooltipOf(run, name, ahead);
    const spoken = parts.join(', ').replace('p̂', vscode.l10n.t('success rate'));
    item.accessibilityInformation = { label: vscode.l10n.t('{0}, {1}', name, spoken) };
    item.show();
  };
  const sweep = (): void => {
    for (const [dir, item] of items) {
      if (service.active.has(dir)) continue;
      item.dispose();
      items.delete(dir);
    }
    for (const run of service.active.values()) show(run);
  };
  return vscode.Disposable.from(service.onDidProgress(show), service.onDidChangeActive(sweep), {
    dispose: () => {
      for (const item of items.values()) item.dispose();
    },
  });
}

function itemOf(run: ActiveRun): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(`genenv.run.${run.dir}`, vscode.StatusBarAlignment.Left, 10);
  item.name = vscode.l10n.t('GenEnv Run');
  item.command = {
    command: 'genenv.openCalibration',
    title: vscode.l10n.t('Open Calibration'),
    arguments: [{ run: run.dir }],
  };
  return item;
}

/** The phase, or how it is ending, or that it has not begun. */
function phaseOf(run: ActiveRun): string {
  if (run.pausing === 'boundary') return vscode.l10n.t('pausing at the next boundary');
  if (run.pausing === 'now') return vscode.l10n.t('pausing');
  const names = run.phases.map(phaseName);
  if (names.length === 0) return run.state.started === null ? vscode.l10n.t('starting') : '';
  // Both updates at once are one entry in the status bar.
  return names.length > 1 ? vscode.l10n.t('updating') : (names[0] ?? '');
}

const epochOf = ({ state }: ActiveRun): number => state.open?.epoch ?? state.summaries.length;

const icon = (run: ActiveRun): string => (run.pausing === 'no' ? '$(sync~spin)' : '$(debug-pause)');

interface Ahead {
  secondsLeft: number | null;
  outlay: Outlay | null;
}

const aheadOf = ({ state, experiment, secondsLeft }: ActiveRun): Ahead => ({
  secondsLeft,
  outlay: outlayOf(state, experiment),
});

function partsOf(run: ActiveRun, { secondsLeft, outlay }: Ahead): string[] {
  const last = run.state.summaries.at(-1);
  const epoch = vscode.l10n.t('epoch {0}/{1}', epochOf(run), run.experiment.epochs);
  return [
    ...[epoch, phaseOf(run), last === undefined ? '' : rateText(last, epochOf(run))],
    ...aheadText(secondsLeft, outlay),
  ].filter((part) => part !== '');
}

/** The success rate of the last finished epoch, which it names while another is open. */
function rateText({ epoch, successRate }: ActiveRun['state']['summaries'][number], open: number): string {
  const text = `p̂ ${rate(successRate.p)}`;
  return epoch === open ? text : vscode.l10n.t('{0} in epoch {1}', text, epoch);
}

function tooltipOf(run: ActiveRun, name: string, { secondsLeft, outlay }: Ahead): vscode.MarkdownString {
  const { state } = run;
  const last = state.summaries.at(-1);
  const lines: [string, string][] = [];
  for (const progress of run.phases) {
    const { done, total, job } = progress;
    if (job === 'queued') lines.push([phaseName(progress), '']);
    else
      lines.push([
        phaseName(progress),
        total > 0 ? vscode.l10n.t('{0} of {1}', count(done), count(total)) : count(done),
      ]);
  }
  if (last !== undefined) {
    lines.push([vscode.l10n.t('epoch {0}', last.epoch), measured(last.successRate)]);
    lines.push([vscode.l10n.t('families in the band'), percent(last.inBand)]);
  }
  if (secondsLeft !== null)
    lines.push([vscode.l10n.t('time left'), vscode.l10n.t('about {0}', aboutDuration(secondsLeft))]);
  lines.push([vscode.l10n.t('tokens so far'), count(state.spent.tokens)]);
  if (outlay !== null) lines.push([vscode.l10n.t('cost so far'), outlayText(outlay, true)]);
  const text = new vscode.MarkdownString(`**${plainMarkdown(name)}**\n\n| | |\n|---|---|\n`);
  for (const [title, value] of lines) text.appendMarkdown(`| ${title}&nbsp;&nbsp; | ${value} |\n`);
  text.appendMarkdown(`\n${vscode.l10n.t('Click to open its calibration.')}`);
  return text;
}
