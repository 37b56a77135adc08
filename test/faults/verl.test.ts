/** Whole runs whose policies are trained by jobs: the file that runs on `embedded`, kills, pauses, stops. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EndAsked } from '../../src/engine/errors.ts';
import { branchRun } from '../../src/launch/branchRun.ts';
import type { Landing } from '../../src/launch/launch.ts';
import { experimentAt } from '../../src/runs/journal/experimentNow.ts';
import { RunStore } from '../../src/runs/store/runStore.ts';
import { branchedExperiment } from '../../src/shared/experiment/branched.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { eventSchema, type EventOf, type JournalEvent } from '../../src/shared/journal/events.ts';
import { traceSchema } from '../../src/shared/records/trace.ts';
import { childProgram } from '../support/faults/childProgram.ts';
import { contentsOf } from '../support/faults/remoteRun.ts';
import { dist } from '../support/built.ts';
import { FastTime } from '../support/endpoints/fastTime.ts';
import { fromSources } from '../support/fromSources.ts';
import { launchHere } from '../support/launchHere.ts';
import { needsPython } from '../support/ray/python.ts';
import { drop, rewardFolder } from '../support/rewards/given.ts';
import { VerlRun } from '../support/ray/verlRun.ts';
import { until } from '../support/until.ts';

describe('a run that is trained by jobs', () => {
  before(function () {
    needsPython(this);
  });

  async function quietly(use: (run: VerlRun) => Promise<void>): Promise<void> {
    const run = new VerlRun();
    try {
      await run.serve();
      await use(run);
    } finally {
      await run.remove();
    }
  }

  /** The method's results, in a canonical order: completions of a server arrive in any order. */
  async function contents(run: VerlRun): Promise<Record<string, string[]>> {
    const dir = await run.dir();
    const texts = Object.entries(await contentsOf(dir));
    const plain = (text: string) => text.replaceAll(/genenv-\d{8}-\d{6}-jobs/g, 'genenv-run');
    return Object.fromEntries(texts.map(([name, text]) => [name, plain(text).split('\n').toSorted()]));
  }

  async function eventsOf(run: VerlRun): Promise<JournalEvent[]> {
    const { 'journal.jsonl': text = '' } = await contentsOf(await run.dir());
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => eventSchema.parse(JSON.parse(line)));
  }

  const all = <T extends JournalEvent['type']>(events: readonly JournalEvent[], type: T): EventOf<T>[] =>
    events.filter((event): event is EventOf<T> => event.type === type);

  /** Success on the base tasks, which every epoch attempts all, by epoch. */
  async function baseRates(run: VerlRun): Promise<number[]> {
    const { 'traces.jsonl': text = '' } = await contentsOf(await run.dir());
    const traces = text
      .split('\n')
      .filter(Boolean)
      .map((line) => traceSchema.parse(JSON.parse(line)))
      .filter(({ purpose, task }) => purpose === 'train' && task.startsWith('base.'));
    return [...Map.groupBy(traces, ({ epoch }) => epoch).values()].map(
      (group) => group.filter(({ verdict }) => verdict.success).length / group.length,
    );
  }

  const jobs = (run: VerlRun): string[] => run.ray.submissions.map((id) => id.replace(/^.*-jobs-/, ''));

  it('is the file that runs on the embedded models: the same events, and the agent gets better', () =>
    quietly(async (run) => {
      const over = {
        epochs: 3,
        domain: { baseTasks: 48 },
        generation: { families: 2, variations: 2 },
        rollouts: { group: 8, baseShare: 0.923 },
        agent: { minibatch: 64, passes: 2 },
      };
      const landing = await run.start({}, over);
      assert.equal(landing.state, 'finished', landing.error?.stack);
      const events = await eventsOf(run);
      const types = events.map(({ type }) => type);
      const epoch = ['epoch.started', 'tasks.generated', 'rollouts.finished', 'families.scored', 'agent.updated'];
      const end = ['environment.updated', 'pools.grown', 'validated', 'epoch.finished'];
      const epochs = Array.from({ length: 3 }, () => [...epoch, ...end]).flat();
      assert.deepEqual(types, ['run.started', 'validated', ...epochs, 'run.finished']);
      assert.deepEqual(
        jobs(run),
        [1, 2, 3].flatMap((number) => [`e${number}-agent`, `e${number}-environment`]),
      );
      const updates = all(events, 'agent.updated');
      assert.deepEqual(
        updates.map(({ version }) => version.name),
        ['agent@1', 'agent@2', 'agent@3'],
      );
      // The job's own scorer agrees with ours.
      assert(!all(events, 'rollouts.finished').some(({ disagreements }) => disagreements !== undefined));
      const rates = await baseRates(run);
      assert(rates[2]! > rates[0]! + 0.05, rates.join());

      const embedded = new VerlRun();
      try {
        const endpoints = Object.fromEntries(
          ['agent', 'environment'].map((weights) => [weights, { kind: 'embedded', weights }]),
        );
        assert.equal((await embedded.start({}, { ...over, endpoints })).state, 'finished');
        const told = (await eventsOf(embedded)).map(({ type }) => type);
        assert.deepEqual(
          told.map((type) => type.replace('skipped', 'updated')),
          types,
        );
        const best = await baseRates(embedded);
        assert(Math.abs(best[2]! - rates[2]!) < 0.1, `${best.join()} and ${rates.join()}`);
      } finally {
        await embedded.remove();
      }
    }));

  it('whose batch does not divide by the GPUs continues in the branch that the message names', () =>
    quietly(async (run) => {
      const over = { epochs: 1, domain: { baseTasks: 12 }, validation: { every: 0 } };
      const landing = await run.start({}, over);
      assert.equal(landing.state, 'finished', landing.error?.stack);
      const clock = { now: () => Date.now() };
      const log = { info: () => undefined, warn: () => undefined };
      const store = new RunStore(run.root, { clock, log, version: 'test' });
      const branch = async (parent: string, experiment: Experiment): Promise<Landing> => {
        const asked = { run: parent, epoch: 1, experiment, named: [], author: 'ada', clock, dist: fromSources };
        const writer = await branchRun(store, asked);
        await writer.close();
        return launchHere(run, { resume: writer.manifest.id }, { dist, time: new FastTime(run.speed) });
      };
      const two = run.experiment({ ...over, epochs: 2 });
      // As a run of an older version, whose checks did not look at rounds.
      const stuck = await branch(landing.id, { ...two, rollouts: { ...two.rollouts, group: 3, batch: 5 } });
      assert.equal(stuck.state, 'failed');
      const [, epoch, setting] = /from epoch (\d+) with (\S+) /.exec(stuck.error?.message ?? '') ?? [];
      assert.deepEqual([epoch, setting], ['1', 'rollouts.group=4'], stuck.error?.message);
      const reader = await store.openReader(stuck.id);
      const before = await experimentAt(reader.manifest, reader.events(), 1);
      await reader.close();
      const changed = branchedExperiment(before, [setting ?? '', 'curriculum.kMin=0.4'], 1);
      assert(!('problems' in changed));
      const ended = await branch(stuck.id, changed.experiment);
      assert.equal(ended.state, 'finished', ended.error?.stack);
    }));

  describe('of one epoch', () => {
    const one = { epochs: 1, validation: { tasks: 6 } };
    const submitted = ['e1-agent', 'e1-environment'];
    let expected: Record<string, string[]> = {};

    before(() =>
      quietly(async (run) => {
        const landing = await run.start({}, one);
        assert.equal(landing.state, 'finished', landing.error?.stack);
        expected = await contents(run);
      }),
    );

    /** Runs until it lands, or is killed once it has said or asked for what `killAt` begins with. */
    async function runProcess(run: VerlRun, killAt: string | null): Promise<string> {
      const [resume = null] = await readdir(run.root).catch(() => []);
      const task = JSON.stringify({
        root: run.root,
        dist: dist.href,
        speed: run.speed,
        experiment: run.experiment(one),
        resume,
      });
      const running = spawn(process.execPath, [await childProgram(), task], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      running.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
      running.stdout.on('data', (piece: Buffer) => {
        said += piece.toString();
        if (killAt !== null && said.includes(killAt)) running.kill('SIGKILL');
      });
      run.ray.onCall = (call) => {
        if (call === killAt) running.kill('SIGKILL');
      };
      await new Promise((resolve) => running.on('close', resolve));
      return said;
    }

    for (const moment of [
      'POST /api/jobs/',
      'agent job 1 0',
      'event rollouts.finished',
      'update environment 1 0',
      'event agent.updated',
    ]) {
      it(`that is killed after “${moment}” finds its jobs and ends as an undisturbed one`, () =>
        quietly(async (run) => {
          const killed = await runProcess(run, moment);
          assert(!killed.includes('landed'), killed);
          const resumed = await runProcess(run, null);
          assert.match(resumed, /landed finished/);
          assert.deepEqual(await contents(run), expected);
          assert.deepEqual(jobs(run), submitted);
        }));
    }

    /** Ends a run whose first job is under way, as `reason` says. */
    async function ended(run: VerlRun, reason: EndAsked): Promise<Landing> {
      const ending = new AbortController();
      run.cluster.holdJobs();
      const landing = run.start({ signal: ending.signal }, one);
      await until('the first job', () => run.ray.jobs.size === 1);
      ending.abort(reason);
      return landing;
    }

    const states = (run: VerlRun): string[] => [...run.ray.jobs.values()].map(({ status }) => status);

    it('judges by a Python reward of a person’s own, in the job as here; another language has no place there', () =>
      quietly(async (run) => {
        const own = `def reward(task, trace):
    words = trace["answer"].split()
    print(len(words))
    return {"success": trace["answer"] == task["gold"], "reward": min(1, len(words) / 40 + len(task["prompt"]) / 100)}
`;
        const folder = await rewardFolder({
          'own.reward.py': own,
          'own.reward.ts': 'export const reward = () => 1;\n',
        });
        try {
          const endpoints = { ...run.endpoints, environment: { kind: 'embedded', weights: 'environment' } };
          const over = { epochs: 1, domain: { baseTasks: 12 }, validation: { every: 0 }, endpoints };
          const landing = await run.start({}, { ...over, reward: { file: join(folder, 'own.reward.py') } });
          assert.equal(landing.state, 'finished', landing.error?.stack);
          const [finished] = all(await eventsOf(run), 'rollouts.finished');
          assert(finished !== undefined && finished.disagreements === undefined, finished?.disagreements?.example);
          const { 'traces.jsonl': text = '' } = await contentsOf(await run.dir());
          const traces = text.split('\n').filter(Boolean);
          const words = traces.map((line) => traceSchema.parse(JSON.parse(line)));
          for (const { messages, verdict } of words) {
            const count = messages.at(-1)?.content.split(/\s+/).filter(Boolean).length ?? 0;
            assert.equal(verdict.output, `${count}\n`);
            assert(verdict.reward === 1 || verdict.reward > count / 40, String(verdict.reward));
          }
          assert(words.length > 20);
          await assert.rejects(
            run.start({}, { ...over, reward: { file: join(folder, 'own.reward.ts') } }),
            /in Python/,
          );
        } finally {
          await drop(folder);
        }
      }));

    it('leaves its job running when it is paused, and goes on from it', () =>
      quietly(async (run) => {
        assert.equal((await ended(run, new EndAsked('paused', 'Paused.'))).state, 'paused');
        assert.deepEqual(states(run), ['RUNNING']);
        run.cluster.letGo();
        assert.equal((await run.resume()).state, 'finished');
        assert.deepEqual(await contents(run), expected);
        assert.deepEqual(jobs(run), submitted);
      }));

    it('stops its job when it is stopped, and begins it anew when it is resumed after all', () =>
      quietly(async (run) => {
        assert.equal((await ended(run, new EndAsked('stopped', 'Stopped.'))).state, 'stopped');
        assert.deepEqual(states(run), ['STOPPED']);
        run.cluster.letGo();
        assert.equal((await run.resume()).state, 'finished');
        assert.deepEqual(jobs(run), ['e1-agent', 'e1-agent.2', 'e1-environment']);
      }));

    it('pauses when the head is away for long while a job runs, and finds it again', () =>
      quietly(async (run) => {
        run.cluster.holdJobs();
        const landing = run.start({}, one);
        await until('the first job', () => run.ray.jobs.size === 1);
        await run.ray.away();
        assert.equal((await landing).state, 'paused');
        run.cluster.letGo();
        await run.ray.start();
        assert.equal((await run.resume()).state, 'finished');
        assert.deepEqual(await contents(run), expected);
        assert.deepEqual(jobs(run), submitted);
      }));
  });
});
