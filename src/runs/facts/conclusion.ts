/**
 * A run's results in three plain sentences: did the environment calibrate, did the agent improve on held-out tasks,
 * what to do next. A fourth tells where these may lean to fast answers. A fold over the journal's events; every claim is backed by the numbers beside it.
 */
import * as l10n from '@vscode/l10n';
import { inBand } from '../../engine/math/curriculum.ts';
import type { Cut, EventOf, JournalEvent } from '../../shared/journal/events.ts';
import { bandDetails, bandName, bandStretches, bandText, type MeasuredEpoch } from '../../engine/math/bandCount.ts';
import { curriculumAfter, type CurriculumInForce } from '../../shared/journal/curriculum.ts';
import { importedOnly, notTrained } from '../../shared/journal/untrained.ts';
import { spareSentence } from './schedule/spareSentence.ts';
import type { PairedDifference } from '../../engine/math/paired/proportions.ts';
import { changesOf } from '../journal/experimentNow.ts';
import { measureChange, type MeasureChange } from '../../shared/journal/measures.ts';
import { measureNote } from '../../shared/report/measureNote.ts';
import { append } from '../../shared/append.ts';
import { ComparedFold } from './comparedFold.ts';
import { judgeLearning, type Learning, type Validations } from './learned.ts';
import { largest } from '../../shared/extremes.ts';
import { sum } from '../../shared/sum.ts';
import { listed } from '../../shared/text/figures/notation.ts';
import { rate } from '../../shared/text/figures/numbers.ts';

/** Share of the last third's epochs inside the band from which on p̂ counts as held there, and below which as missed. */
const held = 0.8;
const missed = 0.3;
/** Fewer scored epochs than this say nothing about a course. */
const fewestEpochs = 6;

export interface Conclusion {
  /**
   * `held`: in the band at the end after a start outside; `stayed`: in the band from the start; `partly`; `missed`;
   * `untrained`: no update of the environment happened; `unknown`: too few epochs.
   */
  calibration: 'held' | 'stayed' | 'partly' | 'missed' | 'untrained' | 'unknown';
  learning: Learning['verdict'];
  validation: PairedDifference | null;
  /** Calibration, learning, groups that fell out where that matters, next step. */
  sentences: readonly [string, string, string, ...string[]];
}

interface Facts {
  mode: string;
  scored: MeasuredEpoch[];
  /** The environment wrote nothing that could be used: the run ended for it. */
  withoutTasks: boolean;
  /** Epochs without an attempt at a generated task. */
  empty: number;
  /** Attempts of those epochs, and how many of them the reward or judge failed on. */
  unjudged: { failed: number; of: number };
  /** Some of those epochs had tasks to attempt. */
  unattempted: boolean;
  /** The budget that ended the last of them early; null where none did. */
  cutBy: Cut['by'] | null;
  environmentUpdates: number;
  environmentSkips: number;
  /** Why no update of it was due in the newest epoch; null where one was, or the mode has none. */
  untrained: 'update' | 'imported' | null;
  agentUpdates: number;
  validations: Validations;
  /** The last change of how attempts are measured: of what was scored before it nothing is said. */
  measure: MeasureChange | null;
  rounds: EventOf<'rollouts.finished'>[];
}

const mean = (values: readonly number[]): number => sum(values) / values.length;

/** The conclusion of a run's events. The run may be unfinished: the sentences cover the events so far. */
export function conclude(events: Iterable<JournalEvent>): Conclusion {
  const facts = gather(events);
  const calibration = judgeCalibration(facts);
  const learning = judgeLearning(facts.validations, facts.agentUpdates);
  const notes = measureNotes(facts);
  const [spare, next] = [spareSentence(facts.rounds), advice(facts, calibration, learning)];
  return {
    calibration: calibration.verdict,
    learning: learning.verdict,
    validation: learning.paired,
    sentences: [
      noted(calibration.sentence, notes.calibration),
      noted(learning.sentence, notes.learning),
      ...(spare === null ? ([next] as const) : ([spare, next] as const)),
    ],
  };
}

