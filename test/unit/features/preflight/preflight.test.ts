import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { preflight, type Cleared } from '../../../../src/features/preflight/node/preflight.ts';
import { checkIds, type Check, type CheckId } from '../../../../src/features/preflight/contract.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { tiny } from '../../../support/tiny.ts';

interface Outcome {
  checks: Map<CheckId, Check>;
  /** Every change, in order: `experiment running`. */
  course: string[];
  cleared: Cleared | null;
}

describe('the checks before a run', function () {
  this.timeout(240_000);
  let dir = '';
  let scratch = '';
  let before: string | undefined;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-preflight-'));
    scratch = join(dir, 'scratch');
    await mkdir(scratch);
    before = process.env['TMPDIR'];
    process.env['TMPDIR'] = scratch;
  });

  afterEach(async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    assert.deepEqual(await readdir(scratch), [], 'what was rehearsed is cleaned up');
    await rm(dir, { recursive: true, force: true });
  });

  async function check(
    experiment: object | string,
    over: { root?: string; dist?: URL; onUpdate?: (check: Check, controller: AbortController) => void } = {},
  ): Promise<Outcome> {
    const outcome: Outcome = { checks: new Map(), course: [], cleared: null };
    const controller = new AbortController();
    const updates = preflight({
      file: 'mine.genenv.json',
      text: typeof experiment === 'string' ? experiment : JSON.stringify(experiment, null, 2),
      directory: dir,
      root: over.root ?? join(dir, '.genenv', 'runs'),
      dist: over.dist ?? dist,
      clock: Date,
      keys: environmentKeys({}),
      log: { info: () => undefined, warn: () => undefined },
      signal: controller.signal,
    });
    for await (const update of updates) {
      if ('work' in update) outcome.cleared = update;
      else {
        outcome.checks.set(update.id, update);
        outcome.course.push(`${update.id} ${update.state}`);
        over.onUpdate?.(update, controller);
      }
    }
    return outcome;
  }

  const states = ({ checks }: Outcome): string[] => checkIds.map((id) => checks.get(id)?.state ?? 'missing');
  const only = ({ checks }: Outcome, id: CheckId) => {
    const found = checks.get(id)?.findings ?? [];
    assert.equal(found.length, 1, JSON.stringify(found));
    return found[0]!;
  };

  it('count the tasks of a file that are left out, and find each at its line', async () => {
    const [one, two] = new StorekeeperDomain({ baseTasks: 2 }).seeds('base').map(({ prompt, evaluation, gold }) => ({
      ...{ prompt, evaluation, gold },
    }));
    const lines = [
      { id: 'a', ...one },
      { id: 'b', ...two },
      { id: 'c', ...one },
    ].map((task) => JSON.stringify(task));
    await writeFile(join(dir, 'mine.jsonl'), lines.join('\n'));
    const outcome = await check({ ...tiny, domain: { seeds: 'mine.jsonl' } });
    const inputs = outcome.checks.get('inputs');
    assert.equal(inputs?.state, 'warned');
    assert.match(inputs.message, /mine\.jsonl: 2 of 3 tasks can be used\. Left out: 1 twice \(line 3\)\./);
    const { file, line, message } = only(outcome, 'inputs');
    assert.deepEqual(
      [file, line, message],
      [join(dir, 'mine.jsonl'), 3, 'It is the same task as line 1, and is left out.'],
    );
  });

  it('all pass for an experiment that can run, in order, each told as it begins', async () => {
    const outcome = await check(tiny);
    assert.deepEqual(
      states(outcome),
      checkIds.map(() => 'passed'),
    );
    assert.deepEqual([...outcome.checks.keys()], [...checkIds]);
    assert.match(outcome.checks.get('experiment')?.message ?? '', /^It trains on tasks of the domain storekeeper\. “/);
    const frozen = await check({ ...tiny, mode: 'random', agent: { train: false } });
    assert.match(
      frozen.checks.get('experiment')?.message ?? '',
      /^It attempts tasks of the domain storekeeper, and trains nothing\. “/,
    );
    const { prompts = [] } = outcome.checks.get('inputs')!;
    assert.deepEqual(
      prompts.map(({ reader }) => reader),
      ['environment', 'agent'],
    );
    assert.match(prompts[0]?.text ?? '', /^\[system\]\n<env>\n\n\[user\]\n/);
    assert.match(prompts[1]?.text ?? '', /^\[system\]\n<agent>\n\n\[user\]\nMENU .* CALLS$/);
    assert.deepEqual(outcome.course.slice(0, 3), ['experiment running', 'experiment passed', 'inputs running']);
    assert.equal(outcome.cleared?.experiment?.name, 'tiny');
    const { work } = outcome.cleared;
    assert.equal(work?.basis, 'measured');
    assert.equal(work.rollouts.run, 2 * 9 * 4);
    assert.ok(work.tokens.run > 1000);
    assert.match(outcome.checks.get('trial')?.message ?? '', /wrote \d+ texts?, .* solved \d of \d attempts/);
    assert.match(outcome.checks.get('disk')?.message ?? '', /about [\d.,]+ MB.* free/);
    assert.ok(!(await readdir(dir)).includes('.genenv'), 'nothing is made where runs are kept');
  });

  for (const mode of ['random', 'static', 'release'] as const) {
    it(`pass in mode ${mode}`, async () => {
      assert.deepEqual(
        states(await check({ ...tiny, environment: {}, mode })),
        checkIds.map(() => 'passed'),
      );
    });
  }

  it('stop at an experiment that is broken, with every problem at its line', async () => {
    const outcome = await check('{\n  "preset": "embedded",\n  "curriculum": { "alpha": 2 },\n  "epoch": 3\n}\n');
    assert.deepEqual(states(outcome), ['failed', ...checkIds.slice(1).map(() => 'skipped')]);
    const { findings } = outcome.checks.get('experiment')!;
    assert.deepEqual(
      findings.map(({ field, line, severity }) => [field, line, severity]),
      [
        ['curriculum.alpha', 3, 'error'],
        ['epoch', 4, 'error'],
      ],
    );
    assert.equal(outcome.cleared?.experiment, null);
  });

  it('warn of a contradiction and go on', async () => {
    const outcome = await check({ ...tiny, curriculum: { ...tiny.curriculum, scope: 'epoch' } });
    assert.equal(outcome.checks.get('experiment')?.state, 'warned');
    assert.equal(only(outcome, 'experiment').field, 'curriculum.scope');
    assert.equal(outcome.checks.get('trial')?.state, 'passed');
    assert.notEqual(outcome.cleared?.experiment, null);
  });

  it('say where a task file is named that is not there', async () => {
    const outcome = await check({ ...tiny, domain: { seeds: 'nowhere.jsonl' } });
    assert.deepEqual(states(outcome).slice(0, 6), ['passed', 'failed', 'passed', 'skipped', 'skipped', 'skipped']);
    const finding = only(outcome, 'inputs');
    assert.deepEqual([finding.file, finding.field], ['mine.genenv.json', 'domain.seeds']);
    assert.ok(finding.line > 1);
    assert.match(finding.message, /nowhere\.jsonl/);
    assert.notEqual(finding.remedy, '');
    assert.equal(outcome.cleared?.work?.basis, 'limits', 'what it costs at most is known all the same');
  });

  it('say which line of a task file is wrong', async () => {
    const [task] = new StorekeeperDomain({ baseTasks: 1 }).seeds('base');
    const { prompt, evaluation, gold } = task!;
    const good = JSON.stringify({ id: 'one', prompt, evaluation, gold });
    const bad = JSON.stringify({ id: 'two', prompt, evaluation, gold: 'first get f0 rice' });
    await writeFile(join(dir, 'seeds.jsonl'), `${good}\n${bad}\n`);
    const finding = only(await check({ ...tiny, domain: { seeds: 'seeds.jsonl' } }), 'inputs');
    assert.deepEqual([finding.file, finding.line, finding.field], [join(dir, 'seeds.jsonl'), 2, 'gold']);
  });

  it('say that a file of base tasks holds too few for every epoch', async () => {
    const tasks = new StorekeeperDomain({ baseTasks: 2 }).seeds('base');
    const lines = tasks.map(({ prompt, evaluation, gold }) => JSON.stringify({ prompt, evaluation, gold }));
    await writeFile(join(dir, 'seeds.jsonl'), lines.join('\n'));
    const outcome = await check({
      ...{ ...tiny, domain: { seeds: 'seeds.jsonl' } },
      rollouts: { ...tiny.rollouts, baseShare: 0.75 },
    });
    const finding = only(outcome, 'work');
    assert.deepEqual([finding.field, finding.severity], ['domain.baseTasks', 'warning']);
    assert.match(finding.message, /asks for \d+ base tasks an epoch, and there are 2/);
    assert.equal(outcome.cleared?.work?.fewBase, true);
  });

  it('rehearse with tasks made elsewhere in mode offline', async () => {
    const tasks = new StorekeeperDomain({ baseTasks: 6 }).seeds('base').slice(2);
    const lines = tasks.map(({ prompt, evaluation, gold }, i) =>
      JSON.stringify({ id: `t${i}`, prompt, evaluation, gold }),
    );
    await writeFile(join(dir, 'offline.jsonl'), lines.join('\n'));
    const outcome = await check({
      ...{ ...tiny, environment: {}, mode: 'offline' },
      generation: { ...tiny.generation, offlineFile: 'offline.jsonl' },
    });
    assert.deepEqual(
      states(outcome),
      checkIds.map(() => 'passed'),
    );
    assert.match(outcome.checks.get('trial')?.message ?? '', /^The agent solved/);
    assert.equal(outcome.cleared?.work?.texts.run, 0);
  });

  it('say where weights are named that cannot be loaded', async () => {
    await writeFile(join(dir, 'mine.bin'), 'not weights');
    const outcome = await check({ ...tiny, endpoints: { agent: { weights: 'mine.bin' } } });
    assert.equal(outcome.checks.get('weights')?.state, 'failed');
    const finding = only(outcome, 'weights');
    assert.deepEqual([finding.file, finding.field], ['mine.genenv.json', 'endpoints.agent.weights']);
    assert.match(finding.message, /mine\.bin/);
    assert.equal(outcome.checks.get('endpoints')?.state, 'skipped');
  });

  it('fail when weights are loaded that do not speak the language of the domain', async () => {
    // The two warm starts are each other's wrong weights: both load, neither does the other's work.
    for (const role of ['agent', 'environment'] as const) {
      await copyFile(new URL(`weights/${role}.bin`, dist), join(dir, `${role}.bin`));
    }
    const outcome = await check({
      ...tiny,
      endpoints: { agent: { weights: 'environment.bin' }, environment: { weights: 'agent.bin' } },
    });
    assert.equal(outcome.checks.get('endpoints')?.state, 'passed');
    const trial = outcome.checks.get('trial');
    assert.equal(trial?.state, 'failed');
    const finding = trial.findings.find(({ field }) => field === 'endpoints.environment');
    assert.equal(finding?.severity, 'error');
    // Four texts could all be bad luck.
    const [, texts] = /^None of (\d+) texts of the environment became a task/.exec(finding.message) ?? [];
    assert.ok(Number(texts) >= 16, finding.message);
  });

  it('fail when an endpoint’s files are missing', async () => {
    const outcome = await check(tiny, { dist: new URL(`file://${dir}/`) });
    assert.deepEqual(states(outcome).slice(3, 6), ['failed', 'skipped', 'skipped']);
    assert.equal(only(outcome, 'endpoints').field, 'endpoints');
  });

  it('fail where runs cannot be kept', async () => {
    await writeFile(join(dir, 'file'), '');
    const outcome = await check(tiny, { root: join(dir, 'file', 'runs') });
    assert.equal(outcome.checks.get('disk')?.state, 'failed');
    assert.match(only(outcome, 'disk').message, /cannot be kept/);
  });

  for (const at of ['inputs', 'endpoints', 'trial'] as const) {
    it(`end without a word when they are cancelled at ${at}`, async () => {
      const outcome = await check(tiny, {
        onUpdate: ({ id, state }, controller) => {
          if (id === at && state === 'running') controller.abort();
        },
      });
      assert.equal(outcome.cleared, null);
      assert.ok(!outcome.course.some((step) => step.startsWith('disk')));
    });
  }
});
