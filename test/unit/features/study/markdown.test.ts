import assert from 'node:assert/strict';
import { resultLines } from '../../../../src/features/study/cli/resultLines.ts';
import { studyMarkdown } from '../../../../src/features/study/core/markdown.ts';
import type { StudyResults } from '../../../../src/features/study/contract/page.ts';
import { bytesOf } from '../../../support/cli.ts';

const results: StudyResults = {
  ...{ name: 'Which | *curriculum*', seeds: [1, 2, 3], runs: 6, finished: 5, level: 0.05, test: 'sign-flip' },
  budget: { kind: 'rollouts', amount: 5120 },
  measures: [
    { label: 'validation', unit: 'share', higher: true },
    { label: 'rollouts until 0.4', unit: 'count', higher: false },
  ],
  arms: [
    {
      ...{ name: 'genenv', of: 'genenv', point: {}, finished: 3, dropped: null },
      cells: [
        { values: [0.4, 0.41, 0.42], mean: 0.41, low: 0.385, high: 0.435 },
        { values: [100, 200, 5120], mean: 1806.6, low: null, high: null },
      ],
    },
    {
      ...{ name: 'a|b', of: 'a|b', point: {}, finished: 2, dropped: 'behind <after> round 1' },
      cells: [
        { values: [0.4, null, 0.3], mean: 0.35, low: -0.1, high: 0.8 },
        { values: [null, null, null], mean: null, low: null, high: null },
      ],
    },
  ],
  grid: {},
  comparisons: [
    {
      ...{ measure: 0, arm: 0, against: 1, pairs: 2, difference: 0.06, low: -0.01, high: 0.13, p: 0.5, exact: true },
      ...{ adjusted: 0.0004, least: 0.5, effect: -1.234, better: 1, power: 0.42, seedsFor: null },
    },
  ],
  family: '1 comparison on 2 measures',
  racing: 'halving',
  courses: { validation: { bands: [], seeds: [] }, successRate: { bands: [], seeds: [] } },
  never: [
    [0, 0],
    [1, 0],
  ],
  sentences: ['genenv is not shown to be better.'],
};

describe('a study as a page of documentation', () => {
  it('has every figure in tables, and nothing of a name is markup', () => {
    const lines = studyMarkdown(results);
    assert.deepEqual(lines.slice(0, 8), [
      '# Which \\| \\*curriculum\\*',
      '',
      '5 of 6 runs finished, 5,120 rollouts each; seeds 1, 2, 3.',
      '',
      'Racing: halving.',
      '',
      '- genenv is not shown to be better.',
      '',
    ]);
    assert.ok(lines.includes('| arm | runs | validation, % | rollouts until 0.4 |'));
    assert.ok(lines.includes('| --- | ---: | ---: | ---: |'));
    assert.ok(lines.includes('| genenv | 3/3 | 41.0 [38.5, 43.5] | 1,807 (1 never) |'), lines.join('\n'));
    assert.ok(lines.includes('| a\\|b (stopped: behind \\<after\\> round 1) | 2/3 | 35.0 [−10.0, 80.0] | – |'));
    const pair = lines.at(-1) ?? '';
    assert.match(
      pair,
      /^\| genenv − a\\\|b \| validation \| 6\.0 \[−1\.0, 13\.0\].* \| 0\.500 \| < 0\.001 \| −1\.23 \| 2\/2 \| 42 % \| – \|$/,
    );
    const widths = lines.filter((line) => line.startsWith('| ')).map((line) => line.split(/(?<!\\)\|/).length);
    assert.deepEqual([...new Set(widths)], [6, 11]);
  });
});

describe('a study in a terminal', () => {
  it('says which runs never reached a score, and which arms racing stopped', () => {
    const lines = resultLines(results, 100).map((line) => (typeof line === 'string' ? line : bytesOf(line)));
    const [head = -1] = lines.flatMap((line, i) => (line.includes('rollouts until 0.4') ? [i] : []));
    assert.match(lines[head + 1] ?? '', /^genenv +3\/3 +41\.0 \[38\.5, 43\.5\] +1,807 \(1 never\)$/);
    assert.match(lines[head + 2] ?? '', /^a\|b \(stopped: behind <after> round 1\) +2\/3 .* –$/);
  });
});
