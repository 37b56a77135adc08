import assert from 'node:assert/strict';
import { failureOf, problemLines, writeFailure } from '../../../src/cli/failure.ts';
import { UsageError } from '../../../src/cli/usageError.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { RunError, type RunErrorReason } from '../../../src/runs/store/runError.ts';
import type { Problem } from '../../../src/shared/experiment/problems/problem.ts';
import { fakeStream } from '../../support/cli.ts';

const problem: Problem = {
  file: 'a.genenv.json',
  line: 4,
  column: 7,
  field: 'curriculum.alpha',
  message: 'α is 2.',
  remedy: 'Lower it.',
  severity: 'error',
};

describe('a failure', () => {
  it('is bad input where a person can type something better', () => {
    assert.equal(failureOf(new UsageError('No.', 'Try this.')).code, 2);
    assert.equal(failureOf(new UsageError('No.', 'Try this.')).message, 'No. Try this.');
    assert.equal(failureOf(new InputError([problem])).code, 2);
    const codes = (reasons: readonly RunErrorReason[]): number[] =>
      reasons.map((reason) => failureOf(new RunError(reason, { what: 'x', remedy: 'y' })).code);
    assert.deepEqual(
      codes(['not-found', 'ambiguous', 'in-use', 'format', 'version', 'cannot-branch']),
      [2, 2, 2, 2, 2, 2],
    );
    assert.deepEqual(codes(['disk-full', 'unwritable', 'unreadable']), [1, 1, 1]);
  });

  it('carries its stack when it is a bug, its reason when it is not', () => {
    const bug = failureOf(new TypeError('x is not a function'));
    assert.equal(bug.reason, 'unexpected');
    assert.match(bug.message, /failure\.test\.ts/);
    const known = failureOf(Object.assign(new Error('no weights'), { reason: 'weights' }));
    assert.deepEqual([known.code, known.reason, known.message], [1, 'weights', 'no weights']);
    assert.equal(failureOf('thrown text').message, 'thrown text');
  });

  it('is written as editors read it, or as JSON on one line', () => {
    const warning = { ...problem, file: '--set seed=2', severity: 'warning', remedy: '' } as const;
    assert.deepEqual(problemLines([problem, warning]).map(String), [
      'a.genenv.json:4:7: error: α is 2.',
      '    Lower it.',
      '--set seed=2: warning: α is 2.',
    ]);
    const failure = failureOf(new InputError([problem, warning]));
    const text = fakeStream();
    writeFailure(text, failure, false);
    assert.match(text.text, /^a\.genenv\.json:4:7: error: .*\ngenenv: 1 error in the input\.\n$/s);
    const json = fakeStream();
    writeFailure(json, failure, true);
    assert.deepEqual(JSON.parse(json.text), {
      error: { reason: 'bad-input', message: '1 error in the input.', problems: [problem, warning] },
    });
    assert.equal(json.text.split('\n').length, 2);
  });

  it('tells one fault of a thousand lines three times, and counts the others', () => {
    const lines = Array.from({ length: 1000 }, (_, i) => ({ ...problem, line: i + 1, message: `"${i}" is no gold.` }));
    const text = fakeStream();
    writeFailure(text, failureOf(new InputError(lines)), false);
    assert.equal(text.text.match(/is no gold/g)?.length, 4);
    assert.match(
      text.text,
      /… and 997 more like: "0" is no gold\. \(--json has all\)\ngenenv: 1,000 errors in the input\.\n$/,
    );
  });
});
