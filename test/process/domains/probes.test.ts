/** Domains that ship, and templates, tried for functions that tell nothing apart: none of them is blamed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDomain } from '../../../src/domains/checkDomain.ts';
import { doubtsOfJudging, doubtsOfWriting } from '../../../src/domains/probes.ts';
import { domainTemplates } from '../../../src/features/domains/host/domainTemplates.ts';
import { openDomainTrial, soloExperiment } from '../../../src/features/domains/node/openTrial.ts';
import { openComing } from '../../../src/launch/domains/openDomain.ts';
import { openScorer } from '../../../src/launch/scoring/openScorer.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema } from '../../../src/shared/experiment/schema.ts';
import { dist } from '../../support/built.ts';
import { alfworldSeed, bamboogleSeed, bfclSeed } from '../../support/recipes/seeds.ts';

describe('a domain that ships', function () {
  this.timeout(120_000);

  for (const name of ['stories', 'storekeeper'] as const) {
    it(`tells texts, tasks and answers apart: ${name}`, async () => {
      const rules = await openScorer(dist);
      const experiment = experimentSchema.parse(withPreset({ preset: 'default', name, domain: { name } }));
      const domain = await openComing(name, experiment, { seeds: null, heldOut: null }, { rules, writes: true });
      assert.ok(domain !== null);
      const tasks = domain.seeds('base');
      assert.deepEqual(await doubtsOfWriting(domain, tasks, true), []);
      const score = (task: (typeof tasks)[number], content: string) =>
        rules.score(task, { messages: [{ role: 'assistant', content }], stopReason: 'stop' });
      const gold = (task: (typeof tasks)[number]): string => rules.goldAnswer(task) ?? task.gold ?? '';
      assert.deepEqual(await doubtsOfJudging(tasks, score, gold), []);
    });
  }

  it('tells texts and tasks apart by the recipe of a benchmark', async () => {
    const rules = await openScorer(dist);
    for (const [name, seed] of [
      ['bfcl', bfclSeed()],
      ['bamboogle', bamboogleSeed()],
      ['alfworld', alfworldSeed()],
    ] as const) {
      const experiment = experimentSchema.parse(
        withPreset({ preset: 'default', name, domain: { name, seeds: 'seeds.jsonl' } }),
      );
      const domain = await openComing(name, experiment, { seeds: [seed], heldOut: null }, { rules, writes: true });
      assert.ok(domain !== null);
      assert.deepEqual(await doubtsOfWriting(domain, [seed], true), [], name);
    }
  });

  it('is a template of New Domain…, tried with its held-out tasks', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-probes-'));
    try {
      for (const { tasks, ending, text } of domainTemplates) {
        const file = join(dir, `${tasks}${ending}`);
        await writeFile(file, text);
        const trial = await openDomainTrial(soloExperiment(file), dir, dist);
        try {
          const { domain, functions, exported, base, heldOut, heldOutLike } = trial;
          const report = await checkDomain({
            domain,
            functions,
            exported,
            heldOutLike,
            tasks: [...base, ...heldOut],
            texts: null,
          });
          assert.deepEqual(report.problems, [], file);
        } finally {
          trial.close();
        }
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});
