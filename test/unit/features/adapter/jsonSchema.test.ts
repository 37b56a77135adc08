/** JSON Schema as its specification has it, and schemas that cannot be used. */
import assert from 'node:assert/strict';
import { jsonSchema } from '../../../../src/benchmarks/rules/jsonSchema.ts';
import { Unfit } from '../../../../src/benchmarks/rules/rule.ts';

type Schema = Record<string, unknown>;
const follows = (schema: Schema, value: unknown): boolean => {
  const options = { schema };
  return jsonSchema.judge(JSON.stringify(value), jsonSchema.readGold('', options), options).success;
};

/** A schema, what follows it, and what does not. */
const vectors: [Schema, unknown[], unknown[]][] = [
  // A keyword of objects says nothing of other values, and needs no type beside it.
  [{ properties: { a: { type: 'string' } } }, ['x', { a: 'x' }, {}], [{ a: 1 }]],
  [{ required: ['a'] }, [3, { a: null }], [{}]],
  [{ minimum: 3 }, ['1', 3], [2.9]],
  [{ type: 'integer' }, [1, 1.0, 1e300], [1.5, '1']],
  [{ type: ['string', 'null'] }, ['', null], [0]],
  [{ if: { type: 'string' }, then: { minLength: 3 }, else: { type: 'null' } }, ['abc', null], ['ab', 1]],
  [{ not: { type: 'string' } }, [1], ['a']],
  [{ $defs: { s: { type: 'string' } }, $ref: '#/$defs/s', minLength: 3 }, ['abc'], ['a', 3]],
  [{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1 }, { b: 1 }], [{}]],
  [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, [1.5], [3, 'a']],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [3]],
  [{ enum: [{ a: 1 }, [1], 'x'] }, [{ a: 1 }, [1], 'x'], [{ a: 2 }, 1]],
  [{ const: { a: [1] } }, [{ a: [1] }], [{ a: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    { patternProperties: { '^a': { type: 'number' } }, additionalProperties: false },
    [{ ab: 1 }],
    [{ ab: 'x' }, { b: 1 }],
  ],
  [{ prefixItems: [{ type: 'number' }], items: false }, [[], [1]], [[1, 2], ['a']]],
  [{ contains: { type: 'number' }, maxContains: 1 }, [[1, 'a']], [['a'], [1, 2]]],
  [
    { uniqueItems: true },
    [[1, '1', { a: 1 }]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [{ multipleOf: 0.01 }, [0.07, 4.02], [0.075]],
  [{ maxLength: 1 }, ['😀'], ['ab']],
  [{ propertyNames: { pattern: '^a' }, minProperties: 1 }, [{ ab: 1 }], [{ b: 1 }, {}]],
  [{ format: 'date' }, ['2024-02-29', 3], ['2023-02-30']],
  [
    {
      $defs: { tree: { properties: { left: { $ref: '#/$defs/tree' } }, additionalProperties: false } },
      $ref: '#/$defs/tree',
    },
    [{ left: { left: {} } }],
    [{ left: { left: { right: 1 } } }],
  ],
  [{ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'number' }] }, [[1, 'a']], [['a']]],
  [{ properties: { a: false } }, [{}], [{ a: 1 }]],
  [{ additionalProperties: false }, [{}], [JSON.parse('{"__proto__": 1}')]],
];

/** A schema, and what is said of it. */
const unusable: [Schema, RegExp][] = [
  [{ type: 'strin' }, /type/],
  [{ properties: { a: { type: 'text' } } }, /properties\.a/],
  [{ pattern: '(' }, /pattern: it is no regular expression/],
  [{ required: 'a' }, /required/],
  [{ minLength: -1 }, /minLength/],
  [{ $ref: '#/$defs/none' }, /there is no #\/\$defs\/none in it/],
  [{ $ref: 'https://example.org/schema' }, /there is no https/],
  [{ $ref: '#' }, /refers to itself without end/],
  [{ items: [{}] }, /prefixItems/],
];

describe('the rule of JSON Schema', () => {
  for (const [schema, right, wrong] of vectors) {
    it(JSON.stringify(schema).slice(0, 90), () => {
      for (const value of right) assert.equal(follows(schema, value), true, JSON.stringify(value));
      for (const value of wrong) assert.equal(follows(schema, value), false, JSON.stringify(value));
    });
  }

  it('says where and what, and leaves the schema as it was', () => {
    const schema = { type: 'object', properties: { a: { items: { type: 'integer' } } } };
    const before = JSON.stringify(schema);
    const { note } = jsonSchema.judge('{"a": [1, "x"]}', jsonSchema.readGold('', { schema }), { schema });
    assert.match(note ?? '', /^\/a\/1: .*integer/);
    assert.equal(JSON.stringify(schema), before);
    assert.deepEqual(Object.getOwnPropertyNames(schema), ['type', 'properties']);
  });

  for (const [schema, message] of unusable) {
    it(`refuses ${JSON.stringify(schema)}`, () => {
      assert.throws(
        () => jsonSchema.readGold('', { schema }),
        (error) => error instanceof Unfit && message.test(error.message),
      );
    });
  }
});
