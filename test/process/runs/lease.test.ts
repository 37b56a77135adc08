import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { blockedMs, heartbeatMs, leaseSchema, silenceMs, type LeaseHolder } from '../../../src/runs/lease/leaseFile.ts';
import { placeNow } from '../../../src/runs/lease/processPlace.ts';
import { startChild, startChildIn } from '../../support/runs/child.ts';
import { makeTrace } from '../../support/runs/records.ts';
import { runError } from '../../support/runs/runError.ts';
import { experiment, withTempRuns, type TempRuns } from '../../support/runs/tempRuns.ts';
import { skip } from '../../support/skip.ts';

/** A closed run, and where its lease would lie. */
async function closedRun(runs: TempRuns): Promise<{ id: string; dir: string; lease: string }> {
  const writer = await runs.store().create({ experiment });
  await writer.close();
  return { id: writer.id, dir: writer.dir, lease: join(writer.dir, 'lease') };
}

async function leave(lease: string, over: Partial<LeaseHolder>): Promise<void> {
  const here = { v: 1, host: hostname(), ...placeNow(), born: null };
  const holder = { ...here, nonce: 'abcdefgh-1', heartbeat: 0, ...over };
  await writeFile(lease, `${JSON.stringify(holder)}\n`);
}

/** Other processes of this machine write by it. */
const machine = { now: () => Date.now() };

/** As another host, or another container with the same host name, leaves it. */
const elsewhere = { host: 'elsewhere', space: 'pid:[1]' };

const holderOf = async (lease: string): Promise<LeaseHolder> =>
  leaseSchema.parse(JSON.parse(await readFile(lease, 'utf8')));

