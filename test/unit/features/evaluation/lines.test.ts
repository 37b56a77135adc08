import assert from 'node:assert/strict';
import { scoreTable } from '../../../../src/benchmarks/evaluate/scoreTable.ts';
import { comparisonLines, evaluationLines } from '../../../../src/features/evaluation/cli/showEvaluation.ts';
import type { Evaluation } from '../../../../src/features/evaluation/node/evaluate.ts';

const outcome = (task: string, category: string, successes: number) => ({
  ...{ task, category, asked: 2, attempts: 2, successes, parts: {}, checks: {}, errors: 0 },
});

const evaluation: Evaluation = {
  folder: '/somewhere',
  settings: {
    ...{ benchmark: 'BFCL', rule: 'bfcl', splits: ['parallel', 'multiple'], sample: 3, seed: 7, attempts: 2 },
    ...{ temperature: 0.7, maxTokens: 9, policy: { source: 'mine', version: 'agent@3' }, tasks: 3, digest: '' },
  },
  outcomes: [outcome('a', 'parallel', 1), outcome('b', 'parallel', 2), { ...outcome('c', 'multiple', 0), attempts: 0 }],
  problems: [],
  unofficial: [
    { kind: 'sample', tasks: 3, of: 400 },
    { kind: 'records', split: 'parallel', fit: 150, expected: 200 },
  ],
  unjudged: null,
  cutOff: 0,
  tokens: 12_345,
  unanswered: { count: 2, causes: [{ cause: 'It was busy.', count: 2 }] },
};

