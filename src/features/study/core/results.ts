/**
 * A study's results: arms × measures with intervals over seeds, paired differences, and sentences no stronger than a
 * test.
 */
import { saidValue } from '../contract/saidValue.ts';
import * as l10n from '@vscode/l10n';
import type { Measure, MemberSummary, Study } from '../contract/file.ts';
import type { ComparisonResult, MeasureHead, StudyCell, StudyResults } from '../contract/page.ts';
import { courseOf } from './courses.ts';
import type { Plan } from './plan.ts';
import { bootstrapTest, deviation, differenceOf, holm, mean } from '../../../engine/math/paired/tests.ts';
import { signFlipTest, spreadOf, wilcoxonTest } from '../../../engine/math/paired/tests.ts';
import { studentQuantile } from '../../../engine/math/paired/student.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import { saysDifference } from './canShow.ts';
import { leastP, mostSeeds, powerOf, seedsFor } from './power.ts';
import { shortSentences } from './shortRuns.ts';
import { isValidated, measured, reaches, rolloutsOfNever } from './summary.ts';
import { ends } from '../../../shared/text/figures/intervals.ts';
import { fixed, precise } from '../../../shared/text/figures/numbers.ts';

const tests = { 'sign-flip': signFlipTest, wilcoxon: wilcoxonTest, bootstrap: bootstrapTest };

/** `finished`: by member's name. `dropped`: arms that racing ended, and why. */
export function studyResults(
  study: Study,
  plan: Plan,
  finished: ReadonlyMap<string, MemberSummary>,
  dropped: ReadonlyMap<string, string>,
): StudyResults {
  const { comparison, seeds, measures } = study;
  const heads = measures.map(headOf);
  const names = new Map(plan.members.map(({ name, arm, seed }) => [`${arm}\n${seed}`, name]));
  const summaries = plan.arms.map(({ name }) =>
    seeds.map((seed) => finished.get(names.get(`${name}\n${seed}`) ?? '') ?? null),
  );
  const never = rolloutsOfNever(plan.budget, summaries.flat());
  const values = measures.map((measure) =>
    summaries.map((row) => row.map((one) => (one === null ? null : measured(measure, one, never)))),
  );
  const level = comparison.level;
  const whyOf = (arm: string): string | null => {
    const why = dropped.get(arm);
    return why === undefined ? null : inWords(why);
  };
  const arms = plan.arms.map(({ name, of, point }, a) => ({
    ...{ name, of, point },
    finished: summaries[a]?.filter((one) => one !== null).length ?? 0,
    dropped: whyOf(name),
    cells: values.map((byArm) => cellOf(byArm[a] ?? [])),
  }));
  const reference = Math.max(
    0,
    plan.arms.findIndex(({ name }) => name === comparison.reference),
  );
  const pairs = pairsOf(arms.length, reference, comparison.pairs);
  const raw = measures.flatMap((_, m) =>
    pairs.flatMap(([a, b]) => {
      const differences = seeds.flatMap((_seed, s) => {
        const [x, y] = [values[m]?.[a]?.[s] ?? null, values[m]?.[b]?.[s] ?? null];
        return x === null || y === null ? [] : [differenceOf(x, y)];
      });
      return differences.length < 2 ? [] : [{ measure: m, a, b, differences }];
    }),
  );
  const tested = raw.map((one) => ({ ...one, test: tests[comparison.test](one.differences) }));
  const planned = measures.length * pairs.length;
  // A pair without values is in the family with p = 1: racing chose the pairs that are left by their values.
  const missing = Array.from({ length: planned - tested.length }, () => 1);
  const adjusted = holm([...tested.map(({ test }) => test.p), ...missing]);
  const told = saysDifference(study);
  const comparisons = tested.map(({ measure, a, b, differences, test }, i): ComparisonResult => {
    const { low, high } = interval(differences);
    const spread = spreadOf(differences);
    const n = differences.length;
    const centre = mean(differences);
    const strict = level / Math.max(1, planned);
    const size = comparison.difference / spread;
    return {
      ...{ measure, arm: a, against: b, pairs: n, difference: centre, low, high },
      ...{ p: test.p, exact: test.exact, adjusted: adjusted[i] ?? 1 },
      least: leastP(comparison.test, n),
      // Hedges' correction of Cohen's d of paired differences.
      effect: spread === 0 ? null : (centre / spread) * (1 - 3 / (4 * n - 5)),
      better: differences.filter((d) => d > 0).length / n,
      power: told && measure === 0 && spread > 0 ? powerOf(comparison.test, size, n, strict) : null,
      seedsFor: told && measure === 0 && spread > 0 ? seedsFor(comparison.test, size, strict) : null,
    };
  });
  const done = arms.reduce((sum, arm) => sum + arm.finished, 0);
  // An arm that racing ended has the runs that it finished, and none to come.
  const runs = arms.reduce((sum, arm) => sum + (arm.dropped === null ? seeds.length : arm.finished), 0);
  const whole = arms.filter((arm) => arm.dropped === null).length;
  const counts = [
    saidComparisons(planned),
    `${measures.length} × ${pairs.length}`,
    measures.length === 1 ? l10n.t('one measure') : l10n.t('{0} measures', measures.length),
    pairs.length === 1 ? l10n.t('1 pair of arms') : l10n.t('{0} pairs of arms', pairs.length),
    planned === tested.length ? '' : `; ${l10n.t('{0} have no two seeds yet', planned - tested.length)}`,
  ];
  const family = l10n.t('{0} ({1}: {2}, {3}{4})', ...counts);
  const results = {
    ...{ name: study.name, seeds, runs, finished: done, family, level, test: comparison.test },
    ...{ budget: plan.budget, measures: heads, arms, comparisons, racing: study.stop?.rule ?? null },
    grid: study.grid,
    courses: {
      validation: courseOf(summaries, ({ validatedAt, validation }) => ({ rollouts: validatedAt, values: validation })),
      successRate: courseOf(summaries, ({ successes, attempts, epochs, rollouts }) => ({
        rollouts: successes.map((_, i) => Math.round(((i + 1) / Math.max(1, epochs)) * rollouts)),
        values: successes.map((k, i) => ((attempts[i] ?? 0) === 0 ? null : k / (attempts[i] ?? 1))),
      })),
    },
    never: measures.map((measure) => summaries.map((row) => neverReached(measure, row))),
  };
  const short = shortSentences(
    plan.budget,
    plan.arms.map(({ name }, a) => ({ name, runs: (summaries[a] ?? []).filter((one) => one !== null) })),
  );
  const sentences = whole === 0 ? [] : sentencesOf(results, planned, comparison.difference, spokenOf(study), short);
  return { ...results, sentences };
}

