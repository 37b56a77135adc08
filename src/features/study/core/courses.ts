/** Courses of runs over their rollouts: an arm's mean with its interval over seeds, and each seed's own line. */
import { largest } from '../../../shared/extremes.ts';
import type { MemberSummary } from '../contract/file.ts';
import type { StudyBand, StudyCourse, StudyCurve } from '../contract/page.ts';
import { deviation, mean } from '../../../engine/math/paired/tests.ts';
import { studentQuantile } from '../../../engine/math/paired/student.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Places along the rollouts at which seeds are averaged. */
const places = 60;
/** More runs than this are drawn by their means alone. */
const mostLines = 200;

export function courseOf(
  summaries: readonly (readonly (MemberSummary | null)[])[],
  curve: (summary: MemberSummary) => StudyCurve,
): StudyCourse {
  const seeds = summaries.map((row) => row.map((one) => (one === null ? null : curve(one))));
  const runs = seeds.reduce((sum, row) => sum + row.filter((one) => one !== null).length, 0);
  return { bands: seeds.map(bandOf), seeds: runs > mostLines ? [] : seeds };
}

/** No mean where only some seeds have arrived: it would jump when a seed ends. */
function bandOf(row: readonly (StudyCurve | null)[]): StudyBand {
  const curves = row.filter((one) => one !== null && one.rollouts.length > 0);
  const band: StudyBand = { rollouts: [], mean: [], low: [], high: [] };
  const ends = curves.flatMap((one) => (one === null ? [] : [one.rollouts.at(-1) ?? 0]));
  const end = -largest(ends.map((value) => -value));
  if (ends.length === 0 || end <= 0) return band;
  for (let i = 0; i <= places; i++) {
    const at = (end * i) / places;
    const values = curves.flatMap((one) => {
      const value = one === null ? null : valueAt(one, at);
      return value === null ? [] : [value];
    });
    const whole = values.length === curves.length;
    const centre = whole ? mean(values) : null;
    const half =
      centre !== null && values.length > 1
        ? (studentQuantile(0.975, values.length - 1) * deviation(values)) / Math.sqrt(values.length)
        : null;
    band.rollouts.push(Math.round(at));
    band.mean.push(centre);
    band.low.push(centre === null || half === null ? null : centre - half);
    band.high.push(centre === null || half === null ? null : centre + half);
  }
  return band;
}

/** On the straight line between neighbours; null before the first. */
function valueAt({ rollouts, values }: StudyCurve, at: number): number | null {
  const next = rollouts.findIndex((one) => one >= at);
  if (next === -1) return null;
  const [x1, y1] = [rollouts[next] ?? outOfRange(), values[next] ?? null];
  if (x1 === at || next === 0) return x1 === at ? y1 : null;
  const [x0, y0] = [rollouts[next - 1] ?? outOfRange(), values[next - 1] ?? null];
  return y0 === null || y1 === null ? null : y0 + ((y1 - y0) * (at - x0)) / (x1 - x0);
}
