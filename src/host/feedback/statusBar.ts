/** One status bar item for each run that this window executes or saw pause: where it is, and a click to its calibration. */
import * as vscode from 'vscode';
import { currentEpoch } from '../../runs/facts/currentEpoch.ts';
import { outlayOf, type Outlay } from '../../runs/facts/spending.ts';
import { plainMarkdown } from '../plainMarkdown.ts';
import type { ActiveRun, KnownRun, LandedRun, RunCatalog, RunDir, RunService } from '../runs/runs.ts';
import { aboutDuration } from '../../shared/text/figures/durations.ts';
import { measured } from '../../shared/text/figures/intervals.ts';
import { count, rate } from '../../shared/text/figures/numbers.ts';
import { silenceInFull, silenceText } from '../../shared/text/silence.ts';
import { percent } from '../../shared/text/figures/shares.ts';
import { phaseName } from '../trees/words.ts';
import { aheadText, outlayText } from './words.ts';

/**
 * A run that pauses keeps its item until it resumes, is over, or is archived or removed.
 *
 * @param catalog has the names and states of runs
 */
export function registerStatusBar(
  service: Pick<RunService, 'active' | 'onDidProgress' | 'onDidChangeActive' | 'onDidLand'>,
  catalog: Pick<RunCatalog, 'get' | 'onDidChangeList' | 'onDidChangeRuns'>,
  make: (id: string) => vscode.StatusBarItem = (id) =>
    vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 10),
): vscode.Disposable {
  const items = new Map<RunDir, vscode.StatusBarItem>();
  const paused = new Set<RunDir>();
  const show = (run: ActiveRun, isPaused = false): void => {
    const item = items.get(run.dir) ?? itemOf(run, make);
    items.set(run.dir, item);
    const ahead = isPaused ? { ...aheadOf(run), secondsLeft: null } : aheadOf(run);
    const parts = isPaused ? pausedParts(run) : partsOf(run, ahead);
    item.text = `${isPaused ? '$(debug-pause)' : icon(run)} ${parts.join(' · ')}`;
    const name = catalog.get(run.dir)?.head.name ?? run.experiment.name;
    item.tooltip = tooltipOf(run, name, ahead);
    const spoken = parts.join(', ').replace('p̂', vscode.l10n.t('success rate'));
    item.accessibilityInformation = { label: vscode.l10n.t('{0}, {1}', name, spoken) };
    item.show();
  };
  const sweep = (): void => {
    for (const dir of paused) if (service.active.has(dir) || !restsPaused(catalog.get(dir))) paused.delete(dir);
    for (const [dir, item] of items) {
      if (service.active.has(dir) || paused.has(dir)) continue;
      item.dispose();
      items.delete(dir);
    }
    for (const run of service.active.values()) show(run);
  };
  const rest = ({ run, landing }: LandedRun): void => {
    if (landing.state !== 'paused') return;
    paused.add(run.dir);
    show(run, true);
  };
  return vscode.Disposable.from(
    service.onDidProgress((run) => show(run)),
    service.onDidChangeActive(sweep),
    service.onDidLand(rest),
    catalog.onDidChangeList(sweep),
    catalog.onDidChangeRuns(sweep),
    {
      dispose: () => {
        for (const item of items.values()) item.dispose();
      },
    },
  );
}

/** The list of runs may not know yet that this window wrote it no longer. */
const restsPaused = (known: KnownRun | undefined): boolean =>
  known !== undefined && !known.head.label.archived && (known.writer === 'here' || known.head.state === 'paused');

function itemOf(run: ActiveRun, make: (id: string) => vscode.StatusBarItem): vscode.StatusBarItem {
  const item = make(`genenv.run.${run.dir}`);
  item.name = vscode.l10n.t('GenEnv Run');
  item.command = {
    command: 'genenv.openCalibration',
    title: vscode.l10n.t('Open Calibration'),
    arguments: [{ run: run.dir }],
  };
  return item;
}

/** The phase, or how it is ending, or that it has not begun, or which server holds it up. */
function phaseOf(run: ActiveRun): string {
  if (run.pausing === 'boundary') return vscode.l10n.t('pausing at the next boundary');
  if (run.pausing === 'now') return vscode.l10n.t('pausing');
  const silent = silenceText(run.silences);
  if (silent !== null) return silent;
  const names = run.phases.map(phaseName);
  if (names.length === 0) return run.state.started === null ? vscode.l10n.t('starting') : '';
  // Both updates at once are one entry in the status bar.
  return names.length > 1 ? vscode.l10n.t('updating') : (names[0] ?? '');
}

function icon({ pausing, silences }: ActiveRun): string {
  if (pausing !== 'no') return '$(debug-pause)';
  return silences.length > 0 ? '$(warning)' : '$(sync~spin)';
}

interface Ahead {
  secondsLeft: number | null;
  outlay: Outlay | null;
}

const aheadOf = ({ state, experiment, secondsLeft }: ActiveRun): Ahead => ({
  secondsLeft,
  outlay: outlayOf(state, experiment),
});

function partsOf(run: ActiveRun, { secondsLeft, outlay }: Ahead): string[] {
  return [epochText(run), phaseOf(run), rateText(run), ...aheadText(secondsLeft, outlay)].filter((part) => part !== '');
}

const pausedParts = (run: ActiveRun): string[] =>
  [epochText(run), vscode.l10n.t('paused'), rateText(run)].filter((part) => part !== '');

const epochText = ({ state, experiment }: ActiveRun): string =>
  vscode.l10n.t('epoch {0}/{1}', count(currentEpoch(state)), count(experiment.epochs));

/** The success rate of the last finished epoch, which it names while another is open. */
function rateText({ state }: ActiveRun): string {
  const last = state.summaries.at(-1);
  if (last === undefined) return '';
  const text = `p̂ ${rate(last.successRate.p)}`;
  return last.epoch === currentEpoch(state) ? text : vscode.l10n.t('{0} in epoch {1}', text, count(last.epoch));
}

function tooltipOf(run: ActiveRun, name: string, { secondsLeft, outlay }: Ahead): vscode.MarkdownString {
  const { state } = run;
  const last = state.summaries.at(-1);
  const lines = run.silences.map((silence): [string, string] => [
    vscode.l10n.t('no answer'),
    plainMarkdown(silenceInFull(silence)),
  ]);
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
