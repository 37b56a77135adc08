/** One plain sentence for each chart: its message, and its whole content for a screen reader. Pure. */
import * as l10n from '@vscode/l10n';
import type { Teaching } from '../../src/shared/report/teaching.ts';
import { bandDetails, bandName, bandStretches, type BandStretch } from '../../src/engine/math/bandCount.ts';
import type { SuccessRate } from '../../src/shared/journal/scores.ts';
import type { EpochRow, EvaluationRow, PairedChange, ReportData, ValidationRow } from '../../src/shared/report/data.ts';
import { measureNote } from '../../src/shared/report/measureNote.ts';
import { duration } from '../../src/shared/text/figures/durations.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { count, fixed, measure, number, plural, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent, points } from '../../src/shared/text/figures/shares.ts';

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
  if (between === null) return l10n.t('No epoch has been measured yet.');
  const { inside, measured, stretches } = epochsInBand(epochs);
  const band = bandName(stretches);
  const { first, last } = between;
  if (measured === 1)
    return inside === 1
      ? l10n.t('Mean p̂ was {0} in epoch {1}, inside {2}.', rate(last.value), last.epoch, band)
      : l10n.t('Mean p̂ was {0} in epoch {1}, outside {2}.', rate(last.value), last.epoch, band);
  const details = bandDetails(stretches);
  return l10n.t(
    'Mean p̂ was {0} in epoch {1} and {2} in epoch {3}; it lay in {4} in {5} of {6}{7}.',
    ...[rate(first.value), first.epoch, rate(last.value), last.epoch, band, inside],
    plural(measured, l10n.t('epoch'), l10n.t('epochs')),
    details === '' ? '' : ` (${details})`,
  );
}

/** @param drawn how many of them the chart shows */
export function familiesReading(
  { epoch, spread, teaching }: Pick<EpochRow, 'epoch' | 'spread' | 'teaching'>,
  drawn: number,
): string {
  if (spread === null) return l10n.t('Epoch {0} has no measured families.', epoch);
  const { tooHard, inBand, tooEasy, lowest, highest } = spread;
  const measured = tooHard + inBand + tooEasy;
  return (
    l10n.t(
      'Epoch {0}: of {1}{2}, {3} too hard, {4} in the band, {5} too easy; p̂ from {6} to {7}.',
      epoch,
      plural(measured, l10n.t('family'), l10n.t('families')),
      drawn < measured ? l10n.t(' ({0} of them are drawn)', count(drawn)) : '',
      ...[count(tooHard), count(inBand), count(tooEasy)],
      ...[rate(lowest), rate(highest)],
    ) + (teaching === undefined ? '' : ` ${teachingReading(teaching)}`)
  );
}

/** How much the tasks can teach, and whether R_env of their families is more than noise. */
function teachingReading({ tasks, mixed, learnability, reliability }: Teaching): string {
  const told = l10n.t(
    '{0} of {1} teach: their attempts differ in reward (p(1 − p) per task {2}, without bias).',
    ...[percent(mixed), ofTasks(tasks), fixed(learnability, 3)],
  );
  if (reliability === null) return told;
  return `${told} ${l10n.t('Reliability of R_env over halves of each family: {0}.', rate(Math.max(0, reliability)))}`;
}

const ofTasks = (n: number): string => plural(n, l10n.t('task'), l10n.t('tasks'));

const ofStart = (epoch: number): string => (epoch === 0 ? l10n.t('at the start') : l10n.t('after epoch {0}', epoch));

function changeReading({ single, gained, lost, difference, low, high }: PairedChange): string {
  const figures = [ofTasks(gained), lost, points(difference), points(low), points(high)];
  return single
    ? l10n.t('{0} gained, {1} lost, {2} points (95 % interval {3} to {4}).', ...figures)
    : l10n.t('{0} solved more often, {1} less often, {2} points (95 % interval {3} to {4}).', ...figures);
}

/** The measurement that the last one is compared with, which is maybe itself. */
export const baselineOf = <T extends ValidationRow | EvaluationRow>(rows: readonly T[], last: T): T =>
  rows.find(({ epoch }) => epoch === last.against) ?? last;

export function validationReading(rows: readonly ValidationRow[]): string {
  const last = rows.at(-1);
  if (last === undefined) return l10n.t('The agent was never validated.');
  const first = baselineOf(rows, last);
  const told = ({ p }: SuccessRate): string => (p === null ? l10n.t('not measured') : rate(p));
  const before = l10n.t('Success on held-out tasks was {0} {1}', told(first.successRate), ofStart(first.epoch));
  const course = courseOfMeasures(before, last === first ? null : told(last.successRate), last);
  const unpaired =
    last.unpaired === 'attempts'
      ? ` ${l10n.t('An older version did not journal how often each task was solved, so that they are not compared task by task.')}`
      : '';
  if (last.truncated === null || last.truncated === 0) return course + unpaired;
  return `${course}${unpaired} ${l10n.t('Answers cut off at their length (rollouts.maxTokens): {0}.', count(last.truncated))}`;
}

/** @param now the newest measure; null where it is the only one */
function courseOfMeasures(before: string, now: string | null, last: ValidationRow | EvaluationRow): string {
  const note = last.measure === null ? '' : ` ${measureNote(last.measure)}`;
  if (now === null) return l10n.t('{0}; it was measured only once.', before) + note;
  const after = l10n.t('{0} and {1} after epoch {2}', before, now, last.epoch);
  return (last.change === null ? `${after}.` : `${after}: ${changeReading(last.change)}`) + note;
}

