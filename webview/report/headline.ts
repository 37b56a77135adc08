/** The run, its time and its results: the part that is read in a minute. */
import { pooled } from '../../src/engine/math/successRate.ts';
import type { ReportData } from '../../src/shared/report/data.ts';
import { duration } from '../../src/shared/text/figures/durations.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { reportMoment } from '../../src/shared/text/figures/moments.ts';
import { approximate, count, measure, plural, rate } from '../../src/shared/text/figures/numbers.ts';
import { points } from '../../src/shared/text/figures/shares.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { element } from '../lib/element.ts';
import { bandName } from '../../src/engine/math/bandCount.ts';
import { baselineOf, ends, epochsInBand } from './readings.ts';

export function headline(data: ReportData): HTMLElement {
  const { run } = data;
  const facts: [string, string][] = [
    ['Mode', run.mode],
    ['Preset', run.preset],
    ['Started', reportMoment(run.startedAt)],
    ['Time', duration(run.seconds)],
    ['Epochs', run.epochs === run.epochsPlanned ? count(run.epochs) : `${run.epochs} of ${run.epochsPlanned}`],
    ['Rollouts', count(run.rollouts)],
    ['Tokens', run.tokens === null ? 'not known' : approximate(run.tokens)],
    ['Seed', String(run.seed)],
  ];
  return element(
    'header',
    {},
    element('p', { class: 'kicker' }, 'GenEnv run report'),
    element('h1', {}, run.name),
    element(
      'dl',
      { class: 'facts' },
      ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    ...stateNote(data),
    ...conclusion(data),
    keyFigures(data),
  );
}

function stateNote({ run }: ReportData): HTMLElement[] {
  const words: Record<ReportData['run']['state'], string | null> = {
    finished: null,
    running: 'This run is still going on',
    paused: 'This run is paused',
    stopped: 'This run was stopped',
    interrupted: 'This run was interrupted and can be resumed',
    failed: 'This run ended with an error',
  };
  const word = words[run.state];
  const done = `${plural(run.epochs, 'epoch')} of ${run.epochsPlanned} measured`;
  if (word !== null)
    return [element('p', { class: 'state', role: 'note' }, `${word}: ${done}. The report shows what there is.`)];
  if (run.ending === null || !run.endedEarly) return [];
  const when = run.epochs === run.epochsPlanned ? 'Ended' : 'Ended before its last epoch';
  return [element('p', { class: 'state', role: 'note' }, `${when}, ${run.ending}: ${done}.`)];
}

/** A line does not begin with a percent sign. */
const unbroken = (text: string): string => text.replaceAll(' %', '\u00a0%');

function conclusion({ conclusion: sentences }: ReportData): HTMLElement[] {
  if (sentences.length === 0)
    return [element('p', { class: 'conclusion' }, 'Nothing can be concluded yet: no epoch was measured.')];
  return [
    element('div', { class: 'conclusion' }, ...sentences.map((sentence) => element('p', {}, unbroken(sentence)))),
  ];
}

interface KeyFigure {
  label: string;
  value: string;
  /** The interval in words, or the value's unit. */
  beside: string;
  below: string;
  glyph?: SVGSVGElement;
}

function keyFigures(data: ReportData): HTMLElement {
  const figures = [calibrated(data), inBand(data), validation(data), updates(data), answers(data)];
  return element(
    'ul',
    { class: 'figures', 'aria-label': 'Key figures' },
    ...figures
      .filter((figure) => figure !== null)
      .map(({ label, value, beside, below, glyph }) =>
        element(
          'li',
          {},
          element('p', { class: 'figure-label' }, label),
          element('p', { class: 'figure-value' }, value, element('small', {}, ` ${beside}`)),
          element('div', {}, ...(glyph === undefined ? [] : [glyph]), element('p', { class: 'figure-below' }, below)),
        ),
      ),
  );
}

/** Pooled over the last third of the epochs: one epoch alone says little of where a run ended. */
function calibrated({ epochs }: ReportData): KeyFigure | null {
  const measured = epochs.flatMap(({ epoch, curriculum, successRate }) =>
    successRate?.p == null ? [] : [{ epoch, curriculum, rate: successRate, p: successRate.p }],
  );
  const [first] = measured;
  const last = measured.slice(-Math.max(3, Math.ceil(measured.length / 3)));
  const curriculum = last.at(-1)?.curriculum;
  if (first === undefined || curriculum === undefined) return null;
  const { p, low, high } = pooled(last.map((row) => row.rate));
  if (p === null) return null;
  return {
    label: 'Success on generated tasks',
    value: rate(p),
    beside: interval(low, high),
    below:
      measured.length === 1
        ? `epoch ${first.epoch}`
        : `last ${plural(last.length, 'epoch')}; it was ${rate(first.p)} in epoch ${first.epoch}`,
    glyph: intervalGlyph({ p, low, high, band: curriculum, tone: 'ink' }),
  };
}

function inBand({ epochs, run }: ReportData): KeyFigure | null {
  const { inside, measured, stretches } = epochsInBand(epochs);
  if (measured === 0) return null;
  return {
    label: 'Epochs in the band',
    value: count(inside),
    beside: `of ${count(measured)}${measured < run.epochs ? ' drawn' : ''}`,
    below: `mean p̂ within ${bandName(stretches)}`,
  };
}

function validation({ validation: rows }: ReportData): KeyFigure | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const first = baselineOf(rows, last);
  if (first.successRate.p === null || last.successRate.p === null) return null;
  const { p, low, high } = last.successRate;
  const change = last.change;
  const start = `${first.epoch === 0 ? 'start' : `epoch ${first.epoch}`} ${rate(first.successRate.p)}`;
  return {
    label: 'Success on held-out tasks',
    value: rate(p),
    beside: interval(low, high),
    below:
      change === null
        ? start
        : `${start}; ${points(change.difference)} points (${points(change.low)} to ${points(change.high)})`,
    glyph: intervalGlyph({ p, low, high, tone: 'agent' }),
  };
}

function updates({ epochs, run }: ReportData): KeyFigure | null {
  if (epochs.length === 0) return null;
  if (!run.trains.environment) {
    const by = run.mode === 'coevolve' ? 'environment.update none' : `mode ${run.mode}`;
    return { label: 'Environment policy', value: 'frozen', beside: '', below: `${by} does not train it` };
  }
  const made = epochs.filter(({ environment }) => environment.steps !== null).length;
  const skipped = epochs.filter(({ environment }) => environment.skipped !== null).length;
  return {
    label: 'Environment updates',
    value: count(made),
    beside: `of ${count(made + skipped)}`,
    below: skipped === 0 ? 'none was skipped' : `${skipped} skipped`,
  };
}

function answers({ epochs }: ReportData): KeyFigure | null {
  const between = ends(epochs, ({ answerLength }) => answerLength);
  if (between === null) return null;
  const { first, last } = between;
  return {
    label: 'Length of an answer',
    value: measure(last.value),
    beside: 'tokens',
    below:
      first.epoch === last.epoch
        ? `epoch ${last.epoch}`
        : `epoch ${last.epoch}; it was ${measure(first.value)} in epoch ${first.epoch}`,
  };
}
