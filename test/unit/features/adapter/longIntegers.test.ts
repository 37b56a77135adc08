/** Whole numbers beyond 2^53, which Python keeps and a double rounds: the expected values are written out. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAnswer } from '../../../../src/benchmarks/adapter/answers/parseAnswer.ts';
import { sayAnswer } from '../../../../src/benchmarks/adapter/answers/sayAnswer.ts';
import type { MappedTask } from '../../../../src/benchmarks/adapter/mapRecord.ts';
import { isNear } from '../../../../src/benchmarks/rules/exactNumber.ts';
import { ScorerTable } from '../../../../src/benchmarks/scorerTable.ts';
import { checkAdapter } from '../../../../src/launch/adapters/checkAdapter.ts';
import type { AnswerSpec } from '../../../../src/shared/adapters/answer.ts';
import type { Adapter } from '../../../../src/shared/adapters/schema.ts';
import type { ScorerSpec } from '../../../../src/shared/adapters/scorer.ts';
import { MeteredTemplate } from '../../../../src/shared/jinja/meteredTemplate.ts';
import { parseExactly } from '../../../../src/shared/json.ts';
import { hasLongIntegers, rounded } from '../../../../src/shared/longInteger.ts';
import { sampleAdapter } from '../../../support/adapters/sampleAdapter.ts';

const { data, task } = sampleAdapter();
const { signal } = new AbortController();

describe('JSON with long integers', () => {
  it('is written as it was read', () => {
    for (const text of [
      '{"id":12345678901234567890,"list":[-9007199254740993,9007199254740991,1.5]}',
      '[9007199254740992]',
      '{"text":"12345678901234567890"}',
      '123456789012345678901234567890',
      '{"b\\"12345678901234567890":[-12345678901234567890,1.5]}',
    ]) {
      assert.equal(JSON.stringify(parseExactly(text)), text);
      assert.equal(JSON.stringify(rounded(parseExactly(text))), JSON.stringify(JSON.parse(text)));
    }
  });

  it('has them only where no double holds an integer as it stands', () => {
    assert.ok(hasLongIntegers(parseExactly('[[9007199254740993]]')));
    for (const text of [
      '9007199254740991',
      '1234567890123456.7',
      '"9007199254740993"',
      '1e300',
      '12345678901234567890.5',
      '12345678901234567890e3',
      '0.1234567890123456789',
    ])
      assert.equal(hasLongIntegers(parseExactly(text)), false, text);
    assert.equal(parseExactly('[12345678901234567890'), undefined);
  });

  it('is what templates say, and a number where they calculate', () => {
    const value = parseExactly('{"a":12345678901234567890,"b":12345678901234567890,"l":[9007199254740993],"n":1}');
    const said = (text: string): string => new MeteredTemplate(text).render({ v: value });
    assert.equal(
      said('{{ v.a }} {{ v.l[0] }} {{ "#" ~ v.a }}'),
      '12345678901234567890 9007199254740993 #12345678901234567890',
    );
    assert.equal(
      said('{{ v | tojson }}'),
      '{"a": 12345678901234567890, "b": 12345678901234567890, "l": [9007199254740993], "n": 1}',
    );
    assert.equal(said('{{ v.a == v.b }} {{ v.a > v.n }} {{ v.a is number }} {{ v.n + 1 }}'), 'true true true 2');
    assert.equal(said('{{ v.a - v.b }}'), '0');
    assert.equal(new MeteredTemplate('{{ v }}').render({ v: parseExactly('-9007199254740993') }), '-9007199254740993');
  });
});

describe('an adapter’s data with long integers', () => {
  let folder = '';
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'genenv-long-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  async function tasksOf(adapter: Adapter): Promise<MappedTask[]> {
    const checking = checkAdapter(adapter, folder, { signal });
    const tasks: MappedTask[] = [];
    for (;;) {
      const next = await checking.next();
      if (next.done === true) return tasks;
      assert.ok('task' in next.value, JSON.stringify(next.value));
      tasks.push(next.value.task);
    }
  }

  it('keeps their digits in ids, texts, golds and joins', async () => {
    await writeFile(
      join(folder, 'q.jsonl'),
      [
        '{"id": 9007199254740992, "question": "a", "of": 12345678901234567890}',
        '{"id": 9007199254740993, "question": "b", "of": 12345678901234567891}',
      ].join('\n'),
    );
    await writeFile(
      join(folder, 'gold.json'),
      '[{"key": 12345678901234567891, "is": [{"n": 9007199254740993}]}, {"key": 12345678901234567890, "is": [{"n": 9007199254740992}]}]',
    );
    const gold = { kind: 'key', files: ['gold.json'], format: 'json', here: '/record/of', there: '/record/key' };
    const all = { kind: 'all', files: ['gold.json'], format: 'json' };
    const adapter = sampleAdapter({
      data: { ...data, splits: { test: { files: ['q.jsonl'] } }, join: { gold, all } },
      task: {
        ...task,
        id: 'q{{ record.id }}',
        prompt: [{ role: 'user', content: '{{ record.question }}: {{ record.of }} in {{ gold.is | tojson }}' }],
        gold: '/gold/is',
        evaluation: { first: '/all/gold/0/key' },
        verbatim: { table: '/all/gold' },
      },
    });
    assert.deepEqual(
      (await tasksOf(adapter)).map(({ id, prompt, gold: right, evaluation }) => [
        id,
        prompt[0]?.content,
        right,
        evaluation['first'],
        evaluation['table'],
      ]),
      [
        ['2', 'a', '12345678901234567890 in [{"n": 9007199254740992}]', '[{"n": 9007199254740992}]'],
        ['3', 'b', '12345678901234567891 in [{"n": 9007199254740993}]', '[{"n": 9007199254740993}]'],
      ].map(([last, question, said, right]) => [
        `q900719925474099${last}`,
        `${question}: ${said}`,
        right,
        // A task's own fields are plain JSON; what has to keep its letters is given by `verbatim`.
        12345678901234567000,
        '[{"key":12345678901234567891,"is":[{"n":9007199254740993}]},{"key":12345678901234567890,"is":[{"n":9007199254740992}]}]',
      ]),
    );
  });
});

const number = (absolute = 0, relative = 0): ScorerSpec => ({ kind: 'number', absolute, relative });
const calls: ScorerSpec = { kind: 'tool-calls', order: 'given' };
const json: ScorerSpec = { kind: 'json' };
const text: AnswerSpec = { kind: 'text' };
const id = (digits: string): string => `[{"name":"f","arguments":{"id":${digits}}}]`;

/** Rule, gold, answer, how it is read, whether it is right. */
const vectors: [ScorerSpec, string, string, AnswerSpec, boolean][] = [
  [number(), '9007199254740993', '9007199254740993', text, true],
  [number(), '9007199254740993', '9007199254740992', text, false],
  [number(), '9007199254740992', '9007199254740993', text, false],
  [number(), '9007199254740990', '9007199254740991', text, false],
  [number(), '9,007,199,254,740,993', '$9007199254740993.00', text, true],
  [number(), '-12345678901234567890', '-12345678901234567890', text, true],
  [number(), '-12345678901234567890', '12345678901234567890', text, false],
  [number(1), '9007199254740992', '9007199254740993', text, true],
  [number(1), '9007199254740992', '9007199254740994', text, false],
  [number(0, 0.1), '12345678901234567890', '12345678901234500000', text, true],
  [number(), '12345678901234567890', 'Answer: 12345678901234567890', { kind: 'final-number' }, true],
  [number(), '12345678901234567890', 'Answer: 12345678901234567891', { kind: 'final-number' }, false],
  [number(), '12345678901234567890', '12345678901234567890', { kind: 'json' }, true],
  [number(), '12345678901234567890', '12345678901234567891', { kind: 'json' }, false],
  [json, '{"id":9007199254740993}', '{"id":9007199254740993}', text, true],
  [json, '{"id":9007199254740993}', '{"id":9007199254740992}', text, false],
  [json, '{"id":9007199254740993}', '{"id":"9007199254740993"}', text, false],
  [json, '{"id":9007199254740993}', '{"id":{}}', text, false],
  [json, '[100000000000000000000]', '[1e20]', { kind: 'json' }, true],
  [json, '[100000000000000000001]', '[1e20]', { kind: 'json' }, false],
  [json, '[0, {"a": 1.0}]', '[-0, {"a": 1}]', text, true],
  [calls, id('9007199254740993'), id('9007199254740993'), text, true],
  [calls, id('9007199254740993'), id('9007199254740992'), text, false],
  [calls, id('9007199254740993'), 'f(id=9007199254740993)', { kind: 'tool-calls', format: 'python' }, true],
  [calls, id('-9007199254740993'), 'f(id=-9007199254740993)', { kind: 'tool-calls', format: 'python' }, true],
  [calls, id('9007199254740993'), 'f(id=9007199254740992)', { kind: 'tool-calls', format: 'python' }, false],
  [
    calls,
    id('9007199254740993'),
    'Action: f\nAction Input: {"id": 9007199254740993}',
    { kind: 'tool-calls', format: 'react' },
    true,
  ],
  [
    calls,
    '[{"name":"f","arguments":{"input":"9007199254740993"}}]',
    'Action: f\nAction Input: 9007199254740993',
    { kind: 'tool-calls', format: 'react' },
    true,
  ],
  [
    calls,
    id('9007199254740993'),
    '{"function":{"name":"f","arguments":"{\\"id\\":9007199254740992}"}}',
    { kind: 'tool-calls', format: 'openai' },
    false,
  ],
  [{ ...calls, absolute: 1 }, id('9007199254740993'), id('9007199254740992'), text, true],
  [{ ...calls, absolute: 1 }, id('9007199254740993'), id('9007199254740991'), text, false],
  [
    { ...calls, defaults: { id: 9007199254740992 } },
    id('9007199254740993'),
    '[{"name":"f","arguments":{}}]',
    text,
    true,
  ],
];