export function evaluationReading(rows: readonly EvaluationRow[]): string {
  const last = rows.at(-1);
  if (last === undefined) return l10n.t('The agent was not evaluated on a benchmark.');
  const first = baselineOf(rows, last);
  const one = ({ pass }: EvaluationRow): string => {
    const { value, low, high } = pass[0] ?? { value: null, low: 0, high: 1 };
    return value === null ? l10n.t('not measured') : `${rate(value)} (${interval(low, high)})`;
  };
  const before = l10n.t(
    'On {0} of {1} pass@1 was {2} {3}',
    ...[ofTasks(first.tasks), first.benchmark, one(first), ofStart(first.epoch)],
  );
  return [courseOfMeasures(before, last === first ? null : one(last), last), ...evaluationNotes(last)].join(' ');
}

/** Parts of the benchmark that its figures leave out, in sentences. */
function evaluationNotes({ tasks, attempts, of, whole, answered, truncated }: EvaluationRow): string[] {
  return [
    ...(of === null || of === tasks ? [] : [l10n.t('The tasks are a sample of {0}.', ofTasks(of))]),
    ...(whole === false ? [l10n.t('The benchmark’s data is not as its authors say.')] : []),
    ...(answered === null
      ? []
      : [
          l10n.t(
            'What was not answered counts as wrong: {0} answered, {1} of them right.',
            plural(answered.attempts, l10n.t('attempt'), l10n.t('attempts')),
            answered.attempts === 0 ? l10n.t('none') : rate(answered.successes / answered.attempts),
          ),
        ]),
    ...(truncated === null || truncated === 0
      ? []
      : [
          l10n.t(
            '{0} of {1} attempts were cut off at their length (rollouts.maxTokens).',
            count(truncated),
            count(tasks * attempts),
          ),
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
  if (all === 0) return l10n.t('No group of attempts was used.');
  return l10n.t(
    '{0} of {1} groups had attempts of different reward and could teach the agent; {2} were rewarded alike and solved, {3} rewarded alike and not solved.',
    ...[percent(taught / all), count(all), percent(solved / all), percent(hopeless / all)],
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
      first.epoch === last.epoch
        ? format(last.value)
        : l10n.t('from {0} to {1}', format(first.value), format(last.value));
    return [`${name} ${range}${unit === '' ? '' : ` ${unit}`}`];
  });
  const between = ends(epochs, ({ epoch }) => epoch);
  if (told.length === 0 || between === null) return l10n.t('Not measured.');
  const { first, last } = between;
  const course = told.join('; ');
  return first.value === last.value
    ? l10n.t('Epoch {0}: {1}.', first.value, course)
    : l10n.t('Epoch {0} to {1}: {2}.', first.value, last.value, course);
}

export function updateReading(epochs: readonly EpochRow[], caps: ReportData['caps']): string {
  const updated = epochs.filter(({ environment }) => environment.steps !== null);
  const capped = updated.filter(({ environment }) => environment.stoppedBy !== 'end').length;
  const told = l10n.t(
    '{0} of {1} stopped early at a cap',
    capped,
    plural(updated.length, l10n.t('environment update'), l10n.t('environment updates')),
  );
  const { update } = caps;
  const since = caps.since.update;
  if (since === null) {
    return update === null
      ? l10n.t('{0}; for one update no cap is set.', told)
      : l10n.t('{0}; for one update the cap is {1} nats per token.', told, number(update));
  }
  return update === null
    ? l10n.t('{0}; for one update no cap is set since epoch {1}, and one was before.', told, since)
    : l10n.t(
        '{0}; for one update the cap is {1} nats per token, but only since epoch {2}.',
        told,
        number(update),
        since,
      );
}

export function keptReading(epochs: readonly EpochRow[], trained: boolean): string {
  const scored = epochs.filter(({ successRate }) => successRate !== null);
  const average = (value: (row: EpochRow) => number): number =>
    scored.reduce((sum, row) => sum + value(row), 0) / Math.max(1, scored.length);
  const skipped = epochs.filter(({ environment }) => environment.skipped !== null).length;
  const made = epochs.filter(({ environment }) => environment.steps !== null).length;
  const kept = measure(average(({ familiesKept }) => familiesKept));
  const of = measure(average(({ families }) => families));
  if (!trained)
    return l10n.t(
      'On average the filter would have kept {0} of {1} families; the environment is frozen, so none taught it.',
      kept,
      of,
    );
  return l10n.t(
    'On average the filter kept {0} of {1} families, an effective sample size of {2}; {3} made, {4} skipped.',
    ...[kept, of, measure(average(({ effectiveSampleSize }) => effectiveSampleSize ?? 0))],
    plural(made, l10n.t('update'), l10n.t('updates')),
    skipped,
  );
}

export function rejectionReading(epochs: readonly EpochRow[]): string {
  const written = epochs.reduce((sum, row) => sum + row.written, 0);
  const accepted = epochs.reduce((sum, row) => sum + row.accepted, 0);
  if (written === 0) return l10n.t('The environment wrote nothing.');
  const [worst] = rejectionTotals(epochs);
  const most =
    worst === undefined
      ? l10n.t('none was rejected')
      : l10n.t('most rejections: {0} ({1})', worst.cause, count(worst.total));
  return l10n.t('Of {0} texts written, {1} became tasks; {2}.', count(written), percent(accepted / written), most);
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
  if (longest === undefined || sum === 0) return l10n.t('No times were recorded.');
  return l10n.t(
    '{0} in all; the longest phase is “{1}” with {2} of the time spent in phases.',
    ...[duration(total), longest.label, percent(longest.seconds / sum)],
  );
}
