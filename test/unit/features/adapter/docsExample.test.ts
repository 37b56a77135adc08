import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';

const page = readFileSync(new URL('../../../../docs/adapters.md', import.meta.url), 'utf8');

describe('the examples of docs/adapters.md', () => {
  it('are an adapter, and a recipe that makes all that it needs', () => {
    const blocks = [...page.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
    const [adapter = ''] = blocks;
    const recipe = blocks.find((block) => block.startsWith('"recipe"')) ?? assert.fail();
    const whole = `${adapter.slice(0, -1).trimEnd()}\n${recipe}\n}`;
    for (const text of [adapter, whole]) {
      const read = readAdapter(text, 'cities.adapter.json');
      assert.deepEqual(read.problems, []);
      assert.equal(read.adapter?.recipe !== undefined, text === whole);
    }
  });
});
