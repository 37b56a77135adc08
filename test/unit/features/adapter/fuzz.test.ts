/** Whatever a model writes, every rule gives a verdict of it: nothing that it writes ends the run that judges it. */
import assert from 'node:assert/strict';
import { ScorerTable } from '../../../../src/benchmarks/scorerTable.ts';
import { Rng } from '../../../../src/engine/random.ts';
import type { AnswerSpec } from '../../../../src/shared/adapters/answer.ts';
import { answerStarts } from '../../../../src/shared/adapters/starts.ts';
import type { ScorerSpec } from '../../../../src/shared/adapters/scorer.ts';
import { verdictSchema } from '../../../../src/shared/records/trace.ts';
import { toolCallsOf } from '../../../../src/shared/rewards/toolCalls.ts';

const golds = [
  '[{"name": "f", "arguments": {"x": [1, {"y": "a"}]}}]',
  '{"a": [1, 2.5, null]}',
  '12',
  'the red fox',
  '',
];
const schema = { $defs: { n: { properties: { c: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n', uniqueItems: true };
const scorers: ScorerSpec[] = [
  { kind: 'exact', compare: 'squad' },
  { kind: 'contains', compare: 'folded' },
  { kind: 'number', absolute: 0, relative: 0.1 },
  { kind: 'token-f1', threshold: 0.5 },
  { kind: 'rouge-l', threshold: 0.5 },
  { kind: 'json' },
  { kind: 'json-schema', schema },
  { kind: 'tool-calls', order: 'given' },
  { kind: 'tool-calls', order: 'any', extra: true, absolute: 1, text: 'squad', defaults: { x: 1 }, optional: ['y'] },
];
const answers: AnswerSpec[] = [
  ...Object.values(answerStarts),
  ...(['react', 'python', 'openai'] as const).map((format) => ({ kind: 'tool-calls' as const, format })),
];
const pieces = [
  ...['<tool_call>', '</tool_call>', '{"name": "f", "arguments": {}}', '{"name": "f", "arguments": "{}"}', '```json\n'],
  ...[
    '```python\n',
    '\n```\n',
    'Action: f\n',
    'Action Input: ',
    'Observation:',
    'f(x=1)',
    'f(',
    ')',
    'x=',
    '[',
    ']',
    '{',
  ],
  ...[
    '}',
    '"',
    '\\',
    '\n',
    '\u0000',
    '\ud83d',
    '😀',
    '1e999',
    '-',
    '.',
    ',',
    ':',
    'null',
    '\\boxed{',
    '<answer>',
    '</answer>',
  ],
  ...[
    '{"tool_calls": [',
    '{"function": {"name": "f", "arguments": "{}"}}',
    '__proto__',
    'constructor',
    "b'x'",
    'f"{x}"',
  ],
  ...['lambda: 0', '9'.repeat(500), ' '.repeat(50), 'a b c ', '[1, 2'],
];
const deep = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
/** Each alone is enough to end a program that trusts what it reads. */
const hostile = [
  ...[100, 250, 5000, 40_000].flatMap((n) => [deep('[', ']', n), deep('{"a":', '}', n), deep('(', ')', n)]),
  ...[250, 40_000].map((n) => `<tool_call>{"name": "f", "arguments": {"x": ${deep('[', ']', n)}}}</tool_call>`),
  ...[250, 40_000].map((n) => `Action: f\nAction Input: {"x": ${deep('[', ']', n)}}`),
  ...[`f(x=${deep('[', ']', 5000)})`, `${'-'.repeat(20_000)}1`, `f(x=${'-'.repeat(20_000)}1)`, '9'.repeat(40_000)],
  ...['['.repeat(60_000), '<tool_call>'.repeat(10_000), '\\boxed{'.repeat(20_000), '```json\n'.repeat(5000)],
  ...['"'.repeat(40_001), '\\'.repeat(40_001), `"${'\\'.repeat(40_001)}`, ' '.repeat(60_000), '\n'.repeat(40_000)],
  ...['a '.repeat(5000), 'Action: f\n'.repeat(5000), `[${'{"name":"f","arguments":{}},'.repeat(2000)}]`],
];

describe('rules and what models write', function () {
  this.timeout(240_000);

  it('come to a verdict of every text', async () => {
    const rules = await ScorerTable.open(scorers.map(({ kind }) => kind));
    const rng = Rng.from('fuzz');
    const pick = <T>(from: readonly T[], otherwise: T): T => from[rng.int(from.length)] ?? otherwise;
    const judge = (content: string, scorer: ScorerSpec, answer: AnswerSpec, gold: string): string => {
      const evaluation = { ...scorer, answer };
      const messages = [{ role: 'assistant' as const, content }];
      const verdict = verdictSchema.parse(rules.score({ evaluation, gold }, { messages, stopReason: 'stop' }));
      assert.ok(!verdict.success || verdict.valid);
      assert.ok(verdict.success || (verdict.note ?? verdict.error ?? '') !== '', content);
      return verdict.success ? 'success' : verdict.error === undefined ? 'failure' : 'error';
    };
    const counts = new Map<string, number>();
    for (let i = 0; i < 30_000; i++) {
      const content = Array.from({ length: 1 + rng.int(7) }, () => pick(pieces, '')).join('');
      const gold = pick(golds, '');
      const text = rng.int(20) === 0 ? gold : content;
      const how = judge(text, pick(scorers, { kind: 'json' }), pick(answers, { kind: 'text' }), gold);
      counts.set(how, (counts.get(how) ?? 0) + 1);
    }
    assert.ok(
      ['success', 'failure', 'error'].every((how) => (counts.get(how) ?? 0) > 250),
      JSON.stringify([...counts]),
    );
    for (const [i, content] of hostile.entries())
      for (const [j, answer] of answers.entries())
        for (const scorer of [scorers[(i + j) % scorers.length], scorers[(i * 3 + j + 4) % scorers.length]])
          if (scorer !== undefined) judge(content, scorer, answer, golds[0] ?? '');
  });

  it('give a reward of a person’s own what can travel to it', () => {
    for (const content of hostile) assert.doesNotThrow(() => JSON.stringify(toolCallsOf(content)));
  });
});
