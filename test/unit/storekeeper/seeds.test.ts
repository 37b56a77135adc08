import assert from 'node:assert/strict';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { taskSchema } from '../../../src/shared/records/task.ts';

describe('storekeeper: seeds', () => {
  const domain = new StorekeeperDomain();
  const base = domain.seeds('base');
  const validation = domain.seeds('validation');

  it('are 544 base and 400 validation tasks that verify, no two alike', () => {
    assert.equal(base.length, 544);
    assert.equal(validation.length, 400);
    const all = [...base, ...validation];
    for (const task of all) {
      taskSchema.parse(task);
      assert.deepEqual(domain.verify(task), { ok: true });
    }
    assert.equal(new Set(all.map((task) => domain.fingerprint(task))).size, all.length);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  });

  it('base tasks are mostly short, validation tasks have 1 … 8 steps in equal numbers', () => {
    const histogram = (tasks: typeof base) => {
      const counts = new Map<number, number>();
      for (const { complexity } of tasks)
        counts.set(complexity['steps'] ?? 0, (counts.get(complexity['steps'] ?? 0) ?? 0) + 1);
      return [...counts].sort(([a], [b]) => a - b);
    };
    const steps = histogram(base);
    assert.deepEqual(
      steps.map(([k]) => k),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    const short = steps.filter(([k]) => k <= 3).reduce((sum, [, n]) => sum + n, 0);
    assert.ok(short > base.length * 0.6 && short < base.length * 0.8, String(short));
    for (const [, n] of histogram(validation)) assert.ok(Math.abs(n - 50) <= 3, String(n));
    assert.equal(histogram(validation).length, 8);
  });

  it('are written without holding up the thread, and are then the same', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      again = setImmediate(count);
    };
    let again = setImmediate(count);
    const opened = await StorekeeperDomain.open({ seed: 977 });
    clearImmediate(again);
    assert.ok(turns > 0);
    const made = new StorekeeperDomain({ seed: 977 });
    assert.deepEqual(opened.seeds('base'), made.seeds('base'));
    assert.deepEqual(opened.seeds('validation'), made.seeds('validation'));
  });

  it('are the same every time, other seeds give others, and smaller sets are their beginnings', () => {
    const again = new StorekeeperDomain({ baseTasks: 100, validationTasks: 50 });
    assert.deepEqual(again.seeds('base'), base.slice(0, 100));
    assert.deepEqual(again.seeds('validation'), validation.slice(0, 50));
    const other = new StorekeeperDomain({ seed: 1 });
    assert.notDeepEqual(other.seeds('base')[0], base[0]);
    const ids = new Set([...base, ...validation].map(({ id }) => id));
    for (const split of ['base', 'validation'] as const) assert.ok(!other.seeds(split).some(({ id }) => ids.has(id)));
  });

  it('says how many there are when more are asked for', () => {
    assert.throws(() => new StorekeeperDomain({ baseTasks: 545 }), /has 544 base and 400 validation tasks/);
  });

  it('poses tasks that a person supplied in its own way, and refuses those that are held out', () => {
    const own = base.slice(0, 3).map((task, i) => ({ ...task, id: `mine.${i}` }));
    const posed = new StorekeeperDomain({ baseTasks: own, multiTurn: true }).seeds('base');
    assert.deepEqual(
      posed.map(({ id }) => id),
      ['mine.0', 'mine.1', 'mine.2'],
    );
    assert.match(posed[0]?.prompt[1]?.content ?? '', /CALL$/);
    assert.throws(() => new StorekeeperDomain({ baseTasks: validation.slice(0, 1) }), { reason: 'held-out' });
  });
});