const neverReached = (measure: Measure, row: readonly (MemberSummary | null)[]): number =>
  measure.kind !== 'reaches'
    ? 0
    : row.filter((one) => one !== null && isValidated(one) && reaches(one, measure.score, measure.last) === null)
        .length;

function pairsOf(arms: number, reference: number, which: 'reference' | 'all'): [number, number][] {
  const all = Array.from({ length: arms }, (_, i) => i);
  if (which === 'reference') return all.filter((arm) => arm !== reference).map((arm) => [arm, reference]);
  return all.flatMap((a) => all.filter((b) => b < a).map((b): [number, number] => [a, b]));
}

/** 95 % t interval of a mean over seeds. */
function interval(values: readonly number[]): { low: number; high: number } {
  const half = (studentQuantile(0.975, values.length - 1) * deviation(values)) / Math.sqrt(values.length);
  return { low: mean(values) - half, high: mean(values) + half };
}

function cellOf(values: (number | null)[]): StudyCell {
  const some = values.filter((value) => value !== null);
  const none = { mean: null, low: null, high: null };
  if (some.length === 0) return { values, ...none };
  return some.length === 1
    ? { values, ...none, mean: some[0] ?? null }
    : { values, mean: mean(some), ...interval(some) };
}

export function headOf(measure: Measure): MeasureHead {
  switch (measure.kind) {
    case 'validation':
      return { label: l10n.t('validation at the end'), unit: 'share', higher: true };
    case 'gain':
      return { label: l10n.t('gain in validation'), unit: 'share', higher: true };
    case 'evaluation':
      return { label: l10n.t('benchmark, pass@1'), unit: 'share', higher: true };
    case 'band':
      return { label: l10n.t('epochs with p̂ in [{0}, {1}]', measure.low, measure.high), unit: 'share', higher: true };
    case 'difficulty':
      return {
        label: l10n.t('growth of {0} at the same p̂', measure.of ?? l10n.t('tasks')),
        unit: 'plain',
        higher: true,
      };
    case 'reaches':
      return {
        label: l10n.t('rollouts until validation is {0} %', fixed(100 * measure.score, 1)),
        unit: 'count',
        higher: false,
      };
  }
}

export const unitOf = ({ unit }: MeasureHead, difference: boolean): string =>
  unit === 'share' ? (difference ? ` ${l10n.t('points')}` : ' %') : unit === 'count' ? ` ${l10n.t('rollouts')}` : '';

export const saidP = (p: number): string => (p < 0.001 ? '< 0.001' : `= ${fixed(p, 3)}`);

const saidComparisons = (number: number): string =>
  number === 1 ? l10n.t('1 comparison') : l10n.t('{0} comparisons', number);

/** Comparisons that are not shown and have a sentence each; of more there is one sentence, and the table. */
const mostUnshown = 6;

/** The reach of an interval over seeds. */
function spokenOf({ bySeed }: Study): string {
  const fields = Object.keys(bySeed);
  if (fields.length === 0) return l10n.t('they speak of other seeds of this base, not of other tasks or models.');
  const list = new Intl.ListFormat('en').format(fields);
  return l10n.t(
    'each seed has its own {0}, so that they speak of others drawn as these were, and of nothing else that is fixed.',
    list,
  );
}

