/** Recipes of benchmarks and the storekeeper, copied as domain files: what is copied does what comes with GenEnv. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDomainTrial, soloExperiment, type DomainTrial } from '../../../src/features/domains/node/openTrial.ts';
import { copyDomain } from '../../../src/features/domains/node/copyDomain.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { openComing } from '../../../src/launch/domains/openDomain.ts';
import { openScorer } from '../../../src/launch/scoring/openScorer.ts';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { planOf, renderPlan } from '../../../src/benchmarks/storekeeper/plan.ts';
import { bodyOfPrompt } from '../../../src/benchmarks/storekeeper/task.ts';
import type { DomainBase } from '../../../src/benchmarks/recipes/recipe.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { RecipeName } from '../../../src/shared/experiment/tasks/shippedDomains.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { dist } from '../../support/built.ts';
import { alfworldSeed, bamboogleSeed, bfclSeed, bfclText, contextOf } from '../../support/recipes/seeds.ts';
import { ScriptedPolicy } from '../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const bamboogleText = JSON.stringify({
  question: 'What is the capital of the country of Kilimanjaro?',
  answer: 'Dodoma',
});

const cases: readonly { name: RecipeName; seeds: readonly Task[]; texts: readonly string[] }[] = [
  { name: 'bfcl', seeds: [bfclSeed()], texts: [bfclText(), bfclText({ question: 'A table, please.' }), 'no task'] },
  { name: 'bamboogle', seeds: [bamboogleSeed()], texts: [bamboogleText, '{"question":"No?","answer":"no"}', '{}'] },
  {
    name: 'alfworld',
    seeds: [alfworldSeed()],
    texts: ['{"task":"pick_and_place_simple","object":"mug","receptacle":"shelf","moved":[]}', 'no task'],
  },
];

describe('a recipe that is copied as a domain file', function () {
  this.timeout(120_000);
  let dir = '';
  const open: DomainTrial[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-recipe-'));
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.close();
    await rm(dir, { recursive: true, force: true });
  });

  /** A file as it is run, its seed tasks beside it. */
  async function trialOf(file: string, seeds: readonly Task[] | null, most?: Partial<Experiment['domain']>) {
    const kept = join(dir, 'seeds.jsonl');
    const lines = (seeds ?? []).map(({ id, prompt, evaluation, gold }) => ({ id, prompt, evaluation, gold }));
    await writeFile(kept, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const solo = soloExperiment(file, seeds === null ? null : kept);
    const trial = await openDomainTrial({ ...solo, domain: { ...solo.domain, ...most } }, dir, dist);
    open.push(trial);
    return trial;
  }

  async function copied(name: string): Promise<string> {
    const [file = assert.fail('a domain has a file')] = await copyDomain(name, dir, dist);
    return file;
  }

  async function coming(name: RecipeName, seeds: readonly Task[]): Promise<DomainBase> {
    const needs = { rules: await openScorer(dist, seeds), writes: true };
    const domain = await openComing(name, soloExperiment('x'), { seeds: [...seeds], heldOut: [] }, needs);
    return domain ?? assert.fail('it comes with GenEnv');
  }

  for (const { name, seeds, texts } of cases) {
    it(`asks, reads and checks as ${name} does`, async () => {
      const { domain } = await trialOf(await copied(name), seeds);
      const own = await coming(name, seeds);
      const [seed = assert.fail()] = seeds;
      for (const lately of [null, 0.2, 0.52, 0.9]) {
        const context = contextOf(seed, lately);
        assert.deepEqual(await domain.environmentPrompt(context, null), own.environmentPrompt(context, null));
      }
      for (const text of texts) {
        const parsed = own.parseTask(text, '', seed);
        assert.deepEqual(await domain.parseTask(text, '', seed), parsed);
        if (parsed.ok) assert.deepEqual(await domain.verify(parsed.draft), own.verify(parsed.draft));
        if (parsed.ok) assert.deepEqual(domain.likeness(parsed.draft), own.likeness?.(parsed.draft));
      }
      assert.equal(domain.fingerprint(seed), own.fingerprint(seed));
      assert.equal(domain.needsAgreement(seed), own.needsAgreement?.(seed) === true);
      assert.equal(domain.goldFollows(seed), own.goldFollows?.(seed) === true);
    });
  }

  it('runs the storekeeper to the same journal, tasks and traces', async () => {
    const experiment = smallExperiment({ epochs: 2, environment: { baseShare: 0.25 } });
    const trial = await trialOf(await copied('storekeeper'), null, { baseTasks: 30 });
    const own = await coming('storekeeper', trial.base);
    // Tasks of another seed: those of the run's own would be duplicates.
    const others = new StorekeeperDomain({ seed: 9, baseTasks: 40, validationTasks: 1 });
    const bodies = others.seeds('base').map((task) => ({ task, body: bodyOfPrompt(task.prompt) }));
    const texts = bodies.map(({ task, body }) => ({
      plan: renderPlan(planOf(body)),
      text: others.environmentExample(task, contextOf(task)).at(-1)?.content ?? '',
    }));
    const runs = [];
    // Posed and validation tasks are the file's in both: the recipe alone has its own tasks.
    Object.assign(own, { seeds: (split: 'base' | 'validation') => trial.domain.seeds(split) });
    for (const domain of [own, trial.domain]) {
      const run = new MemoryRun();
      const environment = new ScriptedPolicy('environment', 5, run.checkpoints.environment, run.bill, (prompt, rng) => {
        const some = texts[rng.int(texts.length)] ?? { plan: '', text: '' };
        if (!prompt.includes('TASK')) return some.plan;
        const kept = texts.filter(({ plan }) => prompt.includes(plan));
        return rng.next() < 0.2 ? 'REQ first' : (kept[rng.int(Math.max(kept.length, 1))] ?? some).text;
      });
      const agent = new ScriptedPolicy('agent', 4, run.checkpoints.agent, run.bill, (_, rng) => {
        return bodies[rng.int(3)]?.task.gold ?? '';
      });
      const scorer = trial.rules;
      await runScripted(experiment, run, { ports: { domain, scorer, agent, environment } });
      runs.push(run);
    }
    const [here = assert.fail(), file = assert.fail()] = runs;
    assert.equal(file.text, here.text);
    assert.deepEqual(file.tasks, here.tasks);
    assert.deepEqual(file.traces, here.traces);
    assert.ok(here.tasks.some(({ status }) => status === 'accepted'));
    assert.ok(here.tasks.some(({ status }) => status === 'rejected'));
  });

  it('hands what the recipe read to a parser of the file, which may refuse it', async () => {
    const file = await copied('bfcl');
    const careful = `export const parse = (text, { base }) =>
      'reject' in base ? base : base.difficulty.calls > 0 && text.includes('Luigi') ? { reject: 'no Luigi' } : base;`;
    await writeFile(file, `${await readFile(file, 'utf8')}\n${careful}\n`);
    const { domain } = await trialOf(file, [bfclSeed()]);
    const text = bfclText();
    const parsed = await domain.parseTask(text.replaceAll('Luigi', 'Mario'), '', bfclSeed());
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.note);
    const refused = await domain.parseTask(text, '', bfclSeed());
    assert.ok(!refused.ok);
    assert.equal(refused.note, 'no Luigi');
    const own = await coming('bfcl', [bfclSeed()]);
    const schema = bfclText({ functions: [] });
    assert.deepEqual(await domain.parseTask(schema, '', bfclSeed()), own.parseTask(schema, '', bfclSeed()));
  });

  it('names a recipe that there is, and seed tasks that it can vary', async () => {
    const file = await copied('bfcl');
    const said = async (work: Promise<unknown>): Promise<string> => {
      const error: unknown = await work.then(
        () => null,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof InputError);
      return error.problems.map(({ message, remedy }) => `${message} ${remedy}`).join(' ');
    };
    assert.match(await said(trialOf(file, [bamboogleSeed()])), /zambia is none for the recipe bfcl: .*“bamboogle”/);
    await writeFile(file, `export const recipe = 'bfkl';`);
    assert.match(await said(trialOf(file, [bfclSeed()])), /There is no recipe "bfkl". Did you mean “bfcl”\?/);
  });
});
