import assert from 'node:assert/strict';
import { reportPoints, studyReportData } from '../../../../src/features/study/core/report.ts';
import { syntheticStudy } from '../../../support/study/syntheticStudy.ts';

const facts = { files: [], versions: [], madeAt: 1 };

describe('the data of a study’s report', () => {
  it('are the results themselves where there is room', () => {
    const results = syntheticStudy();
    assert.deepEqual(studyReportData(results, facts, Infinity), { version: 1, ...facts, results, thinned: null });
  });

  it('thin the lines of seeds alone, keep their ends, and say so', () => {
    const results = syntheticStudy();
    const { results: thin, thinned } = studyReportData(results, facts, 5);
    const [whole, line] = [results, thin].map(({ courses }) => courses.validation.seeds[1]?.[2]);
    assert.equal(line?.rollouts.length, 5);
    assert.deepEqual([line.rollouts[0], line.rollouts[4]], [whole?.rollouts[0], whole?.rollouts.at(-1)]);
    assert.deepEqual([line.values[0], line.values[4]], [whole?.values[0], whole?.values.at(-1)]);
    assert.deepEqual(thin.courses.validation.bands, results.courses.validation.bands);
    assert.deepEqual({ ...thin, courses: null }, { ...results, courses: null });
    assert.match(thinned ?? '', /5 points/);
  });

  it('leave them out at the end', () => {
    const { results, thinned } = studyReportData(syntheticStudy(), facts, reportPoints.at(-1) ?? NaN);
    assert.deepEqual(results.courses.validation.seeds, []);
    assert.match(thinned ?? '', /left out/);
  });
});
