import assert from 'node:assert/strict';
import { parseAnswer } from '../../../src/benchmarks/adapter/answers/parseAnswer.ts';
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { jsonSchema } from '../../../src/benchmarks/rules/jsonSchema.ts';
import { limit, matchesOf } from '../../../src/sandbox/expressions.ts';
import { quickExpressions } from '../../support/quickExpressions.ts';

const fiveSeconds = limit.seconds;
const hostile = `${'a'.repeat(50)}!`;

describe('regular expressions of strangers', () => {
  quickExpressions();

  it('get five seconds outside of tests', () => {
    assert.equal(fiveSeconds, 5);
  });

  it('match as V8 does', () => {
    const text = 'x=1, y=22\nx=3';
    assert.deepEqual(
      matchesOf(
        [
          { source: '^(\\w)=(\\d)(z)?', flags: 'gm' },
          { source: 'Y', flags: 'i' },
        ],
        [text, ''],
      ),
      [
        [[...text.matchAll(/^(\w)=(\d)(z)?/gm)].map((match) => [...match]), []],
        [[['y']], []],
      ],
    );
  });

  it('make an answer unread that they take too long for, and are not tried again', () => {
    const spec = { kind: 'regex', pattern: '^(a+)+$', group: 1, which: 'last' } as const;
    for (const text of [hostile, 'aaa']) {
      const parsed = parseAnswer(text, spec);
      assert.match(
        parsed.ok ? '' : parsed.note,
        /^answer\.pattern \^\(a\+\)\+\$ cannot be used: it t(akes|ook) longer than 2 s/,
      );
    }
  });

  it('are tried before a JSON Schema uses them', () => {
    const schema = { anyOf: [{ properties: { x: { pattern: '^(a|aa)+$' } } }] };
    assert.throws(() => jsonSchema.judge(JSON.stringify({ x: hostile }), null, { schema }), {
      reason: 'unfit',
      message: /^a pattern of the schema cannot be used: it takes longer than 2 s/,
    });
    assert.equal(
      jsonSchema.judge('{"x": "b"}', null, { schema: { properties: { x: { pattern: '^b' } } } }).success,
      true,
    );
  });

  it('are refused with an adapter that cannot be read in time', () => {
    const pattern = '(?:(?:(?:(?:(?:a?){999}){999}){999}){999}){999}';
    const { problems } = readAdapter(
      JSON.stringify({
        ...{
          version: 1,
          name: 'x',
          data: { folder: 'd', obtain: 'o', format: 'jsonl', splits: { test: { files: ['*'] } } },
        },
        task: { id: '/record/id', prompt: [{ role: 'user', content: '/record/q' }], gold: '/record/a' },
        answer: { kind: 'regex', pattern, group: 0, which: 'first' },
        scorer: { kind: 'exact', compare: 'exact' },
      }),
      'x.adapter.json',
    );
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['answer.pattern'],
      JSON.stringify(problems),
    );
  });
});
