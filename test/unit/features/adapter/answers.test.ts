import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAnswer } from '../../../../src/benchmarks/adapter/answers/parseAnswer.ts';
import { sayAnswer } from '../../../../src/benchmarks/adapter/answers/sayAnswer.ts';
import type { AnswerSpec } from '../../../../src/shared/adapters/answer.ts';
import { answerStarts } from '../../../../src/shared/adapters/starts.ts';

const tags: AnswerSpec = { kind: 'between', open: '<a>', close: '</a>' };
const regex = (pattern: string, group: number, which: 'first' | 'last'): AnswerSpec => ({
  ...{ kind: 'regex', pattern, group, which },
});
const call = (name: string, given: object): object => ({ name, arguments: given });

/** A text, its rule, and the value that is read out of it; null where there is none. */
const vectors: [string, AnswerSpec, unknown][] = [
  [' as it is\n', { kind: 'text' }, ' as it is\n'],
  ['one\n two \n\n', { kind: 'last-line' }, 'two'],
  [' \n', { kind: 'last-line' }, null],
  ['<a>1</a> then <a> 2 </a>', tags, '2'],
  ['<a>1</a> then <a> 2', tags, null],
  ['1', tags, null],
  ['Answer: 1\nAnswer: 2', regex('Answer: (.+)$', 1, 'last'), '2'],
  ['Answer: 1\nAnswer: 2', regex('Answer: (.+)$', 1, 'first'), '1'],
  ['Answer: 1', regex('Answer: (\\d)( x)?', 2, 'last'), null],
  ['so \\boxed{1} and \\boxed{\\frac{1}{2}}.', { kind: 'boxed' }, '\\frac{1}{2}'],
  ['\\boxed{a\\}b}', { kind: 'boxed' }, 'a\\}b'],
  ['\\boxed{1', { kind: 'boxed' }, null],
  ['Answer: $1,200 in all', { kind: 'final-number' }, '1200'],
  ['none', { kind: 'final-number' }, null],
  ['{"a": 1}', { kind: 'json' }, { a: 1 }],
  ['text\n```json\n{"a": 1}\n```\nand\n```\n[2]\n```\n', { kind: 'json' }, [2]],
  ['```python\n1\n```', { kind: 'json' }, null],
  ['```python\n1\n```\nso\n```json\n{"a": 1}\n```', { kind: 'json' }, { a: 1 }],
  ['no JSON', { kind: 'json' }, null],
  ['<tool_call>\n{"name": "f", "arguments": {"x": 1}}\n</tool_call>', { kind: 'tool-calls' }, [call('f', { x: 1 })]],
  [
    '<tool_call>{"name":"f","parameters":{}}\n{"name":"g","arguments":"{\\"y\\":2}"}',
    { kind: 'tool-calls' },
    [call('f', {}), call('g', { y: 2 })],
  ],
  ['[{"name": "f", "arguments": {}}]', { kind: 'tool-calls' }, [call('f', {})]],
  ['I cannot', { kind: 'tool-calls' }, null],
  ['<tool_call>f(1)</tool_call>', { kind: 'tool-calls' }, null],
  ['{"name": "f", "arguments": "no"}', { kind: 'tool-calls' }, null],
];

describe('answers are read', () => {
  for (const [text, spec, value] of vectors) {
    it(`by ${spec.kind} out of ${JSON.stringify(text).slice(0, 50)}`, () => {
      const parsed = parseAnswer(text, spec);
      if (value === null) assert.ok(!parsed.ok && parsed.note !== '');
      else assert.deepEqual(parsed, { ok: true, value });
    });
  }

  it('out of any text by any rule, or it says why not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(answerStarts)),
        fc.array(
          fc.constantFrom(
            '<answer>',
            '</answer>',
            '\\boxed{',
            '}',
            '{',
            '"',
            '\n',
            '```json\n',
            '```',
            '<tool_call>',
            'a',
            '1',
            '[',
            ']',
            ',',
          ),
        ),
        (spec, parts) => {
          const parsed = parseAnswer(parts.join(''), spec);
          assert.ok(parsed.ok ? parsed.value !== undefined : parsed.note !== '');
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('as they were said, of every rule that tells how', () => {
    for (const spec of Object.values(answerStarts)) {
      const said = sayAnswer('42', spec);
      if (spec.kind === 'regex') assert.equal(said, null);
      else if (spec.kind !== 'tool-calls') assert.equal(String(valueOf(said ?? '', spec)), '42');
    }
  });
});

function valueOf(text: string, spec: AnswerSpec): unknown {
  const parsed = parseAnswer(text, spec);
  return parsed.ok ? parsed.value : null;
}
