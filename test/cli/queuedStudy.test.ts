/**
 * A study in the queue: its runs are the queue's, a killed runner costs nothing, and its results equal an undisturbed
 * one's.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { listOf, untilListed, type QueueList } from '../support/queueList.ts';
import { tiny } from '../support/tiny.ts';

const base = { ...tiny, name: 'base', epochs: 2 };
const study = {
  ...{ version: 1, name: 'two arms', base: 'base.genenv.json', seeds: [1, 2], budget: { updates: 2 } },
  arms: { genenv: {}, random: { mode: 'random' } },
};

describe('a study in the queue', function () {
  this.timeout(240_000);
  let workspace: Workspace;
  const list = () => listOf(workspace);
  const until = (fits: (list: QueueList) => boolean) => untilListed(workspace, fits);
  const begun = (folder: string) =>
    readFileSync(join(folder, 'members.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => z.looseObject({ type: z.string(), member: z.string().optional() }).parse(JSON.parse(line)))
      .flatMap(({ type, member }) => (type === 'began' ? [member] : []));
  const summaries = (folder: string) =>
    readFileSync(join(folder, 'members.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => z.looseObject({ type: z.string(), member: z.string().optional() }).parse(JSON.parse(line)))
      .filter(({ type }) => type === 'finished')
      .map((event) => {
        const summary = z.looseObject({ seconds: z.number() }).parse(event['summary']);
        return [event.member, { ...summary, seconds: 0 }] as const;
      })
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b));

  beforeEach(() => {
    workspace = new Workspace();
    workspace.write('base.genenv.json', base);
  });
  afterEach(async () => {
    await workspace.genenv('runner', 'stop');
    workspace.remove();
  });

  for (const stop of [null, { rule: 'halving', rounds: 2, keep: 0.5 }] as const) {
    it(`ends as in one process, killed in the middle${stop === null ? '' : ', also where arms race'}`, async () => {
      workspace.write('queued.study.json', { ...study, stop });
      workspace.write('alone.study.json', { ...study, stop });
      assert.equal((await workspace.genenv('queue', 'add', 'queued.study.json')).code, 0);
      assert.equal((await workspace.genenv('runner', 'start')).code, 0);
      const { runner, queue } = await until((now) => now.queue.some(({ state }) => state === 'finished'));
      assert.ok(queue.some(({ name, state }) => name === 'two arms' && state === 'running'));
      assert.ok(runner);
      process.kill(runner.pid, 'SIGKILL');
      await until(({ runner }) => runner === null);
      assert.equal((await workspace.genenv('runner', 'start', '--until-empty')).code, 0);
      const ended = await until((now) =>
        now.queue.some(({ name, state }) => name === 'two arms' && state !== 'running'),
      );
      assert.equal(ended.queue.find(({ name }) => name === 'two arms')?.state, 'finished', JSON.stringify(ended));
      const alone = await workspace.genenv('study', 'alone.study.json');
      assert.equal(alone.code, 0, alone.err);
      const [a, b] = ['queued', 'alone'].map((name) => summaries(join(workspace.dir, `${name}.study`)));
      assert.ok((a ?? []).length >= 2);
      assert.deepEqual(a, b);
      // Seed by seed: a study that is cut off has whole pairs.
      if (stop === null) {
        const expected = [1, 2].flatMap((seed) => ['genenv', 'random'].map((arm) => `${arm} · seed ${seed}`));
        assert.deepEqual(begun(join(workspace.dir, 'queued.study')), expected);
      }
    });
  }

  it('runs as it was queued, and the list tells what was edited since', async () => {
    const short = { ...study, seeds: [1] };
    workspace.write('queued.study.json', short);
    assert.equal((await workspace.genenv('queue', 'add', 'queued.study.json')).code, 0);
    workspace.write('queued.study.json', { ...short, seeds: [1, 2], arms: { other: {} } });
    workspace.write('base.genenv.json', { ...base, name: 'edited', rollouts: { ...tiny.rollouts, temperature: 0.5 } });
    const { out } = await workspace.genenv('queue');
    assert.match(out, /runs as it was queued: queued\.study\.json, base\.genenv\.json changed since/);
    const told: unknown = JSON.parse((await workspace.genenv('queue', '--json')).out);
    const { queue } = z.object({ queue: z.array(z.object({ changed: z.array(z.string()) })) }).parse(told);
    assert.deepEqual(queue, [{ changed: ['queued.study.json', 'base.genenv.json'] }]);
    assert.equal((await workspace.genenv('runner', '--until-empty')).code, 0);
    assert.deepEqual(begun(join(workspace.dir, 'queued.study')), ['genenv · seed 1', 'random · seed 1']);
    const { queue: ended } = await list();
    assert.equal(ended.find(({ name }) => name === 'two arms')?.state, 'finished', JSON.stringify(ended));
  });

  it('says what is wrong with a study before anything is queued', async () => {
    workspace.write('bad.study.json', { ...study, seeds: [1, 1] });
    const { code, err } = await workspace.genenv('queue', 'add', 'bad.study.json');
    assert.equal(code, 2);
    assert.match(err, /bad\.study\.json/);
    workspace.write('queued.study.json', study);
    const set = await workspace.genenv('queue', 'add', 'queued.study.json', '--set', 'seed=3');
    assert.equal(set.code, 2);
    assert.match(set.err, /--set is for experiment files/);
    assert.deepEqual((await list()).queue, []);
  });
});