const noted = (sentence: string, note: MeasureChange | null): string =>
  note === null ? sentence : `${sentence} ${measureNote(note)}`;

/** One for both where a branch changed all at once: validations are measured by more. */
function measureNotes({ measure, validations }: Facts): Record<'calibration' | 'learning', MeasureChange | null> {
  return measure?.epoch === validations.measure?.epoch
    ? { calibration: validations.measure, learning: null }
    : { calibration: measure, learning: validations.measure };
}

function gather(events: Iterable<JournalEvent>): Facts {
  const settings = new Map<number, CurriculumInForce>();
  const scored = new Map<number, MeasuredEpoch>();
  const validations = new ComparedFold<EventOf<'validated'>>('validation');
  const changes: { field: string; epoch: number }[] = [];
  const environmentUpdates = new Set<number>();
  const environmentSkips = new Set<number>();
  const agentUpdates = new Set<number>();
  const empty = new Set<number>();
  const accepted = new Set<number>();
  const cuts = new Map<number, Cut['by']>();
  const rounds: Facts['rounds'] = [];
  let mode = 'coevolve';
  let untrained: Facts['untrained'] = null;
  let withoutTasks = false;
  for (const event of events) {
    if ((event.type === 'tasks.generated' || event.type === 'rollouts.finished') && event.cut !== undefined)
      cuts.set(event.epoch, event.cut.by);
    if (event.type === 'run.started') mode = event.mode;
    else if (event.type === 'epoch.started') settings.set(event.epoch, event.settings);
    else if (event.type === 'settings.changed') {
      append(changes, changesOf(event));
      if (measureChange('attempts', changesOf(event)) !== null) for (const known of [scored, empty]) known.clear();
      const before = settings.get(event.epoch);
      if (before !== undefined) settings.set(event.epoch, curriculumAfter(before, event));
    } else if (event.type === 'families.scored') {
      const band = settings.get(event.epoch);
      const { p } = event.successRate;
      if (p === null) empty.add(event.epoch);
      else if (band !== undefined) scored.set(event.epoch, { epoch: event.epoch, p, ...pick(band) });
    } else if (event.type === 'rollouts.finished') rounds.push(event);
    else if (event.type === 'tasks.generated') {
      if (event.accepted > 0) accepted.add(event.epoch);
    } else if (event.type === 'validated') validations.add(event, changes);
    else if (event.type === 'environment.updated') {
      environmentUpdates.add(event.epoch);
      untrained = null;
    } else if (event.type === 'environment.skipped') {
      untrained = event.reason === notTrained ? 'update' : event.reason === importedOnly ? 'imported' : null;
      if (untrained === null) environmentSkips.add(event.epoch);
    } else if (event.type === 'agent.updated') agentUpdates.add(event.epoch);
    else if (event.type === 'run.finished') withoutTasks = event.reason === 'no-tasks';
  }
  const inEmpty = rounds.filter(({ epoch }) => empty.has(epoch));
  const inOrder = <T extends { epoch: number }>(map: Map<number, T>): T[] =>
    [...map.values()].sort((a, b) => a.epoch - b.epoch);
  return {
    mode,
    withoutTasks,
    scored: inOrder(scored),
    empty: empty.size,
    unjudged: {
      failed: sum(inEmpty.map(({ checkerErrors }) => checkerErrors)),
      of: sum(inEmpty.map(({ rollouts: attempts }) => attempts)),
    },
    unattempted: [...empty].some((epoch) => accepted.has(epoch)),
    cutBy: cuts.get(largest(empty)) ?? null,
    environmentUpdates: environmentUpdates.size,
    environmentSkips: environmentSkips.size,
    untrained,
    agentUpdates: agentUpdates.size,
    validations: { ...validations.ends(changes), measure: measureChange('validation', changes) },
    measure: measureChange('attempts', changes),
    rounds,
  };
}

