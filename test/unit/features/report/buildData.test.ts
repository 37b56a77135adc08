import assert from 'node:assert/strict';
import { conclude } from '../../../../src/runs/facts/conclusion.ts';
import { defaultLimits, gatherRun, reportData } from '../../../../src/features/report/node/buildData.ts';
import type { ReportData } from '../../../../src/shared/report/data.ts';
import { syntheticEvents } from '../../../support/report/syntheticEvents.ts';
import { syntheticCourse } from '../../../support/report/syntheticRun.ts';
import { syntheticData } from '../../../support/report/syntheticData.ts';
import { syntheticSource } from '../../../support/report/syntheticSource.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const small = { epochs: 6, families: 5, variations: 2, group: 4 };
const build = (options: Parameters<typeof syntheticSource>[1] = small): Promise<ReportData> => syntheticData(options);

describe('report data', () => {
  it('adds up to what the journal says', async () => {
    const data = await build();
    const events = syntheticEvents(syntheticCourse(small));
    const validated = events.filter(({ type }) => type === 'validated');
    const total = (value: (event: (typeof events)[number]) => number): number =>
      events.reduce((sum, event) => sum + value(event), 0);
    assert.equal(data.epochs.length, small.epochs);
    assert.equal(data.families.length, small.epochs * small.families);
    assert.equal(data.validation.length, validated.length);
    assert.equal(
      data.run.rollouts,
      total((event) => (event.type === 'rollouts.finished' ? event.rollouts : 0)),
    );
    assert.equal(
      data.run.tokens,
      total((event) =>
        event.type === 'tasks.generated' || event.type === 'rollouts.finished' || event.type === 'validated'
          ? (event.tokens ?? NaN)
          : 0,
      ),
    );
    const before = total((event) => (event.type === 'validated' && event.epoch === 0 ? event.seconds : 0));
    const inEpochs = total((event) => (event.type === 'epoch.finished' ? event.summary.seconds : 0));
    assert.ok(Math.abs(data.run.seconds - (before + inEpochs)) < 1e-9);
    assert.deepEqual(data.conclusion, conclude(events).sentences);
    assert.equal(data.run.state, 'finished');
    assert.equal(data.run.ending, 'all epochs done');
  });

  it('has no numbers where policies were trained by jobs, which tell none', async () => {
    const jobs = await runScripted(smallExperiment(), new MemoryRun(), { jobs: ['agent', 'environment'] });
    const source = syntheticSource('/nowhere', small);
    const events = async function* () {
      await Promise.resolve();
      yield* jobs.events;
    };
    const data = reportData(await gatherRun({ ...source, events }), 0, defaultLimits);
    assert.equal(data.epochs.length, 3);
    for (const { agent, environment } of data.epochs) {
      const { klInitial, klUpdate, entropy, gradNorm } = environment;
      assert.deepEqual(agent, { klInitial: null, klUpdate: null, entropy: null, gradNorm: null, skipped: null });
      assert.deepEqual([klInitial, klUpdate, entropy, gradNorm], [null, null, null, null]);
    }
  });

  it('gives each family as it was scored', async () => {
    const data = await build();
    const scored = syntheticEvents(syntheticCourse(small)).find((event) => event.type === 'families.scored');
    assert.ok(scored);
    for (const family of scored.families) {
      const point = data.families.find(({ epoch, id }) => epoch === 1 && id === family.id);
      assert.ok(point);
      assert.equal(point.successes, family.successRate.successes);
      assert.equal(point.attempts, family.successRate.attempts);
      assert.equal(point.p, Number(family.successRate.p?.toPrecision(5)));
      assert.ok(point.low <= point.p && point.p <= point.high);
    }
  });

  it('splits an epoch’s time into its phases without losing any', async () => {
    const data = await build();
    const seconds = data.epochs.map((row) => row.seconds);
    const finished = syntheticEvents(syntheticCourse(small)).filter((event) => event.type === 'epoch.finished');
    for (const [i, own] of seconds.entries()) {
      const { generate, attempt, agent, environment, validate, other } = own;
      const parts = [generate, attempt, agent, environment, validate, other];
      const sum = parts.reduce((all: number, part) => all + (part ?? 0), 0);
      assert.ok(Math.abs(sum - finished[i]!.summary.seconds) < 1e-3);
      assert.ok((own.other ?? -1) >= 0);
    }
  });

  it('compares every validation with the first, task by task', async () => {
    const { validation } = await build({ ...small, epochs: 12 });
    const [first, ...later] = validation;
    assert.equal(first!.epoch, 0);
    assert.equal(first!.change, null);
    for (const { change, successRate } of later) {
      assert.ok(change);
      assert.equal(
        Math.round((change.gained - change.lost) / change.difference || successRate.attempts),
        successRate.attempts,
      );
      assert.equal(change.gained - change.lost, successRate.successes - first!.successRate.successes);
    }
  });

  it('keeps what a person changed, and in which epoch', async () => {
    const data = await build({ ...small, changeAt: 4 });
    assert.deepEqual(data.changes, [{ epoch: 4, text: 'β 10 → 15', author: 'a person' }]);
    assert.deepEqual(
      data.epochs.map(({ curriculum }) => curriculum.beta),
      [10, 10, 10, 15, 15, 15],
    );
  });

  it('tells the cap of updates as it was left, and since when', async () => {
    const source = syntheticSource('/nowhere', small);
    const events = async function* () {
      for await (const event of source.events()) {
        yield event;
        if (event.type !== 'epoch.started' || event.epoch !== 3) continue;
        const change = { field: 'environment.updateKlCap', from: 0.01, to: 0.5 };
        yield { ...event, type: 'settings.changed' as const, author: 'a person', changes: [change] };
      }
    };
    const gathered = await gatherRun({ ...source, events });
    const { caps } = reportData(gathered, 0, defaultLimits);
    assert.deepEqual([caps.update, caps.since], [0.5, { update: 3, total: null }]);
  });

  it('counts equal reasons for skipped updates as one', async () => {
    const data = await build({ ...small, epochs: 20, experiment: { mode: 'coevolve' }, seed: 3 });
    const skipped = data.epochs.filter(({ environment }) => environment.skipped !== null).map(({ epoch }) => epoch);
    assert.deepEqual(
      data.skips.flatMap(({ epochs }) => epochs).sort((a, b) => a - b),
      skipped,
    );
    assert.ok(data.skips.every(({ reason }) => !/\d/.test(reason)));
    assert.ok(skipped.length > 0, 'this seed has skipped updates');
  });

  it('shows tasks from easy to hard with one good and one bad answer of their own', async () => {
    const course = syntheticCourse(small);
    const { samples } = await build();
    assert.deepEqual(
      samples.map(({ epoch }) => epoch),
      [1, 4, 6],
    );
    for (const { epoch, tasks } of samples) {
      const rates = tasks.map(({ successRate }) => successRate.p ?? NaN);
      assert.deepEqual(
        rates,
        [...rates].sort((a, b) => b - a),
      );
      const all = course.epoch(epoch).outcome.families.flatMap((family) => family.tasks);
      const every = all.map(({ successes, attempts }) => successes / attempts);
      assert.equal(rates[0], Math.max(...every), 'the easiest is among them');
      assert.equal(rates.at(-1), Math.min(...every), 'the hardest is among them');
      for (const task of tasks) {
        assert.equal(task.attempts.length, small.group);
        assert.equal(task.attempts.replaceAll('0', '').length, task.successRate.successes);
        const kinds = new Set(task.attempts);
        assert.deepEqual(new Set(task.shown.map(({ success }) => (success ? '1' : '0'))), kinds);
        for (const { success, answer } of task.shown) assert.equal(answer === task.gold, success);
      }
    }
    const traces = samples.flatMap(({ tasks }) => tasks.flatMap(({ shown }) => shown));
    assert.ok(traces.length <= 60);
  });

  it('says of a paused run what there is, and of an empty one nothing', async () => {
    const paused = await build({ ...small, unfinished: true });
    assert.equal(paused.run.state, 'paused');
    assert.equal(paused.run.epochs, small.epochs - 1);
    assert.equal(paused.epochs.at(-1)!.successRate, null);
    assert.ok(paused.epochs.at(-1)!.written > 0);
    assert.equal(paused.conclusion.length, 3);
    const empty = await build({ ...small, epochs: 0, state: 'interrupted' });
    assert.deepEqual([empty.conclusion, empty.epochs, empty.samples], [[], [], []]);
  });

  it('says which policies are frozen', async () => {
    assert.deepEqual((await build()).run.trains, { agent: true, environment: true });
    const random = await build({ ...small, experiment: { mode: 'random' } });
    assert.deepEqual(random.run.trains, { agent: true, environment: false });
  });

  it('names a task that the records lack instead of showing something else', async () => {
    const source = syntheticSource('/nowhere', small);
    const run = await gatherRun({ ...source, task: () => Promise.resolve(undefined) });
    const data = reportData(run, 0, defaultLimits);
    assert.ok(data.thinned.some((line) => line.includes('not in tasks.jsonl')));
    assert.ok(data.samples.every(({ tasks }) => tasks.length === 0));
  });

  it('says what was spent, and on what, where endpoints have prices', async () => {
    assert.equal((await build()).money, undefined);
    const { experiment } = syntheticCourse(small);
    const { agent, environment } = experiment.endpoints;
    const priced = { endpoints: { agent: { ...agent, pricePerHour: 3600 }, environment } };
    const { money, run } = await build({ ...small, experiment: priced });
    assert.ok(money !== undefined && Math.abs(money.spent - run.seconds) < 0.01, 'one a second');
    assert.ok(Math.abs(money.shares.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
    assert.deepEqual(
      new Set(money.shares.map(({ phase }) => phase)),
      new Set(['writing', 'attempts', 'updates', 'measuring', 'between phases']),
    );
  });

  it('does not take one journal for another: same run, same data', async () => {
    assert.deepEqual(await build(), await build());
    assert.notDeepEqual((await build()).families, (await build({ ...small, seed: 8 })).families);
  });
});

describe('report limits', () => {
  it('thin a big run evenly, keep what stands out, and say so', async () => {
    const options = { epochs: 60, families: 20, variations: 1, group: 4, changeAt: 14 };
    const limits = { ...defaultLimits, epochs: 20, families: 120 };
    const data = await syntheticData(options, limits);
    const epochs = data.epochs.map(({ epoch }) => epoch);
    assert.ok(epochs.length <= 23);
    assert.ok(
      [1, 14, 31, 60].every((epoch) => epochs.includes(epoch)),
      'first, changed, sampled and last',
    );
    assert.ok(data.families.length <= limits.families);
    assert.deepEqual(
      [...new Set(data.families.map(({ epoch }) => epoch))].sort((a, b) => a - b),
      epochs,
    );
    assert.equal(data.thinned.length, 3);
    assert.match(data.thinned.join(' '), /of 60 epochs.*of 61 validations.*families are drawn/s);
    const shown = data.samples.map(({ epoch }) => epoch);
    assert.deepEqual(shown, [1, 31, 60]);
    const full = await build(options);
    for (const epoch of epochs) {
      const rates = (from: ReportData): number[] => from.families.filter((f) => f.epoch === epoch).map(({ p }) => p);
      assert.equal(Math.min(...rates(data)), Math.min(...rates(full)), 'the hardest family stays');
      assert.equal(Math.max(...rates(data)), Math.max(...rates(full)), 'the easiest family stays');
    }
    assert.equal(data.run.rollouts, full.run.rollouts, 'totals are over everything');
  });

  it('say nothing of runs that fit', async () => {
    assert.deepEqual((await build()).thinned, []);
  });
});
