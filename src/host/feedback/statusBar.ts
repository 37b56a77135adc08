/** One status bar item for each run of this window: where it is, and a click to its calibration. */
import * as vscode from 'vscode';
import type { Clock } from '../../engine/ports.ts';
import { outlook } from '../../launch/outlook.ts';
import { outlayOf } from '../../runs/facts/spending.ts';
import { plainMarkdown } from '../plainMarkdown.ts';
import type { ActiveRun, RunDir, RunService } from '../runs/runs.ts';
import { aboutDuration } from '../../shared/text/figures/durations.ts';
import { measured } from '../../shared/text/figures/intervals.ts';
import { count, rate } from '../../shared/text/figures/numbers.ts';
import { percent } from '../../shared/text/figures/shares.ts';
import { phaseName } from '../trees/words.ts';
import { aheadText, outlayText } from './words.ts';

export function registerStatusBar(service: RunService, clock: Clock): vscode.Disposable {
  const items = new Map<RunDir, vscode.StatusBarItem>();
  const show = (run: ActiveRun): void => {
    const item = items.get(run.dir) ?? itemOf(run);
    items.set(run.dir, item);
    const now = clock.now();
    item.text = textOf(run, now);
    item.tooltip = tooltipOf(run, now);
    item.accessibilityInformation = { label: vscode.l10n.t('{0}, {1}', run.experiment.name, spokenText(run, now)) };
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

function parts(run: ActiveRun, now: number): string[] {
  const last = run.state.summaries.at(-1);
  const epoch = vscode.l10n.t('epoch {0}/{1}', epochOf(run), run.experiment.epochs);
  const { secondsLeft } = outlook(run.state, run.experiment.epochs, run.epochSince, now);
  return [
    ...[epoch, phaseOf(run), last === undefined ? '' : `p̂ ${rate(last.successRate.p)}`],
    ...aheadText(secondsLeft, outlayOf(run.state, run.experiment)),
  ].filter((part) => part !== '');
}

const textOf = (run: ActiveRun, now: number): string => `${icon(run)} ${parts(run, now).join(' · ')}`;
const spokenText = (run: ActiveRun, now: number): string =>
  parts(run, now).join(', ').replace('p̂', vscode.l10n.t('success rate'));

function tooltipOf(run: ActiveRun, now: number): vscode.MarkdownString {
  const { state, experiment } = run;
  const last = state.summaries.at(-1);
  const { secondsLeft } = outlook(state, experiment.epochs, run.epochSince, now);
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
  const outlay = outlayOf(state, experiment);
  if (outlay !== null) lines.push([vscode.l10n.t('cost so far'), outlayText(outlay, true)]);
  const text = new vscode.MarkdownString(`**${plainMarkdown(experiment.name)}**\n\n| | |\n|---|---|\n`);
  for (const [name, value] of lines) text.appendMarkdown(`| ${name}&nbsp;&nbsp; | ${value} |\n`);
  text.appendMarkdown(`\n${vscode.l10n.t('Click to open its calibration.')}`);
  return text;
}
