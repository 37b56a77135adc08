/** How much of the endpoints' slots an epoch kept busy. */
import assert from 'node:assert/strict';
import { AdaptiveScheduler } from '../../../src/endpoints/schedule/adaptiveScheduler.ts';
import { SlotUse } from '../../../src/engine/spending/slotUse.ts';
import { RunSlots } from '../../../src/launch/policies/runSlots.ts';
import { Schedulers } from '../../../src/launch/policies/schedulers.ts';
import { ManualTime } from '../../support/endpoints/manualTime.ts';
import type { MemoryRun } from '../../support/scripted/scriptedRun.ts';
import { runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

describe('slots over time', () => {
  it('are counted with those in use', async () => {
    const time = new ManualTime();
    const scheduler = new AdaptiveScheduler({ limit: 4, time });
    assert.deepEqual(scheduler.seconds, { used: 0, room: 0 });
    const ends: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const all = Array.fromAsync(scheduler.each('agent samples', [1, 2], work, new AbortController().signal));
    await turns();
    time.pass(1000);
    ends[0]?.();
    await turns();
    time.pass(3000);
    ends[1]?.();
    await all;
    time.pass(1000);
    assert.deepEqual(scheduler.seconds, { used: 2 + 3, room: 4 * 5 });
  });

  it('belong to the policies that share a server, as they were when the run was opened', () => {
    const slots = new RunSlots(new Schedulers(new ManualTime()));
    slots.of('agent', 'm').of(['http://a'], 8);
    slots.of('environment', 'm').of(['http://a'], 8);
    const port = slots.asPort();
    slots.of('agent', 'm').of(['http://later'], 8);
    assert.deepEqual(
      port().map(({ roles }) => roles),
      [['agent', 'environment']],
    );
  });

  it('of an epoch are those since it began', () => {
    let [used, room] = [10, 100];
    const slots = new SlotUse({
      slots: () => [{ roles: ['agent'], used: { seconds: used }, room: { seconds: room } }],
    });
    slots.begin();
    [used, room] = [14, 108];
    assert.deepEqual(slots.event, { slots: [{ roles: ['agent'], used: { seconds: 4 }, room: { seconds: 8 } }] });
    assert.deepEqual(new SlotUse({}).event, {});
  });

  it('are journaled with the end of each epoch, and not at all where no endpoint has them', async () => {
    const ends = (run: MemoryRun) => run.events.filter((event) => event.type === 'epoch.finished');
    const plain = await runScripted(smallExperiment({ epochs: 1 }));
    assert.ok(ends(plain).every((event) => !('slots' in event)));
  });
});
