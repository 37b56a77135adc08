/** One plain sentence for each chart: its message, and its whole content for a screen reader. Pure. */
import type { Teaching } from '../../src/shared/report/teaching.ts';
import { bandDetails, bandName, bandStretches, type BandStretch } from '../../src/engine/math/bandCount.ts';
import type { SuccessRate } from '../../src/shared/journal/scores.ts';
import type { EpochRow, EvaluationRow, ReportData, ValidationRow } from '../../src/shared/report/data.ts';
import { count, duration, interval, measure, number, percent, plural, rate, signed } from '../charts/format.ts';

/** Stretches of epochs with the same band, and how often the mean p̂ of their epochs lay in it. */
export function epochsInBand(epochs: readonly EpochRow[]): {
  inside: number;
  measured: number;
  stretches: BandStretch[];
} {
  const stretches = bandStretches(
    epochs.flatMap(({ epoch, successRate, curriculum: { alpha, kMin } }) =>
      successRate?.p == null ? [] : [{ epoch, p: successRate.p, alpha, kMin }],
    ),
  );
  const total = (part: 'inside' | 'measured'): number => stretches.reduce((sum, stretch) => sum + stretch[part], 0);
  return { inside: total('inside'), measured: total('measured'), stretches };
}

/** First and last epoch with a value. */
export function ends<T>(
  epochs: readonly EpochRow[],
  value: (row: EpochRow) => T | null,
): { first: { epoch: number; value: T }; last: { epoch: number; value: T } } | null {
  const known = epochs.flatMap((row) => {
    const found = value(row);
    return found === null ? [] : [{ epoch: row.epoch, value: found }];
  });
  const [first] = known;
  const last = known.at(-1);
  return first === undefined || last === undefined ? null : { first, last };
}

export function calibrationReading(epochs: readonly EpochRow[]): string {
  const between = ends(epochs, ({ successRate }) => successRate?.p ?? null);
  if (between === null) return 'No epoch has been measured yet.';
  const { inside, measured, stretches } = epochsInBand(epochs);
  const band = bandName(stretches);
  if (measured === 1) {
    const where = inside === 1 ? 'inside' : 'outside';
    return `Mean p̂ was ${rate(between.last.value)} in epoch ${between.last.epoch}, ${where} ${band}.`;
  }
  const details = bandDetails(stretches);
  return (
    `Mean p̂ was ${rate(between.first.value)} in epoch ${between.first.epoch} and ${rate(between.last.value)} in epoch ` +
    `${between.last.epoch}; it lay in ${band} in ${inside} of ${plural(measured, 'epoch')}` +
    `${details === '' ? '' : ` (${details})`}.`
  );
}

/** @param drawn how many of them the chart shows */
export function familiesReading(
  { epoch, spread, teaching }: Pick<EpochRow, 'epoch' | 'spread' | 'teaching'>,
  drawn: number,
): string {
  if (spread === null) return `Epoch ${epoch} has no measured families.`;
  const { tooHard, inBand, tooEasy, lowest, highest } = spread;
  const measured = tooHard + inBand + tooEasy;
  const some = drawn < measured ? ` (${count(drawn)} of them are drawn)` : '';
  return (
    `Epoch ${epoch}: of ${plural(measured, 'family', 'families')}${some}, ${count(tooHard)} too hard, ` +
    `${count(inBand)} in the band, ${count(tooEasy)} too easy; p̂ from ${rate(lowest)} to ${rate(highest)}.` +
    (teaching === undefined ? '' : ` ${teachingReading(teaching)}`)
  );
}

/** How much the tasks can teach, and whether R_env of their families is more than noise. */
function teachingReading({ tasks, mixed, learnability, reliability }: Teaching): string {
  const share = `${Math.round(100 * mixed)} % of ${plural(tasks, 'task')}`;
  const told =
    `${share} teach: some attempts solve them and some do not (p(1 − p) per task ${learnability.toFixed(3)}, ` +
    'without bias).';
  if (reliability === null) return told;
  return `${told} Reliability of R_env over halves of each family: ${rate(Math.max(0, reliability))}.`;
}

export function validationReading(rows: readonly ValidationRow[]): string {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return 'The agent was never validated.';
  const start = first.epoch === 0 ? 'at the start' : `after epoch ${first.epoch}`;
  const told = ({ p }: SuccessRate): string => (p === null ? 'not measured' : rate(p));
  const before = `Success on held-out tasks was ${told(first.successRate)} ${start}`;
  if (first === last) return `${before}; it was measured only once.`;
  const after = `${before} and ${told(last.successRate)} after epoch ${last.epoch}`;
  if (last.change === null) return `${after}.`;
  const { gained, lost, difference, low, high } = last.change;
  return (
    `${after}: ${plural(gained, 'task')} gained, ${lost} lost, ${signed(100 * difference, 1)} points ` +
    `(95 % interval ${signed(100 * low, 1)} to ${signed(100 * high, 1)}).`
  );
}

export function evaluationReading(rows: readonly EvaluationRow[]): string {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return 'The agent was not evaluated on a benchmark.';
  const one = ({ pass }: EvaluationRow): string => {
    const { value, low, high } = pass[0] ?? { value: null, low: 0, high: 1 };
    return value === null ? 'not measured' : `${rate(value)} (${interval(low, high)})`;
  };
  const notes = evaluationNotes(last)
    .map((note) => ` ${note}`)
    .join('');
  const when = ({ epoch }: EvaluationRow): string => (epoch === 0 ? 'at the start' : `after epoch ${epoch}`);
  const before = `On ${plural(first.tasks, 'task')} of ${first.benchmark} pass@1 was ${one(first)} ${when(first)}`;
  if (first === last) return `${before}; it was measured only once.${notes}`;
  const after = `${before} and ${one(last)} ${when(last)}`;
  if (last.change === null) return `${after}.${notes}`;
  const { gained, lost, difference, low, high } = last.change;
  return (
    `${after}: ${plural(gained, 'task')} gained, ${lost} lost, ${signed(100 * difference, 1)} points ` +
    `(95 % interval ${signed(100 * low, 1)} to ${signed(100 * high, 1)}).${notes}`
  );
}

