import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  CheckpointLedger,
  checkpointFile,
  mostCheckpoints,
  pruneCheckpoints,
} from '../../../src/runs/store/checkpoints.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { runInto } from '../../support/runs/scriptedStore.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';

/** A journal in which these epochs update these policies, each checkpoint by its own name. */
function updates(epochs: readonly { agent: boolean; environment: boolean }[]): JournalEvent[] {
  const scripts = epochs.map(({ agent, environment }) => ({
    successes: 1,
    attempts: 2,
    agent: agent ? ('updated' as const) : ('none' as const),
    environment: environment ? ('updated' as const) : ('skipped' as const),
  }));
  const taken = { agent: 0, environment: 0 };
  return journalOf(scripts).map((event) => {
    const ref = (role: 'agent' | 'environment', n: number) => ({ name: `${role}@${n}`, handle: `${role}@${n}.bin` });
    if (event.type === 'run.started') {
      return { ...event, checkpoints: { agent: ref('agent', 0), environment: ref('environment', 0) } };
    }
    if (event.type === 'agent.updated') return { ...event, checkpoint: ref('agent', (taken.agent += 1)) };
    if (event.type === 'environment.updated') {
      return { ...event, checkpoint: ref('environment', (taken.environment += 1)) };
    }
    return event;
  });
}

const epochsOf = (epochs: number, staleness = 0) => ({ ...smallExperiment({ rollouts: { staleness } }), epochs });

const epochArbitrary = fc.record({ agent: fc.boolean(), environment: fc.boolean() });

describe('runs: checkpoints', () => {
  it('kept are those of the start, of the last two epochs, and of every k-th, and few in all', () => {
    fc.assert(
      fc.property(fc.array(epochArbitrary, { maxLength: 160 }), fc.integer({ min: 0, max: 100 }), (epochs, more) => {
        const total = epochs.length + more;
        const ledger = new CheckpointLedger();
        const latest = [{ agent: 0, environment: 0 }];
        for (const event of updates(epochs)) ledger.add(event);
        for (const { agent, environment } of epochs) {
          const before = latest.at(-1)!;
          latest.push({
            agent: before.agent + (agent ? 1 : 0),
            environment: before.environment + (environment ? 1 : 0),
          });
        }
        const names = (epoch: number) => [`agent@${latest[epoch]!.agent}`, `environment@${latest[epoch]!.environment}`];
        const keep = ledger.keep(epochsOf(total));
        for (const epoch of [0, epochs.length, epochs.length - 1]) {
          if (epoch >= 0) for (const name of names(epoch)) assert.ok(keep.has(name), name);
        }
        for (const role of ['agent', 'environment']) {
          assert.ok([...keep].filter((name) => name.startsWith(role)).length <= mostCheckpoints);
        }
        if (total <= mostCheckpoints - 3) assert.deepEqual(keep, new Set(latest.flatMap((_, epoch) => names(epoch))));
        for (const [epoch] of latest.entries()) {
          const pair = ledger.at(epoch);
          assert.deepEqual([pair?.agent.name, pair?.environment.name], names(epoch));
        }
      }),
    );
  });

  it('that were pruned stay pruned: what is kept later was kept before', () => {
    const epochs = Array.from({ length: 200 }, () => ({ agent: true, environment: true }));
    const ledger = new CheckpointLedger();
    let kept = new Set<string>();
    const seen = new Set<string>();
    for (const event of updates(epochs)) {
      ledger.add(event);
      if (event.type !== 'epoch.finished') continue;
      const next = ledger.keep(epochsOf(epochs.length));
      for (const name of next) assert.ok(kept.has(name) || !seen.has(name), `${name} is wanted again`);
      kept = next;
      for (const name of next) seen.add(name);
    }
    assert.deepEqual(
      [...kept].filter((name) => name.startsWith('agent')).map((name) => Number(name.slice(6))),
      [...Array.from({ length: 17 }, (_, i) => 12 * i), 199, 200],
    );
  });

  it('of the epoch under way are kept: a resume starts from them', () => {
    const ledger = new CheckpointLedger();
    const events = updates([{ agent: true, environment: true }]);
    for (const event of events.slice(
      0,
      events.findIndex(({ type }) => type === 'environment.updated'),
    ))
      ledger.add(event);
    assert.deepEqual(ledger.keep(epochsOf(10)), new Set(['agent@0', 'environment@0', 'agent@1']));
  });

  it('of versions that still sample are kept', () => {
    const ledger = new CheckpointLedger();
    for (const event of updates(Array.from({ length: 200 }, () => ({ agent: true, environment: false }))))
      ledger.add(event);
    const more = [...ledger.keep(epochsOf(200, 3))].filter((name) => !ledger.keep(epochsOf(200)).has(name));
    assert.deepEqual(more, ['agent@196', 'agent@197', 'agent@198']);
  });

  it('are removed by name, with or without extension, and nothing else is', () =>
    withTempRuns(async ({ root }) => {
      const names = ['agent@1.bin', 'agent@10.bin', 'agent@2', 'agent@2.json', '.agent@3.bin.partial', 'agent@4.bin'];
      for (const name of names) await writeFile(join(root, name), '');
      await mkdir(join(root, 'agent@5'));
      await writeFile(join(root, 'agent@5', 'weights'), '');
      const removed = await pruneCheckpoints(root, ['agent@1', 'agent@2']);
      assert.deepEqual(removed.sort(), ['agent@10.bin', 'agent@4.bin', 'agent@5']);
      assert.deepEqual((await readdir(root)).sort(), [
        '.agent@3.bin.partial',
        'agent@1.bin',
        'agent@2',
        'agent@2.json',
      ]);
      assert.deepEqual(await pruneCheckpoints(join(root, 'nowhere'), []), []);
    }));

  it('of a run are pruned by its writer, also after it was opened again', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const many = smallExperiment({ epochs: 4 });
      // Pretends to be long, so that most epochs are not worth keeping.
      const writer = await store.create({ experiment: many });
      await runInto(writer);
      await writer.close();
      const path = join(writer.dir, 'run.json');
      await writeFile(
        path,
        JSON.stringify({ ...writer.manifest, experiment: { ...many, epochs: 4 * (mostCheckpoints - 3) } }),
      );
      const again = await store.openWriter(writer.id);
      const before = await readdir(join(again.dir, 'checkpoints'));
      assert.ok(before.includes('agent@1') && before.includes('agent@2'));
      const removed = await again.pruneCheckpoints();
      await again.close();
      assert.ok(removed.includes('agent@1') && removed.includes('agent@2'));
      const kept = await readdir(join(again.dir, 'checkpoints'));
      assert.deepEqual(
        kept.filter((name) => name.startsWith('agent')),
        ['agent@0', 'agent@3', 'agent@4'],
      );
    }));

  it('never leave the run’s folder', () => {
    const ref = (handle: string) => ({ name: 'x', handle });
    assert.equal(checkpointFile('/run/checkpoints', ref('agent@1.bin')), '/run/checkpoints/agent@1.bin');
    for (const handle of [
      '../../etc/passwd',
      '/etc/passwd',
      '..',
      '',
      'tinker://model/weights/1',
      'C:\\x',
      'a/../../b',
    ]) {
      assert.equal(checkpointFile('/run/checkpoints', ref(handle)), null, handle);
    }
  });
});