describe('an evaluation in words', () => {
  it('has pass@k with intervals, totals, what is missing, and what the paper reports', () => {
    const text = evaluationLines(
      evaluation,
      scoreTable(evaluation.outcomes, 'bfcl', [1, 2], evaluation.unofficial),
      120,
    ).join('\n');
    assert.match(text, /^BFCL: agent@3 \(mine\), 3 tasks, a sample by seed 7, 2 attempts each at temperature 0\.7\n/);
    assert.match(text, /^category +tasks +right +pass@1 \[95 %\] +pass@2 \[95 %\] +answered +of those$/m);
    assert.match(text, /^parallel +2 +3\/4 +75\.0 % \[\d+\.\d, \d+\.\d\] +100\.0 % \[\d+\.\d, 100\.0\] +4 +75\.0 %$/m);
    assert.match(text, /^multiple +1 +0\/2 +0\.0 % .+ 0 +–$/m);
    assert.match(text, /^all +3 +3\/6 +50\.0 % .+ 4 +75\.0 %$/m);
    assert.match(text, /^non-live: N\/A, not run: simple_python, simple_java, simple_javascript, parallel_multiple$/m);
    assert.match(text, /^2 attempts not answered, and wrong: It was busy\. \(2\); c$/m);
    assert.match(text, /^No official total: 3 tasks of 400, a sample; evaluate without --sample\.$/m);
    assert.match(text, /^No official total, the data is not whole: split parallel has 150 tasks, .+ say 200; see/m);
    assert.match(text, /^12,345 tokens of prompts and answers$/m);
    assert.match(
      text,
      /^The paper \(arXiv 2512\.19682, Table 1\) measured BFCL by another protocol, the long-context/m,
    );
    assert.doesNotMatch(text, /41\.8/, 'no figure of another protocol');
  });

  it('prints totals of whole benchmarks as their authors would, and tells equal causes once', () => {
    const one = (i: number, right: number) => ({
      ...{
        task: `q${i}`,
        category: 'test',
        asked: 1,
        attempts: right,
        successes: right,
        parts: {},
        checks: {},
        errors: 0,
      },
    });
    const outcomes = Array.from({ length: 125 }, (_, i) => one(i, Number(i < 10)));
    const cause = 'The prompt is too long for it.';
    const settings = { ...evaluation.settings, rule: 'bamboogle', sample: null, tasks: 125, attempts: 1 };
    const refused = { count: 115, causes: [{ cause, count: 110 }] };
    const whole: Evaluation = { ...evaluation, settings, outcomes, unofficial: [], unanswered: refused };
    const text = evaluationLines(whole, scoreTable(outcomes, 'bamboogle', [1]), 120).join('\n');
    assert.match(text, /^accuracy, as its authors compute it: 8\.0 %; of those answered 100\.0 %$/m);
    assert.match(
      text,
      /wrong: The prompt is too long for it\. \(110\); other causes \(5\); q10, q11, q12 and 112 more$/m,
    );
  });

  it('sets the paper’s figures beside the protocol that they were measured by', () => {
    const settings = { ...evaluation.settings, rule: 'toolrl' };
    const text = evaluationLines({ ...evaluation, settings }, scoreTable([], 'toolrl', [1]), 120).join('\n');
    assert.match(
      text,
      /^Paper-reported on API-Bank, % \(arXiv 2512\.19682, Table 1; as ToRL.+\):\n {2}GenEnv 7B 79\.1 · /m,
    );
  });

  it('tells answers of a file that answer nothing', () => {
    const idle = { unknown: 12, beyond: 1, examples: ['x', 'y', 'z'], replaced: 2 };
    const text = evaluationLines({ ...evaluation, idle }, scoreTable([], 'bfcl', [1]), 120).join('\n');
    assert.match(
      text,
      /^12 answers of the file under unknown ids, or of tasks that were not drawn: x, y, z and 9 more$/m,
    );
    assert.match(text, /^1 answer of the file to attempts that were not asked for: give --attempts$/m);
    assert.match(text, /^2 answers of the file replaced by another of the same id below$/m);
  });

  it('tells answers that were cut off', () => {
    const text = evaluationLines({ ...evaluation, cutOff: 3 }, scoreTable([], 'bfcl', [1]), 120).join('\n');
    assert.match(text, /^3 of \d+ answers? cut off at [\d,]+ tokens \(--max-tokens\)$/m);
  });

  it('says which model judged', () => {
    const settings = { ...evaluation.settings, judge: { source: 'theirs', version: 'agent@0 1f' } };
    const text = evaluationLines({ ...evaluation, settings }, scoreTable([], 'bamboogle', [1]), 120).join('\n');
    assert.match(text, /^What is right was judged by agent@0 1f \(theirs\)$/m);
  });

  it('compares by a method that is said', () => {
    const difference = { difference: -0.1, low: -0.3, high: 0.1 };
    const common = {
      ...{
        tasks: 10,
        unshared: 1,
        differing: 0,
        first: 0.5,
        second: 0.4,
        ...difference,
        unfinished: ['first' as const],
      },
      answered: { tasks: 6, first: 0.5, second: 1, difference: 0.5, low: 0.1, high: 0.9 },
    };
    const mcnemar = comparisonLines({ ...common, method: 'mcnemar', p: 0.625, gained: 1, lost: 2 }).join('\n');
    assert.match(mcnemar, /^10 tasks of both; 1 task of one alone left out$/m);
    assert.match(mcnemar, /^B − A: −10\.0 points, 95 % \[−30\.0, \+10\.0\]\n1 gained, 2 lost: p = 0\.63 \(McNemar/m);
    assert.match(
      mcnemar,
      /^What was not answered counts as wrong\. Of the 6 tasks that both answered: A 50\.0 %, B 100\.0 %/m,
    );
    assert.match(mcnemar, /^A has not come to its end: only what is there is compared; carry it on\.$/m);
    assert.match(comparisonLines({ ...common, method: 'bootstrap' }).join('\n'), /bootstrap over tasks/);
    const shifted = comparisonLines({ ...common, differing: 30, method: 'bootstrap' }).join('\n');
    assert.match(shifted, /^30 ids of both left out: another task in A than in B\nWarning: most ids/m);
  });
});
