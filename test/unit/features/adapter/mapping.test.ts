import assert from 'node:assert/strict';
import * as z from 'zod';
import { isInSplit } from '../../../../src/benchmarks/adapter/isInSplit.ts';
import { mapRecord } from '../../../../src/benchmarks/adapter/mapRecord.ts';
import { recordFile, textAt, type Scope } from '../../../../src/benchmarks/adapter/scope.ts';
import { sampleAdapter } from '../../../support/adapters/sampleAdapter.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

function scopeOf(text: string, path = 'part/q.jsonl', index = 3): Scope {
  return {
    values: { record: JSON.parse(text), file: recordFile(path, index), split: 'test' },
    texts: new Map([['record', text]]),
  };
}
const { task } = sampleAdapter();

/** The mapped task, or what does not fit. */
function mapped(over: Partial<typeof task>, text: string): unknown {
  const made = mapRecord(sampleAdapter({ task: { ...task, ...over } }), scopeOf(text));
  return 'task' in made ? made.task : made.misfits.map(({ field, message }) => `${field}: ${message}`);
}

describe('a record as a task', () => {
  it('has its prompt from templates, its gold from a pointer, and the rules of its adapter', () => {
    assert.deepEqual(mapped({}, '{"question": "Why?", "answer": "So."}'), {
      id: 'test.3',
      prompt: [{ role: 'user', content: 'Q: Why?' }],
      evaluation: { kind: 'exact', compare: 'trimmed', answer: { kind: 'text' } },
      gold: 'So.',
      complexity: {},
    });
  });

  it('says of every field at once what the record lacks', () => {
    assert.deepEqual(mapped({}, '{"other": 1}'), [
      'task.prompt[0]: the template names record.question, which this record does not have',
      'task.gold: there is nothing at /record/answer',
    ]);
  });

  it('tells the scorer values, or the letters of their JSON', () => {
    const made = mapped(
      { evaluation: { value: '/record/config' }, verbatim: { text: '/record/config', none: '/record/none' } },
      '{"question": "Why?", "answer": "So.", "config": {"a": 5.0}}',
    );
    assert.deepEqual(made, ['task.verbatim.none: there is nothing at /record/none']);
    const { evaluation } = z
      .object({ evaluation: z.looseObject({}) })
      .parse(
        mapped(
          { evaluation: { value: '/record/config' }, verbatim: { text: '/record/config' } },
          '{"question": "Why?", "answer": "So.", "config": {"a": 5.0}}',
        ),
      );
    assert.deepEqual([evaluation['value'], evaluation['text']], [{ a: 5 }, '{"a": 5.0}']);
  });

  it('may lack what a template asks about or has a default for', () => {
    const prompt = [
      { role: 'user' as const, content: '{{ record.a | default("-") }}{% if record.b %}{{ record.b }}{% endif %}!' },
    ];
    assert.deepEqual(mapped({ prompt, gold: null, id: 'x' }, '{}'), {
      id: 'x',
      prompt: [{ role: 'user', content: '-!' }],
      evaluation: { kind: 'exact', compare: 'trimmed', answer: { kind: 'text' } },
      gold: null,
      complexity: {},
    });
  });

  it('keeps the letters of a gold that is no text: 5 and 5.0, and integers past 2^53', () => {
    const text = '{"question": "q", "answer": [{"f": {"a": [5.0, 5], "b": 9007199254740993}}]}';
    const made = mapRecord(sampleAdapter(), scopeOf(text));
    assert.ok('task' in made);
    assert.equal(made.task.gold, '[{"f": {"a": [5.0, 5], "b": 9007199254740993}}]');
    assert.equal(textAt(scopeOf('{"a/b": {"~": [1.50]}}'), '/record/a~1b/~0/0'), '1.50');
  });

  it('takes the last of a field that is given twice, as its value is', () => {
    assert.equal(textAt(scopeOf('{"a": 1, "a": 2}'), '/record/a'), '2');
  });

  it('refuses an id with spaces, an empty turn and a null gold', () => {
    assert.deepEqual(
      mapped(
        { id: '/record/id', prompt: [{ role: 'user', content: '/record/empty' }] },
        '{"id": "a b", "empty": " ", "answer": null}',
      ),
      [
        'task.id: “a b” has spaces or slashes: {{ … | replace(" ", "_") }} takes them out',
        'task.prompt[0]: it is empty',
        'task.gold: there is null at /record/answer',
      ],
    );
  });

  it('takes whole conversations and functions, with types that JSON Schema has', () => {
    const text = JSON.stringify({
      question: [[{ role: 'user', content: 'Hi' }]],
      answer: 'x',
      function: [
        {
          name: 'f',
          parameters: {
            type: 'dict',
            properties: { type: { type: 'any' }, n: { type: 'array', items: { type: 'float' } } },
          },
        },
      ],
    });
    const types = { dict: 'object', float: 'number', any: '' };
    const tools = {
      each: '/record/function',
      name: '/name',
      description: '/description',
      parameters: '/parameters',
      types,
    };
    const made = mapRecord(
      sampleAdapter({ task: { ...task, prompt: [{ messages: '/record/question/0' }], tools } }),
      scopeOf(text),
    );
    assert.ok('task' in made);
    assert.deepEqual(made.task.prompt, [{ role: 'user', content: 'Hi' }]);
    assert.deepEqual(made.task.tools, [
      {
        name: 'f',
        description: '',
        parameters: {
          type: 'object',
          properties: { type: {}, n: { type: 'array', items: { type: 'number' } } },
        },
      },
    ]);
  });

  it('tells the scorer of what the record says besides, in its own kinds', () => {
    const made = mapRecord(
      sampleAdapter({ task: { ...task, category: '/split', evaluation: { accept: '/record/more' } } }),
      scopeOf('{"question": "q", "answer": "a", "more": ["b"]}'),
    );
    assert.ok('task' in made);
    const { accept, category } = made.task.evaluation;
    assert.deepEqual([accept, category], [['b'], 'test']);
  });
});

describe('a split', () => {
  const split = { files: ['*'] };

  it('holds the records that say so', () => {
    const where = { '/record/level': ['easy', 1], '/file/folder': ['part'] };
    const holds = (text: string): boolean => isInSplit({ ...split, where }, 'x', scopeOf(text));
    assert.deepEqual(['{"level": "easy"}', '{"level": 1}', '{"level": "1"}', '{}'].map(holds), [
      true,
      true,
      false,
      false,
    ]);
  });

  it('that is a share holds about so many, and shares that touch hold each record once', () => {
    const parts = [0, 0.2, 0.5, 1].slice(0, -1).map((from, i) => ({ from, to: [0.2, 0.5, 1][i] ?? 1 }));
    const counts = [0, 0, 0];
    for (let i = 0; i < 2000; i += 1) {
      const inside = parts.map((share) => isInSplit({ ...split, share }, `t${i}`, scopeOf('{}')));
      assert.equal(inside.filter(Boolean).length, 1);
      counts[inside.indexOf(true)] = (counts[inside.indexOf(true)] ?? outOfRange()) + 1;
    }
    for (const [i, share] of [0.2, 0.3, 0.5].entries())
      assert.ok(Math.abs((counts[i] ?? outOfRange()) / 2000 - share) < 0.04);
  });
});
