import assert from 'node:assert/strict';
import { scoreTable } from '../../../src/benchmarks/evaluate/scoreTable.ts';
import { comparisonLines, evaluationLines } from '../../../src/cli/show/evaluation.ts';
import type { Evaluation } from '../../../src/launch/evaluate/evaluate.ts';

const outcome = (task: string, category: string, successes: number) => ({
  ...{ task, category, attempts: 2, successes, parts: {}, errors: 0 },
});

const evaluation: Evaluation = {
  folder: '/somewhere',
  settings: {
    ...{ benchmark: 'BFCL', rule: 'bfcl', splits: ['parallel', 'multiple'], sample: 3, seed: 7, attempts: 2 },
    ...{ temperature: 0.7, maxTokens: 9, policy: { source: 'mine', version: 'agent@3' }, tasks: 3, digest: '' },
  },
  outcomes: [outcome('a', 'parallel', 1), outcome('b', 'parallel', 2), outcome('c', 'multiple', 0)],
  problems: [],
  partial: [{ name: 'parallel', files: 1, missing: [], records: 150, fit: 150, expected: 200 }],
  tokens: 12_345,
  unanswered: { count: 2, causes: [{ cause: 'It was busy.', count: 2 }] },
};

describe('an evaluation in words', () => {
  it('has pass@k with intervals, totals, what is missing, and what the paper reports', () => {
    const text = evaluationLines(evaluation, scoreTable(evaluation.outcomes, 'bfcl', [1, 2]), 120).join('\n');
    assert.match(text, /^BFCL: agent@3 \(mine\), 3 tasks, a sample by seed 7, 2 attempts each at temperature 0\.7\n/);
    assert.match(text, /^category +tasks +right +pass@1 \[95 %\] +pass@2 \[95 %\]$/m);
    assert.match(text, /^parallel +2 +3\/4 +75\.0 % \[\d+\.\d, \d+\.\d\] +100\.0 % \[\d+\.\d, 100\.0\]$/m);
    assert.match(text, /^all +3 +3\/6 +50\.0 %/m);
    assert.match(text, /^non-live: N\/A, not run: simple_python, simple_java, simple_javascript, parallel_multiple$/m);
    assert.match(text, /^2 attempts not answered, and not counted: It was busy\. \(2\)$/m);
    assert.match(text, /^The data is not whole: parallel: 150 of 150 records fit, .+there are 200$/m);
    assert.match(text, /^12,345 tokens of prompts and answers$/m);
    assert.match(text, /^Paper-reported on BFCL, % \(arXiv 2512\.19682, Table 1; .+\):\n {2}GenEnv 7B 41\.8 · /m);
  });

  it('says which model judged', () => {
    const settings = { ...evaluation.settings, judge: { source: 'theirs', version: 'agent@0 1f' } };
    const text = evaluationLines({ ...evaluation, settings }, scoreTable([], 'bamboogle', [1]), 120).join('\n');
    assert.match(text, /^What is right was judged by agent@0 1f \(theirs\)$/m);
  });

  it('compares by a method that is said', () => {
    const common = { tasks: 10, unshared: 1, first: 0.5, second: 0.4, difference: -0.1, low: -0.3, high: 0.1 };
    const mcnemar = comparisonLines({ ...common, method: 'mcnemar', p: 0.625, gained: 1, lost: 2 }).join('\n');
    assert.match(mcnemar, /^10 tasks of both; 1 task of one alone left out$/m);
    assert.match(mcnemar, /^B − A: −10\.0 points, 95 % \[−30\.0, \+10\.0\]\n1 gained, 2 lost: p = 0\.63 \(McNemar/m);
    assert.match(comparisonLines({ ...common, method: 'bootstrap' }).join('\n'), /bootstrap over tasks/);
  });
});
