import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDomain } from '../../../src/domains/checkDomain.ts';
import { domainTemplates } from '../../../src/features/domains/host/domainTemplates.ts';
import { openDomainTrial, soloExperiment } from '../../../src/features/domains/node/openTrial.ts';
import { dist } from '../../support/built.ts';

/** As a model might write them, and what becomes of each. */
const texts = [
  'Tom has 12 marbles and gives 5 away. How many has he?\n= 12 - 5',
  'A box holds 4 rows of 6 eggs, and 3 are broken. How many are whole?\n= (4 * 6) - 3',
  'Tom has 12 marbles. How many has he?\n= 12 - 5',
  'Tom has 3 pies for 2 friends. How many each?\n= 3 / 2',
  'Tom has 3 pies for 0 friends. How many each?\n= 3 / 0',
  'How many?\n= process.exit(1)',
  'I would rather not.',
];

describe('templates of domains', () => {
  let dir = '';
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-template-'));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  for (const { ending, text } of domainTemplates) {
    it(`are whole: *${ending}`, async () => {
      const file = join(dir, `mine${ending}`);
      await writeFile(file, text);
      const trial = await openDomainTrial(soloExperiment(file), dir, dist);
      try {
        assert.ok(trial.heldOut.length > 0);
        const { domain, functions, exported, base } = trial;
        const report = await checkDomain({ domain, functions, exported, tasks: base, texts });
        assert.deepEqual(report.problems, []);
        assert.equal(report.seeds, 2);
        assert.match(report.environmentPrompt?.[0]?.content ?? '', /50 % of tries:\n\nAnn has 3 apples/);
        assert.deepEqual(report.texts, {
          given: 7,
          tasks: 2,
          rejected: {
            'a number of the expression is not in the story': 1,
            'the answer is no natural number': 1,
            'its expression is no arithmetic': 1,
            'it is no story with an expression below it': 2,
          },
        });
      } finally {
        trial.close();
      }
    });
  }
});
