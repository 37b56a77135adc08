/** The data of a study’s report, with as many points in the lines of seeds as there is room for. */
import type { StudyCourse, StudyCurve, StudyResults } from '../contract/page.ts';
import { studyReportVersion, type StudyReportData } from '../contract/report.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

export type StudyReportFacts = Pick<StudyReportData, 'files' | 'versions' | 'madeAt'>;

/** Points a line of a seed may have, tried one after another; none at the end. */
export const reportPoints: readonly number[] = [Infinity, 240, 120, 60, 30, 0];

/** @param points of a seed's line; tables, sentences, means and bands stay whole */
export function studyReportData(results: StudyResults, facts: StudyReportFacts, points: number): StudyReportData {
  const { validation, successRate } = results.courses;
  const courses = { validation: thinned(validation, points), successRate: thinned(successRate, points) };
  return {
    ...{ version: studyReportVersion, ...facts },
    results: { ...results, courses },
    thinned: points === Infinity ? null : leftOut(points),
  };
}

const leftOut = (points: number): string =>
  points === 0
    ? 'The lines per seed are left out for the size of this file; means and bands are of every seed.'
    : `The lines per seed are drawn with ${points} points each for the size of this file; means and bands are of all points.`;

const thinned = ({ bands, seeds }: StudyCourse, points: number): StudyCourse => ({
  bands,
  seeds: points === 0 ? [] : seeds.map((row) => row.map((curve) => (curve === null ? null : fewer(curve, points)))),
});

/** The first and the last stay. */
function fewer({ rollouts, values }: StudyCurve, points: number): StudyCurve {
  if (rollouts.length <= points) return { rollouts, values };
  const places = Array.from({ length: points }, (_, i) => Math.round((i * (rollouts.length - 1)) / (points - 1)));
  return { rollouts: places.map((i) => rollouts[i] ?? outOfRange()), values: places.map((i) => values[i] ?? null) };
}
