/** Entries leave the queue by request: a study with its runs, in one step, whatever state each of them is in. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueueEntryEvent, Work } from '../../../../src/features/runner/contract.ts';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { executeQueue } from '../../../../src/features/runner/node/runner.ts';
import { lookAtRunner, runnerInbox, runnerPaths } from '../../../../src/features/runner/node/runnerFiles.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { eventually } from '../../../support/until.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
const around = { clock, log };

/** Ends a moment after it was asked to; a run says that its server is away. */
const child = `
setInterval(() => undefined, 1000);
process.on('message', ({ type }) => {
  if (type !== 'pause' && type !== 'interrupt') return;
  const asked = type === 'pause' ? 'paused' : 'interrupted';
  const how = process.env.GENENV_QUEUED_STUDY === undefined && process.argv[2] === 'away' ? 'server' : asked;
  setTimeout(() => process.send({ type: 'landed', how, why: '', epoch: 0 }, () => process.exit(0)), 50);
});
process.on('disconnect', () => process.exit(0));`;

const work = (run: string, over: Partial<Work> = {}): Work => ({
  ...{ run, name: run, addresses: ['http://gpu:8000'], priority: 0, after: [], retries: 2, author: 'ann' },
  ...{ study: null, copies: null, member: null, rest: null, ...over },
});
const study = work('study-s', { study: '/s.study.json', addresses: [] });
const members = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'];
const entries = [study, ...members.map((run) => work(run, { member: study.run })), work('other')];

describe('entries leave the queue by request', () => {
  let root: string;
  let program: string;
  const stop = new Set<() => Promise<unknown>>();
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'genenv-leaving-'));
    program = join(root, 'child.mjs');
    writeFileSync(program, child);
  });
  afterEach(async () => {
    for (const one of stop) await one();
    stop.clear();
    rmSync(root, { recursive: true, force: true });
  });

  const inbox = () => runnerInbox(root, around);
  const states = async () => {
    const { queue } = await lookAtRunner(root, around);
    return Object.fromEntries(queue.map(({ run, state }) => [run, state]));
  };
  /** @returns what it journaled */
  function begin(words: readonly string[] = []): QueueEntryEvent[] {
    const controller = new AbortController();
    const events: QueueEntryEvent[] = [];
    const going = executeQueue({
      ...{ store: new RunStore(root, { ...around, version: 'test' }), clock, log, untilEmpty: false },
      keys: new GrantedKeys(environmentKeys({})),
      limits: limitsOf(new Map([['http://gpu:8000', 2]]), 4, null),
      command: [process.execPath, program, ...words],
      signal: controller.signal,
      onEvent: (event) => events.push(event),
    });
    stop.add(() => {
      controller.abort();
      return going;
    });
    return events;
  }
  const said = (events: readonly QueueEntryEvent[]) =>
    events.map((event) => `${event.type} ${'run' in event ? (event.run ?? '') : ''}`.trim());
  /** The journal of a runner that was killed while the study and its first run were running. */
  async function killed(): Promise<void> {
    const { queue } = runnerPaths(root);
    await inbox().post({ type: 'hold', author: 'ann' });
    const line = (event: object) => `${JSON.stringify({ v: 1, at: Date.now(), ...event })}\n`;
    const added = entries.map((one) => line({ type: 'added', work: one }));
    const started = ['study-s', 'm1'].map((run) => line({ type: 'started', run }));
    writeFileSync(queue, [line({ type: 'opened', host: 'h', pid: 1 }), ...added, ...started].join(''));
  }

  for (const type of ['pause', 'remove'] as const) {
    it(`takes a running study out with its runs, and starts none of them meanwhile: ${type}`, async () => {
      const events = begin();
      await inbox().post({ type: 'add', author: 'ann', work: entries });
      await eventually(async () => {
        assert.deepEqual(said(events).filter((one) => one.startsWith('started')).length, 3);
        assert.equal((await states())['m2'], 'running');
      });
      const before = events.length;
      await inbox().post({ type, run: study.run, author: 'ann' });
      await eventually(async () => assert.equal((await states())['other'], 'running'));
      await eventually(async () =>
        assert.deepEqual(await states(), { 'study-s': 'paused', m1: 'paused', m2: 'paused', other: 'running' }),
      );
      const after = said(events.slice(before));
      assert.deepEqual(after.slice(0, 4), ['removed m3', 'removed m4', 'removed m5', 'removed m6']);
      assert.deepEqual(
        after.filter((one) => one.startsWith('started')),
        ['started other'],
      );
    });

    it(`takes a study out with its runs after its runner was killed: ${type}`, async () => {
      await killed();
      assert.deepEqual((await states())['m1'], 'waiting');
      await inbox().post({ type, run: study.run, author: 'ann' });
      assert.deepEqual(await states(), { other: 'waiting' });
      const events = begin();
      await inbox().post({ type: 'release', author: 'ann' });
      await eventually(async () => assert.deepEqual(await states(), { other: 'running' }));
      assert.ok(!said(events).some((one) => one.startsWith('refused')), said(events).join());
    });
  }

  it('a run that was paused is not tried again, whatever stopped it', async () => {
    begin(['away']);
    await inbox().post({ type: 'add', author: 'ann', work: [work('r')] });
    await eventually(async () => assert.deepEqual(await states(), { r: 'running' }));
    await inbox().post({ type: 'pause', run: 'r', author: 'ann' });
    await eventually(async () => assert.deepEqual(await states(), { r: 'paused' }));
  });

  it('a study that has left gets no further runs', async () => {
    const events = begin();
    await inbox().post({ type: 'add', author: 'ann', work: [work('late', { member: study.run })] });
    await eventually(async () => assert.deepEqual(await Promise.resolve(said(events).at(-1)), 'refused late'));
    assert.deepEqual(await states(), {});
  });
});
