/** A study in the queue is read from its copies, and does not run with other files than it was queued with. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queueEventSchema } from '../../../../src/features/runner/contract.ts';
import { workOfStudy } from '../../../../src/features/runner/node/enqueue.ts';
import { changedSince } from '../../../../src/features/runner/node/queuedStudy.ts';
import { openStudy } from '../../../../src/features/study/node/openStudy.ts';

const base = {
  ...{ version: 1, preset: 'default', mode: 'offline', agent: { train: false }, name: 'b' },
  ...{ domain: { seeds: 'seeds.jsonl' }, generation: { offlineFile: 'seeds.jsonl' }, validation: { every: 0 } },
  endpoints: { agent: { kind: 'openai', url: 'http://127.0.0.1:9/v1', model: 'm' } },
};
const study = {
  ...{ version: 1, name: 's', base: 'b.genenv.json', seeds: [1], budget: { rollouts: 2000 } },
  ...{ arms: { a: {}, b: { 'rollouts.temperature': 0.5 } }, measures: [{ kind: 'band', low: 0.4, high: 0.6 }] },
};

describe('a study that was put into the queue', () => {
  let dir = '';
  const write = (name: string, content: unknown) =>
    writeFile(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-queued-'));
    await write('b.genenv.json', base);
    await write('s.study.json', study);
    await write('seeds.jsonl', 'one');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const queued = async () => {
    const asked = { priority: 0, after: [], retries: 2, author: 'ann' };
    return workOfStudy(await openStudy(dir, 's.study.json'), asked);
  };
  const opened = async ({ copies }: Awaited<ReturnType<typeof queued>>) =>
    (await openStudy(dir, 's.study.json', undefined, copies)).plan.members.map(({ name }) => name);

  it('has the runs that it had then, also where its files are gone', async () => {
    const work = await queued();
    assert.deepEqual(await changedSince(work), { copied: [], named: [] });
    await write('s.study.json', { ...study, seeds: [2, 3] });
    await rm(join(dir, 'b.genenv.json'));
    assert.deepEqual(await opened(work), ['a · seed 1', 'b · seed 1']);
    assert.deepEqual(await changedSince(work), { copied: ['s.study.json', 'b.genenv.json'], named: [] });
  });

  it('is refused where a file that its runs name is another', async () => {
    const work = await queued();
    await write('seeds.jsonl', 'two');
    assert.deepEqual(await changedSince(work), { copied: [], named: ['seeds.jsonl'] });
    await assert.rejects(opened(work), /\(seeds\.jsonl\) has changed since the study was put into the queue/);
    await rm(join(dir, 'seeds.jsonl'));
    await assert.rejects(opened(work), /put the study into the queue again|has changed since/);
    await write('seeds.jsonl', 'one');
    assert.equal((await opened(work)).length, 2);
  });

  it('of an older version is read when its turn comes', async () => {
    const { copies: _copies, ...older } = await queued();
    const event = queueEventSchema.parse({ v: 1, at: 1, type: 'added', work: older });
    assert.ok(event.type === 'added');
    assert.equal(event.work.copies, null);
    await write('s.study.json', { ...study, seeds: [2] });
    assert.deepEqual(await opened(event.work), ['a · seed 2', 'b · seed 2']);
    assert.deepEqual(await changedSince(event.work), { copied: [], named: [] });
  });
});
