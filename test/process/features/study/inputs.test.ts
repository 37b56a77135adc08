/** Files of a study that change: between its runs, and before it begins anew. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStudy } from '../../../../src/features/study/node/openStudy.ts';
import type { StudyLanding } from '../../../../src/features/study/node/runStudy.ts';
import { executeStudy as run } from '../../../support/study/executeStudy.ts';

const base = {
  ...{ version: 1, preset: 'embedded', name: 'b', domain: { baseTasks: 40 } },
  ...{ generation: { families: 2, variations: 2 }, rollouts: { group: 2 }, validation: { tasks: 8 } },
  reward: { file: 'mine.reward.ts' },
};
const study = {
  ...{ version: 1, name: 's', base: 'base.genenv.json', arms: { a: {}, b: { 'curriculum.alpha': 0.3 } }, seeds: [1] },
  budget: { updates: 1 },
};
const reward = `import { paid } from './paid.ts';
export function reward() { return { success: paid > 0, reward: paid }; }
`;

describe('A study whose files change', () => {
  const dirs: string[] = [];
  after(async () => {
    for (const dir of dirs) await rm(dir, { recursive: true, force: true });
  });

  const fresh = async (): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-study-'));
    dirs.push(dir);
    await writeFile(join(dir, 'base.genenv.json'), JSON.stringify(base));
    await writeFile(join(dir, 's.study.json'), JSON.stringify(study));
    await writeFile(join(dir, 'mine.reward.ts'), reward);
    await writeFile(join(dir, 'paid.ts'), 'export const paid = 0;\n');
    return dir;
  };

  const runsOf = async (dir: string): Promise<string[]> =>
    (await readdir(join(dir, 'runs'))).filter((name) => !name.startsWith('.'));
  const refused = ({ failures }: StudyLanding): string => failures.map(({ error }) => error.message).join();

  for (const [file, text] of [
    ['mine.reward.ts', 'export const reward = () => ({ success: true, reward: 1 });\n'],
    ['paid.ts', 'export const paid = 1;\n'],
  ] as const) {
    it(`makes no run with another ${file} than the runs before it`, async () => {
      const dir = await fresh();
      const before = file === 'paid.ts' ? 'export const paid = 0;\n' : reward;
      const edited = await run(dir, { onFinished: () => void writeFile(join(dir, file), text) });
      assert.equal(edited.state, 'failed');
      assert.match(refused(edited), /reward\.file/);
      assert.equal((await runsOf(dir)).length, 1, 'nothing is left of the refused run');
      await writeFile(join(dir, file), before);
      assert.equal((await run(dir)).state, 'finished');
    });
  }

  it('takes over runs that were made from the same files, and no others', async () => {
    const dir = await fresh();
    assert.equal((await run(dir)).state, 'finished');
    await rename(join(dir, 's.study'), join(dir, 'before.study'));
    assert.equal((await run(dir)).state, 'finished');
    assert.equal((await runsOf(dir)).length, 2);
    await rename(join(dir, 's.study'), join(dir, 'again.study'));
    await writeFile(join(dir, 'paid.ts'), 'export const paid = 1;\n');
    assert.equal((await run(dir)).state, 'finished');
    assert.equal((await runsOf(dir)).length, 4, 'the old reward judged the others');
  });

  it('runs no member again whose run it cannot look at', async () => {
    const dir = await fresh();
    const { folder, plan } = await openStudy(dir, 's.study.json');
    const [first] = plan.members;
    assert(first !== undefined);
    await mkdir(join(dir, 's.study'));
    await folder.append({ v: 1, type: 'began', member: first.name, run: 'begun' });
    await mkdir(join(dir, 'runs', 'begun'), { recursive: true });
    await symlink('run.json', join(dir, 'runs', 'begun', 'run.json'));
    const landed = await run(dir);
    assert.equal(landed.state, 'failed');
    assert.match(refused(landed), /cannot read.*ELOOP/);
    assert.equal((await runsOf(dir)).length, 2, 'that of the other member is made');
  });
});
