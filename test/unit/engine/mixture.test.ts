import assert from 'node:assert/strict';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Domain } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import { crashAt } from '../../support/scripted/crashAt.ts';
import { mixedDomain, mixedExperiment } from '../../support/scripted/mixed.ts';
import { MemoryRun, runScripted } from '../../support/scripted/scriptedRun.ts';

const eventsOf = <T extends JournalEvent['type']>(run: MemoryRun, type: T): EventOf<T>[] =>
  run.events.filter((event): event is EventOf<T> => event.type === type);

async function runMixed(experiment: Experiment, domain?: Domain): Promise<MemoryRun> {
  return runScripted(experiment, new MemoryRun(), { ports: { domain: domain ?? (await mixedDomain()) } });
}

const countBy = (values: readonly (string | undefined)[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(values, (value) => value ?? '')]
      .map(([name, own]) => [name, own.length] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  );

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe('a run of several domains', () => {
  it('writes families of each by its share, spread over the epoch', async () => {
    for (const [shares, families] of [
      [
        [3, 1],
        ['storekeeper', 'storekeeper', 'stairs', 'storekeeper'],
      ],
      [
        [0.1, 0.1],
        ['storekeeper', 'stairs', 'storekeeper', 'stairs'],
      ],
      [
        [1, 3],
        ['stairs', 'storekeeper', 'stairs', 'stairs'],
      ],
    ] as const) {
      const run = await runMixed(mixedExperiment({ epochs: 1 }, shares));
      const byFamily = new Map(run.tasks.map(({ family, domain }) => [family, domain]));
      assert.deepEqual([...byFamily.keys()].sort(), ['e1.f0', 'e1.f1', 'e1.f2', 'e1.f3']);
      assert.deepEqual(
        [0, 1, 2, 3].map((f) => byFamily.get(`e1.f${f}`)),
        families,
      );
    }
  });

  it('labels every task and trace, and tells seeds of equal ids apart', async () => {
    const run = await runMixed(mixedExperiment());
    assert.ok(run.tasks.every(({ domain, seed }) => domain !== undefined && seed?.startsWith(`${domain}.base.`)));
    assert.ok(run.traces.every(({ domain }) => domain === 'storekeeper' || domain === 'stairs'));
    const own = new Map(run.tasks.map(({ id, domain }) => [id, domain]));
    for (const { task, domain } of run.traces) {
      assert.equal(own.get(task) ?? task.split('.')[0], domain, task);
    }
    // Both have a `base.0`.
    const domain = await mixedDomain();
    const ids = domain.seeds('base').map(({ id }) => id);
    assert.equal(new Set(ids).size, 20);
    assert.ok(ids.includes('storekeeper.base.0') && ids.includes('stairs.base.0'));
  });

  it('fills a batch with base and pool tasks of each domain up to its share', async () => {
    const run = await runMixed(mixedExperiment({ epochs: 4, rollouts: { baseShare: 0.25, poolShare: 0.25 } }));
    for (const epoch of [2, 3, 4]) {
      const attempted = new Map(
        run.traces.filter((one) => one.purpose === 'train' && one.epoch === epoch).map((one) => [one.task, one.domain]),
      );
      const { storekeeper = 0, stairs = 0 } = countBy([...attempted.values()]);
      assert.equal(storekeeper + stairs, 16, 'the size that the experiment fixes');
      assert.ok(Math.abs(stairs - 4) <= 1, `${stairs} of 16 are a quarter`);
    }
  });

  it('has the places of each domain for itself where the first complete groups count', async () => {
    const rollouts = { baseShare: 0.25, poolShare: 0.25 };
    const usual = await runMixed(mixedExperiment({ epochs: 3, rollouts }));
    const run = await runMixed(mixedExperiment({ epochs: 3, rollouts: { ...rollouts, spare: 0.5 } }));
    const before = eventsOf(usual, 'rollouts.finished');
    for (const [i, { domains = [], tasks, dropped }] of eventsOf(run, 'rollouts.finished').entries()) {
      assert.equal(tasks, 16);
      const counts = (some: typeof domains) => some.map((one) => [one.domain, one.tasks]);
      assert.deepEqual(counts(domains), counts(before[i]?.domains ?? []));
      const out = new Set(
        (dropped?.groups ?? []).map(({ task }) => run.traces.find((one) => one.task === task)?.domain),
      );
      assert.ok(out.has('storekeeper') && out.has('stairs'), 'of both some fell out');
    }
  });

  it('tells figures of each domain that add up to those of all', async () => {
    const run = await runMixed(mixedExperiment({ rollouts: { batch: 4 } }));
    const [started] = eventsOf(run, 'run.started');
    assert.deepEqual(started?.domains, [
      { domain: 'storekeeper', share: 0.75, base: 12, validation: 5 },
      { domain: 'stairs', share: 0.25, base: 8, validation: 1 },
    ]);
    assert.equal(started.base, 20);
    for (const event of eventsOf(run, 'tasks.generated')) {
      for (const field of ['families', 'written', 'accepted'] as const) {
        assert.equal(sum(event.domains?.map((own) => own[field]) ?? []), event[field], field);
      }
    }
    for (const event of eventsOf(run, 'rollouts.finished')) {
      for (const field of ['tasks', 'rollouts', 'truncated', 'invalid'] as const) {
        assert.equal(sum(event.domains?.map((own) => own[field]) ?? []), event[field], field);
      }
    }
    for (const event of eventsOf(run, 'families.scored')) {
      const domains = event.domains ?? [];
      assert.deepEqual(
        domains.map(({ domain, families }) => [domain, families]),
        Object.entries(countBy(event.families.map(({ domain }) => domain))).toReversed(),
      );
      for (const rate of ['successRate', 'baseSuccessRate'] as const) {
        assert.equal(sum(domains.map((own) => own[rate].attempts)), event[rate].attempts);
        assert.equal(sum(domains.map((own) => own[rate].successes)), event[rate].successes);
      }
      assert.equal(sum(domains.map((own) => own.familiesKept)), event.familiesKept);
      const mean = (field: 'inBand' | 'environmentReward') =>
        sum(domains.map((own) => (own[field] ?? NaN) * own.families)) / event.families.length;
      assert.ok(Math.abs(mean('inBand') - event.inBand) < 1e-9);
      assert.ok(Math.abs(mean('environmentReward') - (event.environmentReward ?? NaN)) < 1e-9);
      if (event.familiesKept > 0) assert.ok(Math.abs(sum(domains.map(({ weight }) => weight)) - 1) < 1e-9);
    }
    for (const event of eventsOf(run, 'pools.grown')) {
      for (const field of ['addedTasks', 'addedTraces', 'tasks', 'traces'] as const) {
        assert.equal(sum(event.domains?.map(({ agent }) => agent[field]) ?? []), event.agent[field], field);
      }
      assert.equal(sum(event.domains?.map(({ environment }) => environment.size) ?? []), event.environment.size);
    }
    for (const event of eventsOf(run, 'validated')) {
      assert.deepEqual(
        event.domains?.map(({ domain, tasks }) => [domain, tasks]),
        [
          ['storekeeper', 5],
          ['stairs', 1],
        ],
      );
      assert.equal(sum(event.domains.map(({ successRate }) => successRate.successes)), event.successRate.successes);
      assert.equal(event.outcomes.length, 6);
    }
    const { summary } = eventsOf(run, 'epoch.finished').at(-1) ?? assert.fail();
    const scored = eventsOf(run, 'families.scored').at(-1);
    const validated = eventsOf(run, 'validated').at(-1);
    assert.deepEqual(
      summary.domains?.map(({ domain, successRate, validation }) => ({ domain, successRate, validation })),
      scored?.domains?.map(({ domain, successRate }, i) => ({
        ...{ domain, successRate, validation: validated?.domains?.[i]?.successRate },
      })),
    );
  });

  it('tells the environment how the agent did in the domain of its seed', async () => {
    const run = await runMixed(mixedExperiment());
    for (const { epoch, domain, generation } of run.tasks) {
      const before = eventsOf(run, 'epoch.finished').find((event) => event.epoch === epoch - 1)?.summary;
      const own = before?.domains?.find((one) => one.domain === domain);
      const text = String.fromCharCode(...(generation?.tokens ?? []));
      assert.ok(text.includes(` at ${own?.successRate.p ?? 'unknown'}`), text);
    }
  });

  it('plans the families of those domains that plan', async () => {
    const run = await runMixed(mixedExperiment(), await mixedDomain({ plans: true }));
    for (const { domain, generation } of run.tasks) assert.equal(generation?.spans.length, domain === 'stairs' ? 2 : 1);
  });

  it('asks again for golds of those domains alone that cannot execute them', async () => {
    const domain = await mixedDomain();
    const run = await runMixed(mixedExperiment({ generation: { agreementAnswers: 2, agreementShare: 0 } }), {
      ...domain,
      needsAgreement: ({ domain: name }) => name === 'stairs',
    });
    const accepted = run.tasks.filter(({ status }) => status === 'accepted');
    assert.ok(accepted.some((task) => task.domain === 'stairs'));
    for (const task of accepted)
      assert.equal(task.agreement?.answers, task.domain === 'stairs' ? 2 : undefined, task.id);
  });

  for (const mode of ['coevolve', 'random', 'static', 'release'] as const) {
    it(`resumes everywhere in mode ${mode} as if nothing had happened`, async () => {
      const experiment = mixedExperiment({ mode, rollouts: { poolShare: 0.2 } });
      const options = { ports: { domain: await mixedDomain({ plans: true }) } };
      const whole = await runScripted(experiment, new MemoryRun(), options);
      assert.ok(new Set(whole.tasks.map(({ domain }) => domain)).size === 2);
      const appends = whole.events.length + whole.tasks.length + whole.traces.length;
      const moments = Rng.from('crash', mode).shuffle(Array.from({ length: appends }, (_, i) => i));
      for (const at of moments.slice(0, 60)) {
        const crashed = await crashAt(experiment, at, options);
        await runScripted(experiment, crashed, options);
        assert.equal(crashed.text, whole.text, `journal after a crash before append ${at}`);
        assert.deepEqual(crashed.tasks, whole.tasks);
        assert.deepEqual(crashed.traces, whole.traces);
      }
    });
  }

  it('draws tasks made elsewhere by share in mode offline', async () => {
    const { tasks } = await runMixed(mixedExperiment({ epochs: 2 }, [1, 1]));
    const offlineTasks = tasks
      .filter(({ status }) => status === 'accepted')
      .map((task) => ({
        ...task,
        id: `offline.${task.id}`,
        origin: 'offline' as const,
        epoch: 0,
      }));
    const run = await runScripted(
      mixedExperiment({ mode: 'offline', generation: { variations: 1 } }),
      new MemoryRun(),
      {
        ports: { domain: await mixedDomain(), offlineTasks },
      },
    );
    const drawn = run.traces.filter(({ task, epoch }) => task.startsWith('offline.') && epoch === 1);
    assert.deepEqual(countBy([...new Map(drawn.map(({ task, domain }) => [task, domain])).values()]), {
      stairs: 1,
      storekeeper: 3,
    });
  });

  it('cuts seeds of mode release by their rank in their own domain', async () => {
    const experiment = mixedExperiment(
      { mode: 'release', generation: { families: 4, variations: 2, rankCut: 0.25 } },
      [1, 1],
    );
    const run = await runMixed(experiment);
    for (const { domains } of eventsOf(run, 'tasks.generated')) {
      assert.deepEqual(
        domains?.map(({ families }) => families),
        [4, 4],
      );
    }
  });
});
