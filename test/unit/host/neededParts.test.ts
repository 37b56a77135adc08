/** Requests between the bundle's parts: those that a part needs, and no others. */
import assert from 'node:assert/strict';
import { withNeededAlone, type Built } from '../../../scripts/neededParts.mjs';

const parts = {
  'entry.cjs':
    'import{a}from"./chunks/a.cjs";import"./chunks/b.cjs";import"./chunks/effect.cjs";var text=`import"./chunks/b.cjs";`;a(text);',
  'a.cjs': 'import{b as x}from"./b.cjs";\nexport{c}from"./c.cjs";function a(t){x(t)}export{a};',
  'b.cjs': 'function b(){}export{b};',
  'c.cjs': 'var c=1;export{c};',
  'effect.cjs': 'globalThis.seen=true;',
};

const built = (): Built => ({
  outputFiles: Object.entries(parts).map(([name, text]) => ({
    path: name === 'entry.cjs' ? `/out/${name}` : `/out/chunks/${name}`,
    text,
  })),
  metafile: {
    outputs: Object.fromEntries(
      Object.keys(parts).map((name) => [
        name === 'entry.cjs' ? `out/${name}` : `out/chunks/${name}`,
        {
          imports:
            name === 'entry.cjs'
              ? ['a', 'b', 'effect'].map((to) => ({ path: `out/chunks/${to}.cjs`, kind: 'import-statement' }))
              : [],
        },
      ]),
    ),
  },
});

describe('requests between parts of the bundle', () => {
  it('go where another part asks for the same by a name', () => {
    const given = built();
    const code = withNeededAlone(given).get('/out/entry.cjs') ?? '';
    const spare = 'import"./chunks/b.cjs";';
    assert.equal(code, parts['entry.cjs'].replace(spare, ' '.repeat(spare.length)));
    assert.deepEqual(
      given.metafile.outputs['out/entry.cjs']?.imports.map(({ path }) => path),
      ['out/chunks/a.cjs', 'out/chunks/effect.cjs'],
    );
  });

  it('stay elsewhere, and no part becomes shorter', () => {
    const codes = withNeededAlone(built());
    for (const { path, text } of built().outputFiles) {
      assert.equal(codes.get(path)?.length, text.length);
      if (path !== '/out/entry.cjs') assert.equal(codes.get(path), text);
    }
  });
});
