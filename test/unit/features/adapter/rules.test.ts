import assert from 'node:assert/strict';
import { numberIn } from '../../../../src/benchmarks/rules/number.ts';
import { rougeLScore, rougeWords } from '../../../../src/benchmarks/rules/words.ts';
import { ScorerTable } from '../../../../src/benchmarks/scorerTable.ts';
import type { AnswerSpec } from '../../../../src/shared/adapters/answer.ts';
import type { ScorerSpec } from '../../../../src/shared/adapters/scorer.ts';
import type { Verdict } from '../../../../src/shared/records/trace.ts';

interface Case {
  scorer: ScorerSpec;
  gold: string | null;
  answer: string;
  read?: AnswerSpec;
  accept?: string[];
}

async function judged({ scorer, gold, answer, read = { kind: 'text' }, accept }: Case): Promise<Verdict> {
  const rules = await ScorerTable.open([scorer.kind], null);
  const evaluation = { ...scorer, answer: read, ...(accept === undefined ? {} : { accept }) };
  return rules.score({ evaluation, gold }, { messages: [{ role: 'assistant', content: answer }], stopReason: 'stop' });
}

const exact = (compare: 'exact' | 'trimmed' | 'folded' | 'squad'): ScorerSpec => ({ kind: 'exact', compare });
const number = (absolute: number, relative: number): ScorerSpec => ({ kind: 'number', absolute, relative });
const f1: ScorerSpec = { kind: 'token-f1', threshold: 0.5 };
const rouge: ScorerSpec = { kind: 'rouge-l', threshold: 0.5 };
const calls = (order: 'given' | 'any'): ScorerSpec => ({ kind: 'tool-calls', order });
const schema: ScorerSpec = {
  kind: 'json-schema',
  schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
};
const two = '[{"name":"f","arguments":{"x":1}},{"name":"g","arguments":{}}]';
const swapped = '[{"name":"g","arguments":{}},{"name":"f","arguments":{"x":1.0}}]';

/** The case, whether it is a success, and the reward. */
const vectors: [Case, boolean, number][] = [
  [{ scorer: exact('exact'), gold: 'a', answer: 'a' }, true, 1],
  [{ scorer: exact('exact'), gold: 'a', answer: 'a ' }, false, 0],
  [{ scorer: exact('trimmed'), gold: 'a', answer: ' a\n' }, true, 1],
  [{ scorer: exact('folded'), gold: 'New  York', answer: 'new york' }, true, 1],
  [{ scorer: exact('squad'), gold: 'The Beatles!', answer: 'beatles' }, true, 1],
  [{ scorer: exact('folded'), gold: 'The Beatles', answer: 'beatles' }, false, 0],
  [{ scorer: exact('exact'), gold: 'a', answer: 'b', accept: ['c', 'b'] }, true, 1],
  [{ scorer: { kind: 'contains', compare: 'squad' }, gold: 'James Madison', answer: 'It was james madison.' }, true, 1],
  [{ scorer: { kind: 'contains', compare: 'exact' }, gold: 'A', answer: 'a' }, false, 0],
  [{ scorer: number(0, 0), gold: '1,234.5', answer: '$1234.50' }, true, 1],
  [{ scorer: number(0, 0), gold: '0.3', answer: String(0.1 + 0.2) }, true, 1],
  [{ scorer: number(0.5, 0), gold: '10', answer: '10.5' }, true, 1],
  [{ scorer: number(0, 0.01), gold: '-200', answer: '-202' }, true, 1],
  [{ scorer: number(0, 0.01), gold: '-200', answer: '-202.1' }, false, 0],
  [{ scorer: f1, gold: 'the quick brown fox', answer: 'quick fox' }, true, 0.8],
  [{ scorer: f1, gold: 'yes', answer: 'yes no' }, false, 0],
  [{ scorer: rouge, gold: 'police killed the gunman', answer: 'police kill the gunman' }, true, 0.75],
  [{ scorer: rouge, gold: 'police killed the gunman', answer: 'the gunman kill police' }, true, 0.5],
  [{ scorer: { kind: 'json' }, gold: '{"a": 1, "b": [1, 2]}', answer: '{"b": [1.0, 2], "a": 1}' }, true, 1],
  [{ scorer: { kind: 'json' }, gold: '[1, 2]', answer: '[2, 1]' }, false, 0],
  [{ scorer: { kind: 'json' }, gold: '{"a": 1}', answer: '{"a": true}' }, false, 0],
  [{ scorer: schema, gold: null, answer: '{"n": 1}' }, true, 1],
  [{ scorer: schema, gold: null, answer: '{"n": 1.5}' }, false, 0],
  [{ scorer: schema, gold: null, answer: '{"n": 1, "m": 1}' }, false, 0],
  [{ scorer: calls('given'), gold: two, answer: two }, true, 1],
  [{ scorer: calls('given'), gold: two, answer: swapped }, false, 0],
  [{ scorer: calls('any'), gold: two, answer: swapped }, true, 1],
  [{ scorer: calls('any'), gold: two, answer: '[{"name":"f","arguments":{"x":1}}]' }, false, 0.5],
  [
    {
      scorer: calls('any'),
      gold: '[{"name":"f","arguments":{}}]',
      answer: '[{"name":"f","arguments":{}},{"name":"f","arguments":{}}]',
    },
    false,
    0.5,
  ],
  [{ scorer: { kind: 'bamboogle', counts: 'em' }, gold: 'Titan IIIE', answer: 'the titan iiie' }, true, 1],
  [{ scorer: { kind: 'bamboogle', counts: 'em' }, gold: 'Titan IIIE', answer: 'It was the Titan IIIE' }, false, 0],
  [{ scorer: { kind: 'bamboogle', counts: 'sub-em' }, gold: 'Titan IIIE', answer: 'It was the Titan IIIE' }, true, 1],
  [
    {
      scorer: { kind: 'toolrl' },
      gold: '[{"name": "f", "parameters": {"x": "1"}}]',
      answer: '<tool_call>\n{"name": "f", "parameters": {"x": "1"}}\n</tool_call>',
    },
    true,
    1,
  ],
  [
    {
      scorer: { kind: 'toolrl' },
      gold: '{"name": "f", "parameters": {"x": "1"}}',
      answer: '{"name": "f", "parameters": {"x": 1}}',
    },
    false,
    0,
  ],
];

