/** Racing in a study some of whose runs were finished before. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { executeStudy } from '../../../support/study/executeStudy.ts';

const base = {
  ...{ version: 1, preset: 'embedded', name: 'b', domain: { baseTasks: 40 } },
  ...{ generation: { families: 2, variations: 2 }, rollouts: { group: 4 }, validation: { tasks: 8 } },
};
const study = { version: 1, name: 's', base: 'base.genenv.json', seeds: [1], budget: { rollouts: 80 } };
const arms = { a: {}, b: { 'curriculum.alpha': 0.3 } };
const restedSchema = z.looseObject({
  type: z.literal('rested'),
  member: z.string(),
  summary: z.looseObject({ epochs: z.int() }),
});

describe('Racing that begins later', () => {
  let dir = '';
  after(() => rm(dir, { recursive: true, force: true }));

  it('ranks finished runs by the part that the others have spent', async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-study-'));
    await writeFile(join(dir, 'base.genenv.json'), JSON.stringify(base));
    await writeFile(join(dir, 's.study.json'), JSON.stringify({ ...study, arms }));
    assert.equal((await executeStudy(dir)).state, 'finished');
    const stop = { rule: 'halving', rounds: 2, keep: 0.4 };
    await writeFile(
      join(dir, 's.study.json'),
      JSON.stringify({ ...study, arms: { ...arms, c: { 'curriculum.alpha': 0.7 } }, stop }),
    );
    const landing = await executeStudy(dir);
    assert.equal(landing.state, 'finished', landing.failures.map(({ error }) => error.message).join());
    const lines = (await readFile(join(dir, 's.study', 'members.jsonl'), 'utf8')).trim().split('\n');
    const rested = lines.flatMap((line) => restedSchema.safeParse(JSON.parse(line)).data ?? []);
    assert.deepEqual(
      rested.map(({ summary }) => summary.epochs),
      [2, 2, 2],
    );
  });
});
