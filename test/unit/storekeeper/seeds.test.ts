import assert from 'node:assert/strict';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { parseSeedTasks, SeedFileError } from '../../../src/benchmarks/storekeeper/seedFile.ts';
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
      [1, 2, 3, 4, 5, 6],
    );
    const short = steps.filter(([k]) => k <= 3).reduce((sum, [, n]) => sum + n, 0);
    assert.ok(short > base.length * 0.6 && short < base.length * 0.8, String(short));
    for (const [, n] of histogram(validation)) assert.ok(Math.abs(n - 50) <= 3, String(n));
    assert.equal(histogram(validation).length, 8);
  });

  it('are the same every time, other seeds give others, and smaller sets are their beginnings', () => {
    const again = new StorekeeperDomain({ baseTasks: 100, validationTasks: 50 });
    assert.deepEqual(again.seeds('base'), base.slice(0, 100));
    assert.deepEqual(again.seeds('validation'), validation.slice(0, 50));
    const other = new StorekeeperDomain({ seed: 1 });
    assert.notDeepEqual(other.seeds('base')[0], base[0]);
  });

  it('says how many there are when more are asked for', () => {
    assert.throws(() => new StorekeeperDomain({ baseTasks: 545 }), /has 544 base and 400 validation tasks/);
  });

  describe('from a file', () => {
    const issues = (text: string) => {
      try {
        parseSeedTasks(text);
      } catch (error) {
        if (error instanceof SeedFileError) return error.issues;
        throw error;
      }
      return assert.fail('accepted');
    };

    it('reads bodies, whole records and golds', () => {
      const lines = [
        '{"prompt": "MENU get f1 REQ first check rice"}',
        '',
        JSON.stringify(base[3]),
        '{"id": "mine", "prompt": "MENU set f1 REQ first put rice twice 4", "gold": "first set f1 rice 8"}',
      ];
      const tasks = parseSeedTasks(lines.join('\r\n'));
      assert.deepEqual(
        tasks.map(({ id }) => id),
        ['base.0', base[3]?.id, 'mine'],
      );
      assert.deepEqual(tasks[1], base[3]);
      assert.equal(tasks[2]?.gold, 'first set f1 rice 8');
      const posed = new StorekeeperDomain({ baseTasks: tasks, multiTurn: true });
      assert.match(posed.seeds('base')[0]?.prompt[1]?.content ?? '', /CALL$/);
      assert.equal(posed.seeds('base').length, 3);
    });

    it('names line and field of everything that is wrong', () => {
      const text = [
        '{"prompt": "MENU get f1 REQ first check rice"}',
        '{"prompt": ',
        '{"promt": "MENU get f1 REQ first check rice"}',
        '{"prompt": "MENU get f1 REQ first take rice 3"}',
        '{"prompt": "MENU get f1 REQ first check rice", "gold": "first get f1 eggs"}',
        '{"prompt": "MENU get f1 REQ first please check rice"}',
        '{"prompt": "MENU get f2 REQ first check rice", "id": "base.0"}',
        '{"prompt": "MENU get f1 REQ first check rice", "complexity": {"steps": "one"}}',
      ].join('\n');
      assert.deepEqual(
        issues(text).map(({ line, field }) => [line, field]),
        [
          [2, ''],
          [3, 'prompt'],
          [3, ''],
          [4, 'prompt'],
          [5, 'gold'],
          [6, 'prompt'],
          [7, 'id'],
          [8, 'complexity.steps'],
        ],
      );
      assert.match(
        issues(text)
          .map(({ message }) => message)
          .join('\n'),
        /promt/,
      );
      assert.throws(() => parseSeedTasks(text), /line 4, field "prompt": step 1 \("take"\) needs decrease/);
    });

    it('refuses a file without tasks, and tasks that are held out', () => {
      assert.match(issues('\n\n')[0]?.message ?? '', /no tasks/);
      const leaked = parseSeedTasks(JSON.stringify({ prompt: validation[0]?.prompt }));
      assert.throws(() => new StorekeeperDomain({ baseTasks: leaked }), { reason: 'held-out' });
    });
  });
});