describe('rules of the scorer table', () => {
  for (const [one, success, reward] of vectors) {
    it(`${one.scorer.kind}: ${one.answer.slice(0, 40)} against ${one.gold?.slice(0, 30) ?? 'its schema'}`, async () => {
      const verdict = await judged(one);
      assert.equal(verdict.error, undefined);
      assert.deepEqual([verdict.success, Number(verdict.reward.toFixed(3)), verdict.valid], [success, reward, true]);
      assert.equal(verdict.note === undefined, success);
    });
  }

  it('give no success to an answer that cannot be read or was cut off', async () => {
    const read: AnswerSpec = { kind: 'boxed' };
    const verdict = await judged({ scorer: exact('exact'), gold: 'a', answer: 'a', read });
    assert.deepEqual([verdict.success, verdict.valid, verdict.note], [false, false, 'the answer has no \\boxed{…}']);
    const none = await judged({ scorer: number(0, 0), gold: '1', answer: 'one' });
    assert.deepEqual([none.valid, none.note], [false, 'the answer is no number']);
    const rules = await ScorerTable.open(['exact'], null);
    const task = { evaluation: { ...exact('exact'), answer: { kind: 'text' } }, gold: 'a' };
    const cut = rules.score(task, { messages: [{ role: 'assistant', content: 'a' }], stopReason: 'length' });
    assert.deepEqual([cut.success, cut.valid], [false, false]);
  });

  it('judge what the agent said last', async () => {
    const rules = await ScorerTable.open(['exact'], null);
    const task = { evaluation: { ...exact('exact'), answer: { kind: 'text' } }, gold: 'b' };
    const messages = ['a', 'b'].map((content) => ({ role: 'assistant' as const, content }));
    assert.ok(rules.score(task, { messages, stopReason: 'stop' }).success);
  });

  it('say of a task that none can judge what is wrong with it, before and after an attempt', async () => {
    const rules = await ScorerTable.open(
      ['exact', 'contains', 'number', 'token-f1', 'rouge-l', 'toolrl', 'exakt', 'json-schema'],
      null,
    );
    const answer = { kind: 'text' };
    const faults: [object, string | null, RegExp][] = [
      [{ kind: 'exact', compare: 'trimmed', answer }, null, /needs a gold/],
      [{ kind: 'exact', compare: 'trimmed' }, 'a', /evaluation\.answer/],
      [{ kind: 'exact', answer }, 'a', /evaluation\.compare/],
      [{ kind: 'number', absolute: 0, relative: 0, answer }, 'ten', /“ten” is no number/],
      [{ kind: 'exact', compare: 'squad', answer }, 'The', /of the gold “The” nothing is left/],
      [{ kind: 'contains', compare: 'squad', answer }, '+', /of the gold “\+” nothing is left/],
      [{ kind: 'contains', compare: 'folded', answer }, ' ', /nothing is left/],
      [{ kind: 'token-f1', threshold: 0.5, answer }, 'A', /of the gold “A” nothing is left/],
      [{ kind: 'rouge-l', threshold: 0.5, answer }, '北京', /of the gold “北京” nothing is left/],
      [{ kind: 'toolrl', answer }, 'f()', /the gold is not JSON/],
      [{ kind: 'exakt', answer }, 'a', /there is no rule “exakt”; did you mean “exact”\?/],
    ];
    for (const [evaluation, gold, message] of faults) {
      const task = { evaluation: { kind: '', ...evaluation }, gold };
      assert.match(rules.fault(task) ?? '', message);
      const verdict = rules.score(task, { messages: [{ role: 'assistant', content: 'a' }], stopReason: 'stop' });
      assert.match(verdict.error ?? '', message);
      assert.equal(verdict.success, false);
    }
  });

  it('accept the gold as they would have it said', async () => {
    const gold = '[{"name": "f",\n "parameters": {"x": "1"}}]';
    const rules = await ScorerTable.open(['toolrl', 'bamboogle'], null);
    const spoken: [object, string][] = [
      [{ kind: 'toolrl', answer: { kind: 'text' } }, gold],
      [{ kind: 'bamboogle', counts: 'em', answer: { kind: 'between', open: '<answer>', close: '</answer>' } }, 'x'],
    ];
    for (const [evaluation, own] of spoken) {
      const task = { evaluation: { kind: '', ...evaluation }, gold: own };
      const content = rules.goldAnswer(task) ?? '';
      assert.ok(rules.score(task, { messages: [{ role: 'assistant', content }], stopReason: 'stop' }).success, content);
    }
  });
});

