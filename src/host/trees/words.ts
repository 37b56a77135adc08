/** The trees' recurring words and sentences, in the editor's language. */
import * as vscode from 'vscode';
import type { Progress } from '../../engine/ports.ts';
import type { RunHead } from '../../runs/store/runHead.ts';
import type { Mode } from '../../shared/experiment/schema.ts';
import { spoken } from '../../shared/experiment/symbols.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import type { SuccessRate } from '../../shared/journal/scores.ts';
import { moment } from '../../shared/text/figures/moments.ts';
import { languageOfFigures } from '../../shared/text/figures/notation.ts';
import { count, rate } from '../../shared/text/figures/numbers.ts';
import { percent } from '../../shared/text/figures/shares.ts';
import type { FamilyGroup } from './runs/familyGroups.ts';
import type { RunOrder } from './runs/roots/runOrder.ts';

/** Joins the parts of a description that have something to say. */
export const parts = (...all: readonly (string | null)[]): string =>
  all.filter((part) => part !== null && part !== '').join(' · ');

export function stateWord(state: RunHead['state']): string {
  const words: Record<RunHead['state'], string> = {
    running: vscode.l10n.t('running'),
    paused: vscode.l10n.t('paused'),
    interrupted: vscode.l10n.t('interrupted'),
    failed: vscode.l10n.t('failed'),
    stopped: vscode.l10n.t('stopped'),
    finished: vscode.l10n.t('finished'),
  };
  return words[state];
}

/** Why a run is over that did not reach its last epoch; null for every other run. */
export function endingWord({ state, ending }: Pick<RunHead, 'state' | 'ending'>): string | null {
  if (state !== 'finished' || ending === null || ending === 'epochs') return null;
  const words: Record<typeof ending, string> = {
    'budget-tokens': vscode.l10n.t('token budget used up'),
    'budget-rollouts': vscode.l10n.t('rollout budget used up'),
    'budget-seconds': vscode.l10n.t('time budget used up'),
    'budget-cost': vscode.l10n.t('budget of money used up'),
    'budget-hours': vscode.l10n.t('budget of hours used up'),
    'early-stop': vscode.l10n.t('validation no longer improved'),
    'no-tasks': vscode.l10n.t('no usable task written'),
  };
  return words[ending];
}

export function modeWord(mode: Mode): string {
  const words: Record<Mode, string> = {
    coevolve: vscode.l10n.t('co-evolution: both policies learn'),
    random: vscode.l10n.t('random: the environment is frozen'),
    static: vscode.l10n.t('static: tasks generated once'),
    offline: vscode.l10n.t('offline: tasks made elsewhere'),
    release: vscode.l10n.t('release: seeds ranked, the environment frozen'),
  };
  return `${mode} (${words[mode]})`;
}

export function groupWord(group: FamilyGroup): string {
  const words: Record<FamilyGroup, string> = {
    'too hard': vscode.l10n.t('Too hard'),
    'in band': vscode.l10n.t('In band'),
    'too easy': vscode.l10n.t('Too easy'),
    'not measured': vscode.l10n.t('Not measured'),
  };
  return words[group];
}

export function orderWord(order: RunOrder): string {
  const words: Record<RunOrder, string> = {
    started: vscode.l10n.t('Newest first'),
    name: vscode.l10n.t('Name'),
    state: vscode.l10n.t('State: what needs attention first'),
    'success rate': vscode.l10n.t('Success rate p̂ of the last epoch'),
    validation: vscode.l10n.t('Validation score of the last epoch'),
  };
  return words[order];
}

/** A phase's activity, in one or two words. */
export function phaseName({ phase, job }: Pick<Progress, 'phase' | 'job'>): string {
  const words = new Map([
    ['rank', vscode.l10n.t('ranking seeds')],
    ['generate', vscode.l10n.t('generating')],
    ['attempt', vscode.l10n.t('attempting')],
    ['agent job', vscode.l10n.t('attempting and updating the agent')],
    ['update agent', vscode.l10n.t('updating the agent')],
    ['update environment', vscode.l10n.t('updating the environment')],
    ['validate', vscode.l10n.t('validating')],
    ['evaluate', vscode.l10n.t('evaluating on the benchmark')],
  ]);
  const word = words.get(phase) ?? phase;
  return job === 'queued' ? vscode.l10n.t('{0}, job queued', word) : word;
}

/** `attempting 120/512` */
export function phaseWord(progress: Progress): string {
  const { done, total, job } = progress;
  const name = phaseName(progress);
  if (job === undefined) return `${name} ${count(done)}/${count(total)}`;
  if (job === 'queued') return name;
  const step = total > 0 ? `${count(done)}/${count(total)}` : count(done);
  return vscode.l10n.t('{0}, job at step {1}', name, step);
}

export const inBand = (share: number): string => vscode.l10n.t('{0} in band', percent(share));

/** `β 10 → 15` */
export function changeText({ field, from, to }: EventOf<'settings.changed'>['changes'][number]): string {
  const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const [symbol = field] = spoken(field).split(' ');
  // A file of the same name that was read anew.
  if (from === to) return vscode.l10n.t('{0} {1}, edited', symbol, shown(to));
  return `${symbol} ${shown(from)} → ${shown(to)}`;
}

/** `85/448`, with the effective number of clustered attempts: `85/448, worth 17 independent ones`. */
export function solvedOf({ successes, attempts, effective = attempts }: SuccessRate): string {
  const solved = `${count(successes)}/${count(attempts)}`;
  return effective < attempts - 0.5
    ? vscode.l10n.t('{0}, worth {1} independent ones', solved, count(effective))
    : solved;
}

/** A success rate for screen readers. */
export function spokenRate({ p, low, high, attempts }: SuccessRate): string {
  if (p === null) return vscode.l10n.t('not measured');
  return vscode.l10n.t(
    'success rate {0}, interval {1} to {2}, {3} attempts',
    rate(p),
    rate(low),
    rate(high),
    count(attempts),
  );
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
/** Made with their first use: loading a language's data takes long enough to be felt in an activation. */
let relative: Intl.RelativeTimeFormat | null = null;

/** `3 min. ago`; `just now` below a minute. */
export function ago(iso: string, now: number): string {
  const seconds = (now - Date.parse(iso)) / 1000;
  const step = steps.find(([, size]) => seconds >= size);
  relative ??= new Intl.RelativeTimeFormat([languageOfFigures(), 'en'], { numeric: 'auto', style: 'short' });
  return step === undefined ? vscode.l10n.t('just now') : relative.format(-Math.floor(seconds / step[1]), step[0]);
}

/** `Nov 21, 2026, 9:30 AM (3 hr. ago)`: for texts read once, such as a hover. */
export const momentAndAge = (iso: string, now: number): string => `${moment(iso)} (${ago(iso, now)})`;
