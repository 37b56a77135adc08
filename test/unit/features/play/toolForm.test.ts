import assert from 'node:assert/strict';
import { argumentsOf, shownTool } from '../../../../src/features/play/core/toolForm.ts';
import { callText } from '../../../../src/launch/domains/callText.ts';
import { menuTools } from '../../../../src/benchmarks/storekeeper/tools.ts';
import { evaluationKind } from '../../../../src/benchmarks/storekeeper/task.ts';

describe('the form of a tool', () => {
  const tool = shownTool({
    name: 'book',
    description: 'Books a table.',
    parameters: {
      type: 'object',
      properties: {
        place: { type: 'string', description: 'Where.' },
        people: { type: 'integer' },
        inside: { type: 'boolean' },
        day: { enum: ['mon', 'tue'] },
        wishes: { type: 'array', items: { type: 'string' } },
      },
      required: ['place', 'people'],
    },
  });

  it('has a field for each parameter, by its type', () => {
    assert.deepEqual(
      tool.fields.map(({ name, kind, required, choices }) => [name, kind, required, choices]),
      [
        ['place', 'text', true, []],
        ['people', 'number', true, []],
        ['inside', 'choice', false, ['true', 'false']],
        ['day', 'choice', false, ['mon', 'tue']],
        ['wishes', 'json', false, []],
      ],
    );
    assert.equal(tool.fields[0]?.help, 'Where.');
    assert.deepEqual(shownTool({ name: 'odd', description: '', parameters: { properties: 3 } }).fields, []);
  });

  it('gives arguments of the right types, without those that are empty', () => {
    const filled = { place: '12', people: '3', inside: 'false', day: 'mon', wishes: '["window"]', other: 'x' };
    assert.deepEqual(argumentsOf(tool, filled), {
      ...{ place: '12', people: 3, inside: false, day: 'mon', wishes: ['window'] },
    });
    assert.deepEqual(argumentsOf(tool, { place: 'Rome', wishes: 'a window' }), { place: 'Rome', wishes: 'a window' });
  });
});

describe('the form of a tool with long numbers and parameters that may be null', () => {
  const nullable = { type: ['string', 'null'] };
  const tool = shownTool({
    ...{ name: 'get', description: '' },
    parameters: {
      properties: {
        id: { type: 'integer' },
        ids: { type: 'array' },
        ...{ a: nullable, b: nullable },
        c: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Which.' },
        d: { oneOf: [{ type: 'null' }, { enum: ['x', null] }] },
        e: { type: ['integer', 'null'] },
        f: { type: ['string', 'integer'] },
      },
    },
  });

  it('has plain fields for them', () => {
    assert.deepEqual(
      tool.fields.map(({ kind, choices, help }) => [kind, ...choices, help].join(' ').trim()),
      ['number', 'json', 'text', 'text', 'text Which.', 'choice x', 'number', 'json'],
    );
  });

  it('keeps every digit, and texts as texts', () => {
    const long = '12345678901234567890';
    const given = argumentsOf(tool, { id: long, ids: `[${long}]`, a: '123', b: 'true', c: '2024', e: '4' });
    assert.equal(JSON.stringify(given), `{"id":${long},"ids":[${long}],"a":"123","b":"true","c":"2024","e":4}`);
    const task = { evaluation: { kind: 'exact' }, prompt: [] };
    assert.ok(callText(task, { name: 'get', given }, '').includes(`"id":${long},`));
  });
});

describe('a call as text', () => {
  it('is a tool_call block', () => {
    const task = { evaluation: { kind: 'exact' }, prompt: [] };
    assert.equal(
      callText(task, { name: 'book', given: { place: 'Rome', people: 2 } }, ''),
      '<tool_call>\n{"name": "book", "arguments": {"place":"Rome","people":2}}\n</tool_call>',
    );
  });

  it('is in the storekeeper’s words, counted on from what was said', () => {
    const content = 'MENU clear f0 increase f1 get f2 REQ first discard honey second add milk 3 third check milk CALL';
    const prompt = [
      { role: 'system' as const, content: '<agent>' },
      { role: 'user' as const, content },
    ];
    assert.equal(menuTools(prompt).length, 3);
    const task = { evaluation: { kind: evaluationKind }, prompt };
    assert.equal(callText(task, { name: 'f0', given: { item: 'honey' } }, ''), 'first clear f0 honey');
    const second = callText(task, { name: 'f1', given: { item: 'milk', value: 3 } }, 'first clear f0 honey');
    assert.equal(second, 'second increase f1 milk 3');
    // The menu cannot say it; it is written all the same.
    assert.match(callText(task, { name: 'f1', given: { item: 'gold' } }, ''), /^<tool_call>/);
  });
});