/** Parts of the benchmark that its figures leave out, in sentences. */
function evaluationNotes({ tasks, of, whole, answered }: EvaluationRow): string[] {
  return [
    ...(of === null || of === tasks ? [] : [`The tasks are a sample of ${plural(of, 'task')}.`]),
    ...(whole === false ? ['The benchmark’s data is not as its authors say.'] : []),
    ...(answered === null
      ? []
      : [
          `What was not answered counts as wrong: ${plural(answered.attempts, 'attempt')} answered, ` +
            `${answered.attempts === 0 ? 'none' : rate(answered.successes / answered.attempts)} of them right.`,
        ]),
  ];
}

export function groupsReading(epochs: readonly EpochRow[]): string {
  let [taught, all, solved, hopeless] = [0, 0, 0, 0];
  for (const { groups } of epochs) {
    if (groups === null) continue;
    taught += groups.trained;
    solved += groups.solved;
    hopeless += groups.hopeless;
    all += groups.solved + groups.hopeless + groups.trained + groups.broken;
  }
  if (all === 0) return 'No group of attempts was used.';
  return (
    `${percent(taught / all)} of ${count(all)} groups had solved and unsolved attempts and could teach the agent; ` +
    `${percent(solved / all)} were all solved, ${percent(hopeless / all)} not once.`
  );
}

export interface CoursePart {
  name: string;
  unit: string;
  value: (row: EpochRow) => number | null;
  format?: (value: number) => string;
}

/** `Tasks went from 41 tokens in epoch 1 to 38 in epoch 40; …` */
export function courseReading(epochs: readonly EpochRow[], parts: readonly CoursePart[]): string {
  const told = parts.flatMap(({ name, unit, value, format = measure }) => {
    const between = ends(epochs, value);
    if (between === null) return [];
    const { first, last } = between;
    const range =
      first.epoch === last.epoch ? format(last.value) : `from ${format(first.value)} to ${format(last.value)}`;
    return [`${name} ${range}${unit === '' ? '' : ` ${unit}`}`];
  });
  const between = ends(epochs, ({ epoch }) => epoch);
  if (told.length === 0 || between === null) return 'Not measured.';
  const { first, last } = between;
  const span = first.value === last.value ? `Epoch ${first.value}` : `Epoch ${first.value} to ${last.value}`;
  return `${span}: ${told.join('; ')}.`;
}

export function updateReading(epochs: readonly EpochRow[], caps: ReportData['caps']): string {
  const updated = epochs.filter(({ environment }) => environment.steps !== null);
  const capped = updated.filter(({ environment }) => environment.stoppedBy !== 'end').length;
  const cap = caps.update === null ? 'no cap is set' : `the cap is ${number(caps.update)} nats per token`;
  return `${capped} of ${plural(updated.length, 'environment update')} stopped early at a cap; for one update ${cap}.`;
}

export function keptReading(epochs: readonly EpochRow[], trained: boolean): string {
  const scored = epochs.filter(({ successRate }) => successRate !== null);
  const average = (value: (row: EpochRow) => number): number =>
    scored.reduce((sum, row) => sum + value(row), 0) / Math.max(1, scored.length);
  const skipped = epochs.filter(({ environment }) => environment.skipped !== null).length;
  const made = epochs.filter(({ environment }) => environment.steps !== null).length;
  const kept =
    `${measure(average(({ familiesKept }) => familiesKept))} of ` +
    `${measure(average(({ families }) => families))} families`;
  if (!trained) return `On average the filter would have kept ${kept}; the environment is frozen, so none taught it.`;
  return (
    `On average the filter kept ${kept}, an effective sample size of ` +
    `${measure(average(({ effectiveSampleSize }) => effectiveSampleSize ?? 0))}; ` +
    `${plural(made, 'update')} made, ${skipped} skipped.`
  );
}

export function rejectionReading(epochs: readonly EpochRow[]): string {
  const written = epochs.reduce((sum, row) => sum + row.written, 0);
  const accepted = epochs.reduce((sum, row) => sum + row.accepted, 0);
  if (written === 0) return 'The environment wrote nothing.';
  const [worst] = rejectionTotals(epochs);
  const most = worst === undefined ? 'none was rejected' : `most rejections: ${worst.cause} (${count(worst.total)})`;
  return `Of ${count(written)} texts written, ${percent(accepted / written)} became tasks; ${most}.`;
}

/** Rejections by cause over all epochs, most frequent first. */
export function rejectionTotals(epochs: readonly EpochRow[]): { cause: string; total: number }[] {
  const totals = new Map<string, number>();
  for (const { rejected } of epochs) {
    for (const [cause, n] of Object.entries(rejected)) totals.set(cause, (totals.get(cause) ?? 0) + n);
  }
  return [...totals]
    .map(([cause, total]) => ({ cause, total }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || a.cause.localeCompare(b.cause));
}

export function timeReading(total: number, phases: readonly { label: string; seconds: number }[]): string {
  const sum = phases.reduce((all, { seconds }) => all + seconds, 0);
  const [longest] = [...phases].sort((a, b) => b.seconds - a.seconds);
  if (longest === undefined || sum === 0) return 'No times were recorded.';
  return `${duration(total)} in all; the longest phase is “${longest.label}” with ${percent(longest.seconds / sum)} of the time spent in phases.`;
}
