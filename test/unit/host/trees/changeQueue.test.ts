import assert from 'node:assert/strict';
import { ChangeQueue } from '../../../../src/host/trees/runs/changeQueue.ts';
import type { EpochNode, GroupNode, RunNode } from '../../../../src/host/trees/runs/node.ts';
import type { Changed } from '../../../../src/host/trees/runs/runsModel.ts';

const run = (dir: string): RunNode => ({ kind: 'run', id: dir, parent: null, run: dir });
const epoch = (parent: RunNode, number: number): EpochNode => ({
  ...{ kind: 'epoch', id: `${parent.id}#${number}`, parent, run: parent.run, epoch: number },
});
const group = (parent: EpochNode): GroupNode => ({
  ...{
    kind: 'group',
    id: `${parent.id}/g`,
    parent,
    run: parent.run,
    epoch: parent.epoch,
    domain: null,
    group: 'in band',
  },
});

describe('runs tree: changes', () => {
  const queued = (): { queue: ChangeQueue; told: Changed[] } => {
    const told: Changed[] = [];
    return { queue: new ChangeQueue((changed) => told.push(changed)), told };
  };

  it('are told once, without what is below something else that changed', () => {
    const { queue, told } = queued();
    const [a, b] = [run('a'), run('b')];
    const [a1, b1, b2] = [epoch(a, 1), epoch(b, 1), epoch(b, 2)];
    queue.add([group(a1), a]);
    queue.add([a, b1]);
    queue.add([b1, group(b2)]);
    assert.deepEqual(told, []);
    queue.flush();
    assert.deepEqual(told, [[a, b1, group(b2)]]);
    queue.flush();
    assert.equal(told.length, 1);
  });

  it('of everything are told as such', () => {
    const { queue, told } = queued();
    queue.add([run('a')]);
    queue.add(null);
    queue.add([run('b')]);
    queue.flush();
    assert.deepEqual(told, [null]);
  });

  it('are told by themselves after a while', async () => {
    const told = await new Promise<Changed>((resolve) => {
      new ChangeQueue(resolve).add([run('a')]);
    });
    assert.deepEqual(told, [run('a')]);
  });
});
