import assert from 'node:assert/strict';
import { sortGroups, triesOf } from '../../../../src/engine/phases/groups.ts';
import { growPools } from '../../../../src/engine/phases/pools.ts';
import { emptyState } from '../../../../src/engine/state.ts';
import type { FamilyScore } from '../../../../src/shared/journal/events.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import { makeTask, makeTrace } from '../../../support/runs/records.ts';

const failed = { success: false, reward: 0, valid: true };
const solved = { success: true, reward: 1, valid: true };
const broken = { ...failed, error: 'The checker divided by zero.' };
const group = (...verdicts: Trace['verdict'][]) => ({
  task: makeTask(),
  traces: verdicts.map((verdict, i) => makeTrace({ id: `r${i}`, verdict })),
});

describe('groups of attempts', () => {
  it('are counted by what they can teach, over judged attempts alone', () => {
    const { counts, teachable } = sortGroups([
      group(solved, solved),
      group(failed, failed, broken),
      group(solved, failed),
      group(solved, broken, failed),
      group(solved, broken),
      group(broken, broken),
    ]);
    assert.deepEqual(counts, { solved: 1, hopeless: 1, trained: 2, broken: 2 });
    assert.deepEqual(
      teachable.map((traces) => traces.map(({ id }) => id)),
      [
        ['r0', 'r1'],
        ['r0', 'r2'],
      ],
    );
  });

  it('have their successes among what was judged', () => {
    assert.deepEqual(triesOf(group(solved, failed, broken, solved).traces), { successes: 2, attempts: 3 });
  });
});

describe('the pools', () => {
  const at = (task: Partial<Task>, ...verdicts: Trace['verdict'][]) => ({
    task: makeTask(task),
    traces: group(...verdicts).traces,
  });
  const invalid = { ...failed, valid: false };
  const brokenYetValid = { ...solved, error: 'The checker divided by zero.' };

  it('grow by valid traces, and by the tasks of the epoch that have one', () => {
    const groups = [
      at({ id: 'new' }, solved, failed, invalid),
      at({ id: 'no valid trace' }, invalid, brokenYetValid),
      at({ id: 'of an epoch before', epoch: 0 }, solved),
      at({ id: 'given', origin: 'offline' }, failed),
    ];
    const state = { ...emptyState, pools: { agentTasks: 10, agentTraces: 20, environment: 30 } };
    assert.deepEqual(growPools(state, 1, groups, []), {
      type: 'pools.grown',
      agent: { addedTasks: 1, addedTraces: 4, tasks: 11, traces: 24 },
      environment: { added: 0, size: 30 },
    });
  });

  it('take into the environment’s what has a weight', () => {
    const task = { id: 't', successes: 1, attempts: 2, environmentReward: 1, weight: 0.5 };
    const family: FamilyScore = {
      ...{ id: 'f', seed: null, origin: 'generated', plan: '', complexity: {}, estimate: 0.5, environmentReward: 1 },
      ...{ kept: 1, weight: 0.5, successRate: { successes: 1, attempts: 2, p: 0.5, low: 0, high: 1 } },
      tasks: [task, { ...task, id: 'u', weight: 0 }],
    };
    const { environment } = growPools(emptyState, 1, [], [family, { ...family, id: 'g' }]);
    assert.deepEqual(environment, { added: 2, size: 2 });
  });
});