/**
 * @param planned comparisons of the whole family
 * @param spoken the reach of the intervals
 * @param short of runs that did not spend the budget
 */
function sentencesOf(
  results: Omit<StudyResults, 'sentences'>,
  planned: number,
  matters: number,
  spoken: string,
  short: readonly string[],
): string[] {
  const { arms, measures, comparisons, level, test, family, racing } = results;
  const say = (index: number): string => arms[index]?.name ?? '';
  const sentenceOf = (one: ComparisonResult): string => {
    const head = measures[one.measure];
    if (head === undefined) return '';
    const figures = l10n.t(
      '{0} over {1} seeds, p {2}, after Holm’s correction {3}',
      `${saidValue(one.difference, head)} ${ends(saidValue(one.low, head), saidValue(one.high, head))}${unitOf(head, true)}`,
      one.pairs,
      saidP(one.p),
      saidP(one.adjusted),
    );
    if (one.adjusted <= level) {
      const facts = [head.label, say(one.arm), say(one.against), figures];
      return one.difference > 0 === head.higher
        ? l10n.t('{0}: {1} is better than {2} ({3}).', ...facts)
        : l10n.t('{0}: {1} is worse than {2} ({3}).', ...facts);
    }
    const power =
      one.power === null
        ? ''
        : ` ${l10n.t(
            'These seeds would have shown a true difference of {0} with a chance of {1} %{2}.',
            `${saidValue(matters, head)}${unitOf(head, true)}`,
            fixed(100 * one.power, 0),
            moreSeeds(one),
          )}`;
    const shown = l10n.t(
      '{0}: a difference between {1} and {2} is not shown ({3}).',
      head.label,
      say(one.arm),
      say(one.against),
      figures,
    );
    return `${shown}${power}`;
  };
  const shown = comparisons.filter(({ adjusted }) => adjusted <= level);
  const unshown = comparisons.filter(({ adjusted }) => adjusted > level);
  const tooFew = unshown.find(({ least }) => least > level / planned);
  const sentences = [
    ...shown.map(sentenceOf),
    ...(unshown.length > mostUnshown
      ? [l10n.t('{0} of {1} differences are not shown; the table has each.', unshown.length, comparisons.length)]
      : unshown.map(sentenceOf)),
    ...(tooFew === undefined
      ? []
      : [
          l10n.t(
            'With {0} seeds p cannot fall below {1}: too few seeds to show a difference among {2}.',
            tooFew.pairs,
            precise(tooFew.least, 2),
            planned === 1 ? l10n.t('one comparison') : l10n.t('{0} comparisons', planned),
          ),
        ]),
  ];
  const valueless = measures.filter((_, m) =>
    arms.every(({ cells }) => cells[m]?.values.every((value) => value === null) ?? true),
  );
  const unmeasured = results.finished === 0 ? [] : valueless.map(({ label }) => label);
  const notes = [
    ...unmeasured.map((label) => l10n.t('No finished run has the measure “{0}”.', label)),
    ...measures.flatMap(({ label }, m) =>
      unmeasured.includes(label)
        ? []
        : arms
            .filter(({ finished, cells }) => finished > 0 && cells[m]?.values.every((value) => value === null) === true)
            .map(({ name }) => l10n.t('No finished run of {0} has the measure “{1}”.', name, label)),
    ),
    ...(comparisons.length === 0 && unmeasured.length === measures.length
      ? []
      : comparisons.length === 0
        ? [l10n.t('Nothing can be said yet: a comparison needs two seeds that both of its arms have finished.')]
        : [
            l10n.t(
              'Tests are two-sided {0} tests of differences paired by seed; Holm’s correction is over {1}. Intervals are 95 % t intervals over seeds: {2}',
              test,
              family,
              spoken,
            ),
          ]),
    ...short,
    ...(racing === null
      ? []
      : [
          racing === 'halving'
            ? l10n.t(
                'Arms were raced by successive halving: stopping an arm is not a test, and the arms that continued were chosen on the measure they are compared on, so their lead is overestimated.',
              )
            : l10n.t(
                'Arms were raced by a sequential test (e-values of a t test): its decision is valid at the moment it stopped; the tests here do not account for the stopping.',
              ),
        ]),
    ...arms.flatMap(({ name, dropped: why }) => (why === null ? [] : [`${name}: ${why}`])),
    ...(results.finished < results.runs
      ? [
          l10n.t(
            '{0} of {1} runs are finished: what is missing may change every figure.',
            results.finished,
            results.runs,
          ),
        ]
      : []),
  ];
  return [...sentences, ...notes];
}

const moreSeeds = ({ seedsFor: needed, pairs }: ComparisonResult): string =>
  needed === null
    ? `; ${l10n.t('{0} seeds would not be enough', mostSeeds)}`
    : needed > pairs
      ? `; ${l10n.t('{0} more would make it 80 %', needed - pairs)}`
      : '';