const pick = ({ alpha, kMin }: { alpha: number; kMin: number }): { alpha: number; kMin: number } => ({ alpha, kMin });

interface Calibration {
  verdict: Conclusion['calibration'];
  sentence: string;
  /** How the last epochs outside the band missed it. */
  side: Side;
}

type Side = 'hard' | 'easy' | 'both';

function sideWords(side: Side): string {
  if (side === 'both') return l10n.t('now too hard, now too easy');
  return side === 'hard' ? l10n.t('too hard') : l10n.t('too easy');
}

/** One side only when four in five of the epochs outside the band lie on it. */
function sideOf(window: readonly MeasuredEpoch[]): Side {
  const outside = window.filter((epoch) => !inBand(epoch.p, epoch));
  const hard = outside.filter(({ p, alpha }) => p < alpha).length;
  if (hard >= 0.8 * outside.length) return 'hard';
  return hard <= 0.2 * outside.length ? 'easy' : 'both';
}

/** Of a run without a scored epoch. */
function whyUnknown({ unjudged, cutBy, empty }: Facts): string {
  if (unjudged.failed > 0)
    return l10n.t(
      'The reward or judge gave no verdict on {0} of {1} attempts, so nothing is known of calibration.',
      unjudged.failed,
      unjudged.of,
    );
  if (cutBy !== null)
    return l10n.t(
      'No generated task was attempted before {0} was used up, so nothing is known of calibration.',
      `budget.${cutBy}`,
    );
  if (empty === 0) return l10n.t('No epoch was scored, so nothing is known of calibration.');
  if (empty === 1) return l10n.t('No generated task was attempted in 1 epoch, so nothing is known of calibration.');
  return l10n.t('No generated task was attempted in {0} epochs, so nothing is known of calibration.', empty);
}

function whyUntrained({ untrained, mode }: Facts): string {
  if (untrained === 'imported') return l10n.t('the run was imported');
  if (untrained === 'update') return l10n.t('environment.update none keeps it as it was');
  return l10n.t('mode {0} keeps it as it was', mode);
}

function judgeCalibration(facts: Facts): Calibration {
  const { scored } = facts;
  const first = scored[0];
  if (first === undefined) return { verdict: 'unknown', side: 'hard', sentence: whyUnknown(facts) };
  const window = scored.slice(-Math.max(3, Math.ceil(scored.length / 3)));
  const average = mean(window.map(({ p }) => p));
  const side = sideOf(window);
  if (scored.length < fewestEpochs) {
    const course = listed(scored.map(({ p }) => rate(p)));
    const sentence =
      scored.length === 1
        ? l10n.t('1 epoch cannot show whether the environment calibrates: p̂ was {0}.', course)
        : l10n.t('{0} epochs cannot show whether the environment calibrates: p̂ was {1}.', scored.length, course);
    return { verdict: 'unknown', side, sentence };
  }
  const stretches = bandStretches(window);
  const inside = stretches.reduce((sum, stretch) => sum + stretch.inside, 0);
  const band = bandName(stretches);
  const more = [l10n.t('mean p̂ {0}', rate(average)), bandDetails(stretches)].filter((text) => text !== '').join('; ');
  const measured = l10n.t('{0} of the last {1} epochs ({2})', inside, window.length, more);
  if (facts.environmentUpdates === 0) {
    const why =
      facts.environmentSkips > 0
        ? facts.environmentSkips === 1
          ? l10n.t('all of its 1 update were skipped')
          : l10n.t('all of its {0} updates were skipped', facts.environmentSkips)
        : whyUntrained(facts);
    const sentence = l10n.t('The environment was not trained ({0}); p̂ lay in {1} in {2}.', why, band, measured);
    return { verdict: 'untrained', side, sentence };
  }
  const share = inside / window.length;
  const same = stretches.some(({ alpha, kMin }) => alpha === first.alpha && kMin === first.kMin);
  const start = same
    ? l10n.t('p̂ was {0} in epoch {1}', rate(first.p), first.epoch)
    : l10n.t('p̂ was {0} in epoch {1} (the band was {2} then)', rate(first.p), first.epoch, bandText(first));
  if (share < missed) {
    const sentence = l10n.t(
      'The environment did not calibrate: {0} and lay in {1} in only {2}; its tasks were {3}.',
      start,
      band,
      measured,
      sideWords(side),
    );
    return { verdict: 'missed', side, sentence };
  }
  if (share < held) {
    const sentence = l10n.t(
      'The environment calibrated only in part: {0} and lay in {1} in {2}.',
      start,
      band,
      measured,
    );
    return { verdict: 'partly', side, sentence };
  }
  if (inBand(first.p, first)) {
    const sentence = l10n.t(
      'Difficulty stayed in {0}: {1} and inside in {2}; as it began there, this run does not show that training moved it.',
      band,
      start,
      measured,
    );
    return { verdict: 'stayed', side, sentence };
  }
  const sentence = l10n.t('The environment calibrated: {0} and lay in {1} in {2}.', start, band, measured);
  return { verdict: 'held', side, sentence };
}

