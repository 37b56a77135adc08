import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fixedFolder, isDeep, matchesPatterns } from '../../../../src/shared/adapters/patterns.ts';

describe('file patterns', () => {
  const vectors: [string[], string, boolean][] = [
    [['*.json'], 'a.json', true],
    [['*.json'], 'x/a.json', false],
    [['**/*.json'], 'a.json', true],
    [['**/*.json'], 'x/y/a.json', true],
    [['x/**/a.json'], 'x/a.json', true],
    [['x/**'], 'x/y/z', true],
    [['a?.json'], 'ab.json', true],
    [['a?.json'], 'a/.json', false],
    [['{a,b}/c.{json,jsonl}'], 'b/c.jsonl', true],
    [['{a,b}/c.json'], 'ab/c.json', false],
    [['a+(1).json'], 'a+(1).json', true],
    [['a.json'], 'aXjson', false],
    [['*', '!b*'], 'bad', false],
    [['*', '!b*'], 'good', true],
    [['a{b'], 'a{b', true],
  ];
  for (const [patterns, path, match] of vectors) {
    it(`${patterns.join(' ')} ${match ? 'means' : 'does not mean'} ${path}`, () =>
      assert.equal(matchesPatterns(path, patterns), match));
  }

  it('say which folder to look in, and whether below it', () => {
    const looked = ['a.json', 'x/y/*.json', 'x/*/a.json', '**/a.json', '{x,y}/a.json'];
    assert.deepEqual(
      looked.map((pattern) => [fixedFolder(pattern), isDeep(pattern)]),
      [
        ['', false],
        ['x/y', false],
        ['x', true],
        ['', true],
        ['', true],
      ],
    );
  });

  it('take time in proportion to a path, however many stars there are', () => {
    const path = `${'a'.repeat(2_000)}/${'b/'.repeat(500)}c`;
    for (const pattern of [`${'*a'.repeat(100)}*x`, `${'**/'.repeat(100)}x`, `${'{*,**}'.repeat(60)}x`]) {
      assert.equal(matchesPatterns(path, [pattern]), false, pattern);
    }
  });

  it('mean what the same regular expression means', () => {
    const expressions: Record<string, string> = {
      ...{ '**/': '(?:[^/]+/)*', '**': '[^]*', '*': '[^/]*', '?': '[^/]' },
      ...{ '{': '(?:', ',': '|', '}': ')', '.': '\\.' },
    };
    const letters = fc.constantFrom('a', 'b', '.', '/', '*', '?', '**/');
    const plain = fc.string({ unit: letters, maxLength: 5 });
    const either = fc.tuple(plain, plain).map(([one, other]) => `{${one},${other}}`);
    const pattern = fc.array(fc.oneof(plain, either), { maxLength: 3 }).map((parts) => parts.join(''));
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, path, (glob, text) => {
        const form = glob.replaceAll(/\*\*\/|\*\*|[*?{},.]/g, (part) => expressions[part] ?? part);
        assert.equal(matchesPatterns(text, [glob]), new RegExp(`^${form}$`, 'u').test(text));
      }),
      { numRuns: 2_000 },
    );
  });
});
