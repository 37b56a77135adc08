import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { check } from '../../../src/benchmarks/bfcl/checker.ts';
import { OfficialStop } from '../../../src/benchmarks/bfcl/officialStop.ts';
import { str } from '../../../src/benchmarks/bfcl/python/text/repr.ts';
import { Dict, Tuple, type Value } from '../../../src/benchmarks/bfcl/python/value.ts';
import { standardised } from '../../../src/benchmarks/bfcl/valueCheck.ts';
import { benchmarkFolders } from '../../support/benchmarks/data.ts';
import { recordsOf } from '../../support/bfcl/records.ts';
import { rightCalls } from '../../support/bfcl/rightCalls.ts';

const dict = (members: Record<string, Value>): Dict => Dict.of(Object.entries(members));

/** One parameter `p` of a type, with a value, against acceptable ones. */
function one(type: Value, value: Value, answers: Value[], language: 'python' | 'java' | 'javascript' = 'python') {
  const details = typeof type === 'string' ? dict({ type }) : type;
  return check([{ name: 'f', parameters: dict({ p: value }) }], {
    functions: [{ name: 'f', properties: dict({ p: details }), required: [] }],
    expected: [{ name: 'f', parameters: new Map([['p', answers]]) }],
    language,
    category: 'simple',
    underscored: false,
  });
}
const array = (items: string, type = 'array'): Dict => dict({ type, items: dict({ type: items }) });