function advice(facts: Facts, calibration: Calibration, learning: Learning): string {
  if (facts.untrained === 'imported') {
    return l10n.t('Next: make seed tasks of the original file with “genenv import”, and run an experiment on them.');
  }
  const isEmpty = facts.scored.length === 0 && facts.empty > 0;
  if (isEmpty && facts.unjudged.failed > 0)
    return l10n.t('Next: read the error in a trace, correct the reward or judge, and run again.');
  if (isEmpty && facts.cutBy !== null && !facts.withoutTasks) {
    return l10n.t(
      'Next: raise {0}, or lower generation.families or generation.variations, so that it lasts for attempts at what is written.',
      `budget.${facts.cutBy}`,
    );
  }
  if (facts.withoutTasks || (isEmpty && !facts.unattempted)) {
    return l10n.t(
      'Next: see in the report why every text of the environment was rejected; its model may not fit the domain.',
    );
  }
  if (calibration.verdict === 'unknown')
    return l10n.t('Next: run at least {0} epochs, so that a course can be seen.', 3 * fewestEpochs);
  if (learning.verdict === 'worse') {
    return l10n.t(
      'Next: lower agent.learningRate or raise agent.klCoefficient, and read the traces that stopped being solved.',
    );
  }
  const updates = facts.environmentUpdates + facts.environmentSkips;
  if (updates > 0 && facts.environmentSkips / updates > 0.5) {
    return l10n.t(
      'Next: {0} of {1} environment updates were skipped; widen curriculum.kMin, set curriculum.filter to "soft" or give more curriculum.warmupEpochs.',
      facts.environmentSkips,
      updates,
    );
  }
  if (calibration.verdict === 'untrained' && facts.untrained === 'update') {
    return l10n.t('Next: run the same experiment with environment.update "rwr" and compare the two on validation.');
  }
  if (calibration.verdict === 'untrained') {
    return l10n.t('Next: run the same experiment with mode coevolve and compare the two on validation.');
  }
  if (calibration.verdict === 'missed') {
    return l10n.t(
      'Next: see in the report where tasks were {0} and why texts were rejected; raise environment.learningRate or environment.steps, or loosen its KL caps.',
      sideWords(calibration.side),
    );
  }
  if (calibration.verdict === 'partly') {
    return l10n.t(
      'Next: run longer, or write more variations of each seed (generation.variations); further attempts at a task (rollouts.group) mostly repeat its first ones.',
    );
  }
  if (learning.verdict === 'improved') {
    return l10n.t(
      'Next: repeat it with other seeds and with mode random at the same budget before crediting the curriculum: one run is one sample.',
    );
  }
  if (learning.verdict === 'unclear') {
    return l10n.t(
      'Next: run more epochs or validate on more tasks (validation.tasks): this difference is within its error.',
    );
  }
  return l10n.t('Next: validate at the start and at the end (validation.every), so that learning can be measured.');
}