describe('runs: lease', () => {
  it('is held by one writer; another is told who holds it, and gets it afterwards', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const first = await store.create({ experiment });
      const error = await runError(store.openWriter(first.id));
      assert.equal(error.reason, 'in-use');
      assert.match(error.message, new RegExp(`being written by process ${process.pid} on this machine, last heard of`));
      await first.close();
      assert.deepEqual(
        (await readdir(first.dir)).filter((name) => name.startsWith('lease')),
        [],
      );
      const second = await store.openWriter(first.id);
      await second.close();
    }));

  it('of a live process elsewhere is respected, of a killed one taken over', () =>
    withTempRuns(async (runs) => {
      const { id } = await closedRun(runs);
      const store = runs.store({ clock: machine });
      const child = startChild('holder.ts', runs.root, id);
      assert.equal(await child.next(), 'holding');
      assert.equal((await store.list())[0]?.state, 'running');
      const error = await runError(store.openWriter(id));
      assert.equal(error.reason, 'in-use');
      assert.match(error.message, new RegExp(`process ${child.pid} on this machine`));
      assert.equal((await runError(store.remove(id))).reason, 'in-use');
      child.kill();
      await child.ended();
      assert.equal((await store.list())[0]?.state, 'interrupted');
      const writer = await store.openWriter(id);
      assert.equal((await store.list())[0]?.state, 'running');
      await writer.close();
    }));

  it('is given back by a process that closes the run', () =>
    withTempRuns(async (runs) => {
      const { id } = await closedRun(runs);
      const child = startChild('holder.ts', runs.root, id);
      assert.equal(await child.next(), 'holding');
      child.tell('close');
      assert.equal(await child.next(), 'released');
      const writer = await runs.store().openWriter(id);
      await writer.close();
      await child.ended();
    }));

  it('that is dead goes to exactly one of many that want it at the same moment', async function () {
    this.timeout(240_000);
    await withTempRuns(async (runs) => {
      const { id, dir, lease } = await closedRun(runs);
      // Two processes at a time on as many cores; the race is between whole processes and within one.
      for (let round = 0; round < 2; round++) {
        await leave(lease, { pid: 2 ** 22 + 1, nonce: `dead${round}-nonce` });
        const at = String(Date.now() + 700);
        const children = [1, 2].map(() => startChild('holder.ts', runs.root, id, at));
        const store = runs.store({ clock: machine });
        while (Date.now() < Number(at)) await new Promise((resolve) => setTimeout(resolve, 1));
        const own = await Promise.allSettled(Array.from({ length: 4 }, () => store.openWriter(id)));
        const answers = await Promise.all(children.map((child) => child.next()));
        const held =
          own.filter(({ status }) => status === 'fulfilled').length + answers.filter((a) => a === 'holding').length;
        assert.equal(held, 1, JSON.stringify({ own, answers }));
        for (const answer of answers) if (answer !== 'holding') assert.match(answer, /^refused in-use /);
        for (const outcome of own) if (outcome.status === 'fulfilled') await outcome.value.close();
        for (const child of children) {
          child.tell('close');
          await child.ended();
        }
        assert.deepEqual(
          (await readdir(dir)).filter((name) => name.startsWith('lease')),
          [],
        );
      }
    });
  });

  it('of another host lives by its heartbeat alone', () =>
    withTempRuns(async (runs) => {
      const { id, lease } = await closedRun(runs);
      const store = runs.store({ sleep: () => Promise.resolve() });
      await leave(lease, { ...elsewhere, heartbeat: runs.now - silenceMs + 1 });
      assert.equal((await store.list())[0]?.state, 'running');
      assert.match(
        (await runError(store.openWriter(id))).message,
        /process \d+ on elsewhere, last heard of at 2026-11-21T/,
      );
      runs.now += 1;
      assert.equal((await store.list())[0]?.state, 'interrupted');
      const writer = await store.openWriter(id);
      await writer.close();
    }));

  it('of another host is watched before it is taken over, because clocks may be wrong', () =>
    withTempRuns(async (runs) => {
      const { id, lease } = await closedRun(runs);
      for (const wrong of [-24 * 3_600_000, 24 * 3_600_000]) {
        let [lives, waited] = [true, 0];
        const sleep = async (milliseconds: number): Promise<void> => {
          waited += milliseconds;
          // By a clock that is a day off.
          const beats = lives && waited % heartbeatMs === 0;
          if (beats) await leave(lease, { ...elsewhere, heartbeat: runs.now + wrong + waited });
        };
        const store = runs.store({ sleep });
        await leave(lease, { ...elsewhere, heartbeat: runs.now + wrong });
        assert.equal((await runError(store.openWriter(id))).reason, 'in-use');
        assert.equal((await runError(store.remove(id))).reason, 'in-use');
        [lives, waited] = [false, 0];
        const writer = await store.openWriter(id);
        assert.ok(waited > 10_000, `${waited} ms`);
        await writer.close();
      }
    }));

  it('of a process that lives is watched where its heartbeat is too old for any work that blocks it', () =>
    withTempRuns(async (runs) => {
      const { id, lease } = await closedRun(runs);
      let waited = 0;
      const sleep = (milliseconds: number): Promise<void> => {
        waited += milliseconds;
        return Promise.resolve();
      };
      const store = runs.store({ sleep });
      // As macOS and Windows leave it: nothing tells whether the process is the one that wrote it.
      await leave(lease, { heartbeat: runs.now - blockedMs + 1 });
      assert.equal((await runError(store.openWriter(id))).reason, 'in-use');
      runs.now += 1;
      const writer = await store.openWriter(id);
      assert.ok(waited > 2 * heartbeatMs, `${waited} ms`);
      await writer.close();
    }));

  it('in a copy of the folder is not the copy’s, once its heartbeat is old', () =>
    withTempRuns(async (runs) => {
      const store = runs.store({ sleep: () => Promise.resolve() });
      const writer = await store.create({ experiment });
      await cp(writer.dir, join(runs.root, 'copy'), { recursive: true });
      assert.equal((await runError(store.openWriter('copy'))).reason, 'in-use');
      runs.now += blockedMs;
      await writer.confirm();
      const copy = await store.openWriter('copy');
      await copy.appendTraces([makeTrace({ id: 'a' })]);
      await copy.close();
      await writer.appendTraces([makeTrace({ id: 'a' })]);
      await writer.close();
    }));

  it('goes with its writer where the folder was renamed meanwhile', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      const other = await store.create({ experiment });
      await rename(writer.dir, join(runs.root, 'renamed'));
      assert.equal((await runError(writer.session({ type: 'started' }))).reason, 'in-use');
      await writer.close();
      const renamed = await store.openWriter('renamed');
      await renamed.close();
      // Another writer's is left alone.
      await other.confirm();
      await other.close();
    }));

  it('in another pid namespace with the same host name is respected', async function () {
    const namespace = ['-p', '--fork', '--mount-proc'];
    if (spawnSync('unshare', [...namespace, 'true']).status !== 0) skip(this, 'no pid namespace can be made here');
    await withTempRuns(async (runs) => {
      const { id } = await closedRun(runs);
      const store = runs.store({ clock: machine });
      const writer = await store.openWriter(id);
      const child = startChild('holder.ts', runs.root, id);
      assert.match(await child.next(), /^refused in-use /);
      await child.ended();
      const inside = startChildIn(['unshare', ...namespace], 'holder.ts', runs.root, id);
      assert.match(await inside.next(), /^refused in-use .*another container or boot/);
      await inside.ended();
      await writer.close();
    });
  });

  it('of a process whose number another one has now is dead', function () {
    return withTempRuns(async (runs) => {
      const { id, lease } = await closedRun(runs);
      const probe = await runs.store().openWriter(id);
      const { born } = await holderOf(lease);
      await probe.close();
      if (born === null) skip(this, 'there is no /proc that tells when a process started');
      await leave(lease, { born: `${born}0`, heartbeat: runs.now });
      const writer = await runs.store().openWriter(id);
      await writer.close();
      await leave(lease, { born, heartbeat: runs.now });
      assert.equal((await runError(runs.store().openWriter(id))).reason, 'in-use');
    });
  });

  it('that nobody can read is dead, unless it is being written just now', () =>
    withTempRuns(async (runs) => {
      const { id, lease } = await closedRun(runs);
      for (const text of ['', '{"v":1,"ho', '{"v":2}', 'hello']) {
        await writeFile(lease, text);
        const writer = await runs.store({ sleep: () => Promise.resolve() }).openWriter(id);
        await writer.close();
      }
      await writeFile(lease, '');
      const opening = runs.store().openWriter(id);
      await leave(lease, { ...elsewhere, heartbeat: runs.now });
      assert.equal((await runError(opening)).reason, 'in-use');
    }));

  it('survives a crash in the middle of taking it over', () =>
    withTempRuns(async (runs) => {
      const { id, dir, lease } = await closedRun(runs);
      await leave(lease, { pid: 2 ** 22 + 1, nonce: 'firstdead' });
      await leave(`${lease}-after-firstdea`, { pid: 2 ** 22 + 1, nonce: 'seconddead' });
      const writer = await runs.store().openWriter(id);
      await writer.close();
      assert.deepEqual(
        (await readdir(dir)).filter((name) => name.startsWith('lease')),
        [],
      );
    }));

  it('lost to another host stops the writer before its next line', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const lease = join(writer.dir, 'lease');
      await writer.appendTraces([makeTrace({ id: 'a' })]);
      await writer.appendTraces([makeTrace({ id: 'b' })]);
      runs.now += silenceMs;
      // The lease was not taken: the writer renews it and continues.
      await writer.appendTraces([makeTrace({ id: 'c' })]);
      const { heartbeat } = await holderOf(lease);
      assert.equal(heartbeat, runs.now);
      // Not even a millisecond passes before its next line.
      await leave(lease, { ...elsewhere, heartbeat: runs.now });
      const error = await runError(writer.appendTraces([makeTrace({ id: 'd' })]));
      assert.equal(error.reason, 'in-use');
      assert.match(error.message, /on elsewhere/);
      assert.equal((await runError(writer.session({ type: 'started' }))).reason, 'in-use');
      assert.equal((await runError(writer.confirm())).reason, 'in-use');
      assert.deepEqual(
        (await writer.tracesOf(1)).map(({ id }) => id),
        ['a', 'b', 'c'],
      );
      await writer.close();
      // A lease that it lost is not removed.
      assert.match(await readFile(lease, 'utf8'), /elsewhere/);
    }));
});
