import assert from 'node:assert/strict';
import { fixedFolder, isDeep, matchesPatterns } from '../../../src/shared/adapters/patterns.ts';

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
});
