/** The rows of a run for each of its domains, counted again from its tasks, traces and outcomes. */
import assert from 'node:assert/strict';
import { CloudIndex } from '../../../webview/charts/cloud/cloudIndex.ts';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import { GuardFold } from '../../../src/runs/facts/guards/guards.ts';
import { FamilyColumns } from '../../../src/shared/calibration/familyColumns.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { domainsIn, epochOfDomain, validationOfDomain } from '../../../src/shared/report/oneDomain.ts';
import { epochRowSchema, validationRowSchema } from '../../../src/shared/report/schemas.ts';
import { mixedDomain, mixedExperiment } from '../../support/scripted/mixed.ts';
import { MemoryRun, runScripted } from '../../support/scripted/scriptedRun.ts';

const names = ['storekeeper', 'stairs'];
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a run of several domains, as one of them', () => {
  let run = new MemoryRun();
  const fold = new EpochFold();
  const eventsOf = <T extends JournalEvent['type']>(type: T): EventOf<T>[] =>
    run.events.filter((event): event is EventOf<T> => event.type === type);

  before(async () => {
    const experiment = mixedExperiment({
      epochs: 3,
      generation: { variations: 3 },
      validation: { every: 1, tasks: 8 },
    });
    run = await runScripted(experiment, new MemoryRun(), { ports: { domain: await mixedDomain() } });
    for (const event of run.events) fold.add(event);
  });

  it('has what became of its texts, its attempts and its families in every epoch', () => {
    assert.deepEqual(domainsIn(fold.rows), names);
    for (const row of fold.rows) {
      assert.deepEqual(epochRowSchema.parse(row), row);
      for (const name of names) {
        const own = epochOfDomain(row, name);
        const texts = run.tasks.filter(({ epoch, domain }) => epoch === row.epoch && domain === name);
        const accepted = texts.filter(({ status }) => status === 'accepted');
        assert.deepEqual([own.written, own.accepted], [texts.length, accepted.length]);
        const causes = Object.values(own.rejected).reduce((sum, times) => sum + times, 0);
        assert.equal(causes, texts.length - accepted.length);
        const ids = new Set(accepted.map(({ id }) => id));
        const traces = run.traces.filter(({ epoch, domain, purpose }) => {
          return epoch === row.epoch && domain === name && purpose === 'train';
        });
        assert.equal(own.rollouts, traces.length);
        const solved = traces.filter(({ task, verdict }) => ids.has(task) && verdict.success).length;
        assert.equal(own.successRate?.successes, solved);
        assert.equal(own.families, new Set(accepted.map(({ family }) => family)).size);
        const scored = eventsOf('families.scored').find(({ epoch }) => epoch === row.epoch);
        const rewards = scored?.families.flatMap(({ domain, environmentReward }) => {
          return domain === name ? [environmentReward ?? NaN] : [];
        });
        assert.ok(Math.abs((own.environmentReward ?? 0) - mean(rewards ?? [])) < 1e-12);
        assert.deepEqual(own.agent, row.agent, 'updates are the whole run’s');
      }
      assert.equal(epochOfDomain(row, 'nowhere').successRate, null);
    }
    assert.equal(
      new Set(fold.rows.flatMap(({ domains = [] }) => domains.map(({ written }) => written))).size > 1,
      true,
    );
  });

  it('has the quality of its own tasks, which is not that of all', () => {
    const last = fold.rows.at(-1);
    assert.ok(last !== undefined);
    const [whole, store, stairs] = [last.quality, ...names.map((name) => epochOfDomain(last, name).quality)];
    assert.equal((store?.tasks ?? 0) + (stairs?.tasks ?? 0), whole?.tasks);
    assert.notEqual(store?.drift.first, null);
    assert.notDeepEqual(store?.distinct, whole?.distinct);
  });

  it('has its own validations, each against its first, task by task', () => {
    const validated = eventsOf('validated');
    const [first] = validated;
    for (const event of validated) {
      const row = fold.validation(event.epoch);
      assert.ok(row !== undefined && first !== undefined);
      assert.deepEqual(validationRowSchema.parse(row), row);
      let from = 0;
      for (const { domain, tasks } of event.domains ?? []) {
        const own = validationOfDomain(row, domain);
        const before: string = first.outcomes.slice(from, from + tasks);
        const after = event.outcomes.slice(from, from + tasks).split('');
        const gained = after.filter((one, task) => one === '1' && before[task] === '0').length;
        assert.equal(own?.change?.gained ?? null, event === first ? null : gained);
        from += tasks;
      }
      assert.equal(from, event.outcomes.length);
      assert.equal(validationOfDomain(row, 'nowhere'), null);
    }
  });

  it('has its own families in the cloud, after they went over a wire', () => {
    const sent = new FamilyColumns();
    for (const event of eventsOf('families.scored')) sent.add(event, { estimate: 'mean', filter: 'hard' });
    const columns = new FamilyColumns();
    columns.append(sent.block(0, 1));
    columns.append(sent.block(1, sent.epochs.length));
    const index = new CloudIndex(columns);
    index.sync();
    assert.equal(index.count, columns.count);
    let together = 0;
    for (const name of names) {
      index.choose(name);
      const families = eventsOf('families.scored').flatMap((event) =>
        event.families.filter((one) => one.domain === name),
      );
      assert.equal(index.count, families.length);
      for (let place = 0; place < index.count; place++) assert.equal(columns.domainOf(index.family[place] ?? 0), name);
      together += index.count;
    }
    assert.equal(together, columns.count);
    index.choose(null);
    assert.equal(index.count, columns.count);
  });

  it('is warned of when it collapses, though the whole does not', () => {
    const [written] = eventsOf('tasks.generated');
    assert.ok(written?.quality !== undefined);
    const { quality } = written;
    const sharing = (largest: number) => ({
      ...{ ...quality, tasks: 32, clusters: { count: 2, largest, seeds: 0.1 } },
    });
    const guards = new GuardFold([{ parent: null, experiment: mixedExperiment({ mode: 'coevolve' }) }]);
    for (const epoch of [1, 2]) {
      const domains = written.domains?.map((own) => ({
        ...own,
        quality: sharing(own.domain === 'stairs' ? 0.8 : 0.1),
      }));
      guards.add({ ...written, epoch, rejected: {}, quality: sharing(0.2), ...(domains && { domains }) });
    }
    const [found, ...more] = guards.findings();
    assert.equal(more.length, 0);
    assert.equal(found?.guard, 'collapse');
    assert.match(found.message, /^In the domain stairs: Collapse: 80 %/);
  });
});