describe('BFCL checker', () => {
  it('tells an int from a float, and widens an int only for a float parameter', () => {
    assert.equal(one('integer', 5n, [5n]), null);
    assert.equal(one('integer', 5, [5n]), 'type_error:simple');
    assert.equal(one('float', 5n, [5]), null);
    assert.equal(one('float', true, [1]), 'type_error:simple');
    assert.equal(one('integer', 2n ** 60n + 1n, [2n ** 60n]), 'value_error:others');
  });

  it('takes the kind of the first answer too, and then compares exactly', () => {
    assert.equal(one('integer', 'x', ['x', 5n]), null);
    assert.equal(one('integer', 'X', ['x']), 'value_error:others');
    assert.equal(one('integer', 5n, ['x', 5n]), null);
    assert.equal(one('string', 5n, ['5']), 'type_error:simple');
  });

  it('compares texts without what they may differ in', () => {
    assert.equal(one('string', "New-York, 'NY'", ['new york "ny"']), null);
    assert.equal(one('string', 'a!', ['a']), 'value_error:string');
    assert.equal(standardised('A-B_c, d.e/f*g^h\t!'), 'abcdefgh\t!');
  });

  it('checks elements of one level, in their order', () => {
    assert.equal(one(array('integer'), [1n, 2n], [[1n, 2n]]), null);
    assert.equal(one(array('integer'), [2n, 1n], [[1n, 2n]]), 'value_error:list/tuple');
    assert.equal(one(array('integer'), [1n, 'x'], [[1n, 2n]]), 'type_error:nested');
    assert.equal(one(array('integer'), ['x'], [[1n], '']), 'value_error:list/tuple');
    assert.equal(one(array('string'), [], [['a'], '']), null);
    assert.equal(one(array('string'), ['A b'], [['a-b']]), null);
    assert.equal(one(array('integer'), new Tuple([1n]), [[1n]]), 'type_error:simple');
    assert.equal(one(array('integer', 'tuple'), new Tuple([1n]), [[1n]]), null);
    assert.equal(one(array('string'), ['a', 'b'], ['ab', ['c']]), 'value_error:others');
  });

  it('checks dicts key by key', () => {
    const answers = [dict({ a: [1n], b: ['x', ''] })];
    assert.equal(one('dict', dict({ a: 1n }), answers), null);
    assert.equal(one('dict', dict({ a: true, b: 'X' }), answers), null);
    assert.equal(one('dict', dict({ b: 'x' }), answers), 'value_error:dict_key');
    assert.equal(one('dict', dict({ a: 1n, c: 2n }), answers), 'value_error:dict_key');
    assert.equal(one('dict', dict({ a: 2n }), answers), 'value_error:dict_value');
    assert.equal(one('dict', dict({ a: 2n }), ['']), 'dict_checker:unclear');
    const list = [[dict({ a: [1n] }), dict({ a: [2n] })]];
    assert.equal(one(array('dict'), [dict({ a: 1n }), dict({ a: 2n })], list), null);
    assert.equal(one(array('dict'), [dict({ a: 2n }), dict({ a: 1n })], list), 'value_error:dict_value');
    assert.equal(one(array('dict'), [dict({ a: 1n })], list), 'value_error:list_dict_count');
  });

  it('reads Java’s and JavaScript’s values from their source', () => {
    assert.equal(one('long', '12L', [12n], 'java'), null);
    assert.equal(one('long', '12', [12n], 'java'), 'type_error:simple');
    assert.equal(one('float', '1.5', [1.5], 'java'), 'type_error:simple');
    assert.equal(one('char', "'a'", ["'a'"], 'java'), null);
    assert.equal(one('integer', 5n, [5n], 'java'), 'type_error:java');
    assert.equal(one('integer', 5n, [5n], 'javascript'), 'type_error:js');
    assert.equal(one(array('integer', 'Array'), 'x new int[]{1, 2} y', [[1n, 2n]], 'java'), null);
    assert.equal(
      one(array('String', 'ArrayList'), 'new ArrayList<>(Arrays.asList("a", "b"))', [['a', 'b']], 'java'),
      null,
    );
    assert.equal(one(array('String', 'ArrayList'), 'new ArrayList<>()', [[]], 'java'), null);
    const map = 'new HashMap<String, Object>() {{ put("a", 1); put("b", "x"); put("c", 2.5f); }}';
    assert.equal(one('HashMap', map, [dict({ a: [1n], b: ['x'], c: [2.5] })], 'java'), null);
    assert.equal(one('Bigint', '5n', [5n], 'javascript'), null);
    assert.equal(one('float', '5', [5], 'javascript'), null);
    assert.equal(one('float', '5e1', [50], 'javascript'), 'type_error:simple');
    assert.equal(one(array('array'), '[[1, "a"], [true]]', [[[1n, 'a'], [true]]], 'javascript'), null);
    assert.equal(one('dict', '{"a": "1", b: [1, 2]}', [dict({ a: [1n], b: [[1n, 2n]] })], 'javascript'), null);
    assert.throws(() => one('Set', 'x', ['x'], 'java'), OfficialStop);
    assert.throws(() => one('nonsense', 'x', ['x']), OfficialStop);
  });

  it('gives parallel calls to the first expected one that they fit, and never takes them back', () => {
    const functions = [{ name: 'f', properties: dict({ p: dict({ type: 'integer' }) }), required: [] }];
    const expected = [
      { name: 'f', parameters: new Map([['p', [1n, 2n]]]) },
      { name: 'f', parameters: new Map([['p', [1n]]]) },
    ];
    const calls = (...values: bigint[]) => values.map((p) => ({ name: 'f', parameters: dict({ p }) }));
    const parallel = { functions, expected, language: 'python' as const, category: 'parallel', underscored: false };
    assert.equal(check(calls(2n, 1n), parallel), null);
    assert.equal(check(calls(1n, 2n), parallel), 'parallel_function_checker_no_order:cannot_find_match');
    assert.equal(check(calls(1n), parallel), 'parallel_function_checker_no_order:wrong_count');
  });

  it('has names with underscores in function calling', () => {
    const checked = {
      functions: [{ name: 'a.b', properties: new Dict(), required: [] }],
      expected: [{ name: 'a.b', parameters: new Map() }],
      language: 'python' as const,
      category: 'simple',
    };
    const call = (name: string) => [{ name, parameters: new Dict() }];
    assert.equal(check(call('a_b'), { ...checked, underscored: true }), null);
    assert.equal(check(call('a.b'), { ...checked, underscored: true }), 'simple_function_checker:wrong_func_name');
    assert.equal(check(call('a_b'), { ...checked, underscored: false }), 'simple_function_checker:wrong_func_name');
  });

  it('finds every single thing that is changed in a right call', () => {
    const all = benchmarkFolders('bfcl').flatMap(({ folder }) => [
      ...recordsOf(folder, 'simple_python'),
      ...recordsOf(folder, 'live_simple'),
    ]);
    const records = all.filter(({ functions, expected }) => {
      const [right] = rightCalls(expected, functions, 'python');
      const isAttainable = Array.from(expected[0]?.parameters.values() ?? []).every((answers) => answers.length > 0);
      return isAttainable && right?.parameters.size !== 0;
    });
    fc.assert(
      fc.property(fc.constantFrom(...records), fc.nat(), fc.nat(4), ({ functions, expected }, which, mutation) => {
        const [right] = rightCalls(expected, functions, 'python');
        const [document] = functions;
        assert.ok(right !== undefined && document !== undefined);
        const checked = { functions, expected, language: 'python' as const, category: 'simple', underscored: false };
        assert.equal(check([right], checked), null);
        const keys = right.parameters.keys();
        const key = keys[which % keys.length] ?? null;
        const changed = Dict.of(right.parameters);
        if (mutation === 0) {
          assert.equal(
            check([{ ...right, name: `${right.name}_` }], checked),
            'simple_function_checker:wrong_func_name',
          );
        } else if (mutation === 1) {
          assert.equal(check([right, right], checked), 'simple_function_checker:wrong_count');
        } else if (mutation === 2) {
          changed.set('no such parameter', 1n);
          assert.equal(check([{ ...right, parameters: changed }], checked), 'simple_function_checker:unexpected_param');
        } else if (mutation === 3) {
          changed.delete(key);
          const mayGo = expected[0]?.parameters.get(str(key))?.includes('') === true;
          const needed = document.required.includes(str(key));
          const error = needed
            ? 'simple_function_checker:missing_required'
            : 'simple_function_checker:missing_optional';
          assert.equal(check([{ ...right, parameters: changed }], checked), mayGo && !needed ? null : error);
        } else {
          changed.set(key, null);
          assert.match(check([{ ...right, parameters: changed }], checked) ?? 'right', /^type_error:simple$|^right$/);
        }
      }),
      { numRuns: 400, seed: 7 },
    );
  });
});