describe('rules with long integers', () => {
  for (const [scorer, gold, said, answer, right] of vectors) {
    it(`${scorer.kind}: ${said.slice(0, 70)} ${right ? 'is' : 'is not'} ${gold}`, async () => {
      const rules = await ScorerTable.open([scorer.kind]);
      const messages = [{ role: 'assistant' as const, content: said }];
      const verdict = rules.score({ evaluation: { ...scorer, answer }, gold }, { messages, stopReason: 'stop' });
      assert.deepEqual([verdict.success, verdict.valid, verdict.error], [right, true, undefined]);
    });
  }

  it('say every digit of what is wrong', async () => {
    const rules = await ScorerTable.open(['number', 'json']);
    const note = (scorer: ScorerSpec): string | undefined =>
      rules.score(
        { evaluation: { ...scorer, answer: text }, gold: '9007199254740993' },
        { messages: [{ role: 'assistant', content: '9007199254740992' }], stopReason: 'stop' },
      ).note;
    assert.equal(note(number()), 'expected 9007199254740993, got 9007199254740992');
    assert.equal(note(json), 'the answer is 9007199254740992, expected 9007199254740993');
  });

  it('of schemas see plain numbers', async () => {
    const rules = await ScorerTable.open(['json-schema']);
    const schema = { type: 'object', properties: { id: { type: 'integer', minimum: 9007199254740993 } } };
    const verdict = rules.score(
      { evaluation: { kind: 'json-schema', schema, answer: text }, gold: null },
      { messages: [{ role: 'assistant', content: '{"id": 9007199254740993}' }], stopReason: 'stop' },
    );
    assert.deepEqual([verdict.success, verdict.note], [true, undefined]);
  });

  it('read what golds are said as', () => {
    const gold = id('12345678901234567890');
    for (const format of ['json', 'react', 'python', 'openai'] as const) {
      const said = sayAnswer(gold, { kind: 'tool-calls', format }) ?? '';
      assert.match(said, /12345678901234567890/);
      const parsed = parseAnswer(said, { kind: 'tool-calls', format });
      assert.equal(parsed.ok && JSON.stringify(parsed.value), gold);
    }
  });

  it('take differences of whole numbers exactly, and those of others as doubles', () => {
    const near = (a: number | bigint, b: number | bigint, absolute = 0, relative = 0): boolean =>
      isNear(a, b, { absolute, relative });
    assert.ok(near(0.1 + 0.2, 0.3));
    assert.ok(near(71, 100, 0, 0.29));
    assert.ok(!near(70, 100, 0, 0.29));
    assert.ok(near(4503599627370497.5, 4503599627370498n));
    assert.ok(near(10n ** 400n, 10n ** 400n) && !near(10n ** 400n, 10n ** 400n + 1n));
    assert.ok(!near(Infinity, 1) && !near(1, NaN));
  });
});