describe('the rule of BFCL', () => {
  const record = {
    function: [
      {
        name: 'area',
        description: '',
        parameters: {
          type: 'dict',
          properties: { base: { type: 'integer' }, unit: { type: 'string' } },
          required: ['base'],
        },
      },
    ],
    gold: '[{"area": {"base": [10], "unit": ["cm", ""]}}]',
  };
  const judge = async (text: string, language = 'python', dist: URL | null = null): Promise<Verdict> => {
    const rules = await ScorerTable.open(['bfcl'], dist);
    const evaluation = {
      kind: 'bfcl',
      answer: { kind: 'text' },
      category: 'simple_python',
      language,
      function: record.function,
    };
    return rules.score(
      { evaluation, gold: record.gold },
      { messages: [{ role: 'assistant', content: text }], stopReason: 'stop' },
    );
  };

  it('gives its own verdicts and names of errors', async () => {
    const texts: [string, string | undefined][] = [
      ['[area(base=10)]', undefined],
      ['[area(base=10, unit="cm")]', undefined],
      ['[area(base=10.0)]', 'type_error:simple'],
      ['[area(base=11)]', 'value_error:others'],
      ['[volume(base=10)]', 'simple_function_checker:wrong_func_name'],
      ['I cannot.', 'ast_decoder:decoder_failed'],
    ];
    for (const [text, error] of texts) {
      const { success, note, error: broken } = await judge(text);
      assert.deepEqual([text, success, note, broken], [text, error === undefined, error, undefined]);
    }
  });

  it('says where it cannot read a language', async () => {
    const { success, note } = await judge('area(base=10)', 'java');
    assert.deepEqual([success, note], [false, 'Java and JavaScript cannot be read here']);
  });

  it('says of a task without functions that nobody can judge it', async () => {
    const rules = await ScorerTable.open(['bfcl'], null);
    const evaluation = { kind: 'bfcl', answer: { kind: 'text' }, category: 'multiple', language: 'python' };
    assert.match(rules.fault({ evaluation, gold: record.gold }) ?? '', /evaluation\.function/);
  });
});

describe('numbers in texts', () => {
  const texts: [string, number | null][] = [
    ['12', 12],
    ['-1,000,000.5', -1000000.5],
    ['$ 3.', 3],
    ['12 %', 12],
    ['1e3', 1000],
    ['12,34', null],
    ['1,2345', null],
    ['3 apples', null],
    ['', null],
    ['0x10', null],
  ];
  for (const [text, value] of texts) it(JSON.stringify(text), () => assert.equal(numberIn(text), value));
});

describe('ROUGE-L', () => {
  it('is the F of the longest common subsequence of words (Lin, 2004, example 3.1)', () => {
    const score = (a: string, b: string): number => rougeLScore(rougeWords(a), rougeWords(b)).f1;
    assert.equal(score('police kill the gunman', 'police killed the gunman'), 0.75);
    assert.equal(score('the gunman kill police', 'police killed the gunman'), 0.5);
    assert.equal(score('', ''), 0);
    assert.equal(score('One, two!', 'one two'), 1);
  });
});
