import assert from 'node:assert/strict';
import { EndAsked, LoopError } from '../../../../src/engine/errors.ts';
import type { Judge, Policy, Progress } from '../../../../src/engine/ports.ts';
import { valueAt } from '../../../../src/shared/experiment/changeable.ts';
import { eventSchema } from '../../../../src/shared/journal/events.ts';
import { traceSchema } from '../../../../src/shared/records/trace.ts';
import { both, eventsOf, jobsOf, small, warned } from '../../../support/scripted/jobRuns.ts';
import { LadderDomain, LadderScorer } from '../../../support/scripted/ladder.ts';
import { ScriptedPolicy } from '../../../support/scripted/scriptedPolicy.ts';
import { MemoryRun, runScripted, type RunOptions } from '../../../support/scripted/scriptedRun.ts';

describe('a loop whose policies are trained by jobs', () => {
  it('journals and records what its own schemas accept, in the order of Algorithm 1', async () => {
    const run = await runScripted(small({ epochs: 1, curriculum: { kMin: 0.5 } }), new MemoryRun(), both);
    for (const event of run.events) eventSchema.parse(event);
    for (const trace of run.traces) traceSchema.parse(trace);
    const stepwise = await runScripted(small({ epochs: 1, curriculum: { kMin: 0.5 } }));
    assert.deepEqual(
      run.events.map(({ type }) => type),
      stepwise.events.map(({ type }) => type),
    );
  });

  it('records the prompts of its jobs where the domain words them', async () => {
    const domain = new LadderDomain();
    domain.agentPrompt = ({ prompt }) => [{ role: 'system', content: 'Climb.' }, ...prompt];
    const run = await runScripted(small({ epochs: 1 }), new MemoryRun(), { ...both, ports: { domain } });
    const [job] = jobsOf(run.cluster, 'agent');
    const trained = run.traces.filter(({ purpose }) => purpose === 'train');
    assert.ok(trained.length > 0);
    for (const { task, asked } of trained) {
      assert.equal(asked?.[0]?.content, 'Climb.');
      assert.deepEqual(asked, job?.tasks.find(({ id }) => id === task)?.messages);
    }
    const plain = await runScripted(small({ epochs: 1 }), new MemoryRun(), both);
    assert.ok(plain.traces.every((trace) => !('asked' in trace)));
  });

  it('takes attempts and update of the agent from one job an epoch, and judges by its own scorer', async () => {
    const run = new MemoryRun();
    run.cluster.told = { loss: null, entropy: 1.5, gradNorm: 0.25, referenceKl: 0.01 };
    await runScripted(small(), run, both);
    const jobs = jobsOf(run.cluster, 'agent');
    assert.deepEqual(
      jobs.map(({ name, to, from }) => [name, from.version.name, from.checkpoint.name, to]),
      [1, 2, 3].map((epoch) => [`e${epoch}-agent`, `agent@${epoch - 1}`, `agent@${epoch - 1}`, `agent@${epoch}`]),
    );
    const updates = eventsOf(run, 'agent.updated');
    for (const [i, { version, checkpoint, job, ...told }] of updates.entries()) {
      const entry = run.cluster.jobs.get(`agent e${i + 1}-agent`);
      assert.deepEqual([version, checkpoint], [entry?.outcome.version, entry?.outcome.checkpoint]);
      assert.deepEqual(job, { id: `agent e${i + 1}-agent`, metrics: run.cluster.metrics });
      assert.deepEqual([told.loss, told.entropy, told.gradNorm], [null, 1.5, 0.25]);
      assert.deepEqual(told.kl, { sampleTrainV1: null, sampleTrainV2: null, prePost: null, reference: 0.01 });
      assert.equal(told.sequences, entry?.outcome.attempts.length);
      const { solved, hopeless, trained } = told.groups;
      assert.equal(solved + hopeless + trained, entry?.job.kind === 'agent' ? entry.job.tasks.length : -1);
    }
    const trained = run.traces.filter(({ purpose }) => purpose === 'train');
    assert.equal(
      trained.length,
      eventsOf(run, 'rollouts.finished').reduce((sum, { rollouts }) => sum + rollouts, 0),
    );
    for (const { epoch, task, version, messages, sequences, verdict } of trained) {
      assert.equal(version, `agent@${epoch - 1}`);
      assert.deepEqual(
        sequences.map(({ tokens, logprobs }) => [tokens, logprobs]),
        [[[], []]],
      );
      const own = jobs[epoch - 1]?.tasks.find(({ id }) => id === task);
      assert.ok(own !== undefined);
      assert.deepEqual(new LadderScorer().score(own, { messages, stopReason: 'stop' }), verdict);
    }
    const validations = eventsOf(run, 'validated').map(({ successRate }) => successRate.p ?? 0);
    assert.ok((validations.at(-1) ?? 0) > (validations[0] ?? 1), 'it learns');
  });

  it('draws the rows of the environment in proportion to their weights, with anchors beside them', async () => {
    const experiment = small({
      epochs: 2,
      environment: { steps: 5, minibatch: 20, baseShare: 0.25, bufferEpochs: 1 },
      curriculum: { filter: 'off' },
    });
    const run = await runScripted(experiment, new MemoryRun(), both);
    for (const job of jobsOf(run.cluster, 'environment')) {
      assert.equal(job.examples.length, 100);
      const isAnchor = (messages: (typeof job.examples)[number]): boolean => messages[0]?.content === 'write';
      assert.equal(job.examples.filter(isAnchor).length, 25);
      const scored = eventsOf(run, 'families.scored').find(({ epoch }) => epoch === job.epoch);
      const weights = new Map(scored?.families.flatMap(({ tasks }) => tasks.map(({ id, weight }) => [id, weight])));
      for (const { id, generation } of run.tasks) {
        const weight = weights.get(id) ?? 0;
        if (generation === undefined || !weights.has(id)) continue;
        const rows = job.examples.filter(
          (messages) =>
            messages.at(-1)?.content === generation.text &&
            JSON.stringify(messages.slice(0, -1)) === JSON.stringify(generation.context),
        );
        assert.ok(Math.abs(rows.length - 75 * weight) < 1 + 1e-9, `${id}: ${rows.length} rows for weight ${weight}`);
      }
    }
    const [updated] = eventsOf(run, 'environment.updated');
    assert.deepEqual(updated?.kl, { update: null, initial: null });
    assert.deepEqual([updated.loss, updated.gradNorm, updated.tokens, updated.stoppedBy], [null, null, null, 'end']);
    assert.equal(updated.sequences, 100);
  });

  it('gives the plan’s turn back as one to be learned, without ids', async () => {
    const options: RunOptions = { ...both, ports: { domain: new LadderDomain({ plans: true }) } };
    const run = await runScripted(small({ curriculum: { filter: 'off' } }), new MemoryRun(), options);
    const rows = jobsOf(run.cluster, 'environment').flatMap(({ examples }) => examples);
    const planned = rows.filter((messages) => messages[0]?.content.startsWith('plan near') === true);
    assert.ok(planned.length > 0);
    for (const messages of planned) {
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'user', 'assistant'],
      );
      assert.ok(messages.every((message) => !('tokens' in message)));
    }
  });

  it('moves the environment towards difficulty α', async () => {
    const run = await runScripted(
      small({
        epochs: 25,
        generation: { families: 6, variations: 4 },
        agent: { train: false },
        environment: { baseShare: 0, learningRate: 0.4, minibatch: 24 },
        curriculum: { filter: 'soft', beta: 20 },
      }),
      new MemoryRun(),
      both,
    );
    const rates = eventsOf(run, 'epoch.finished').map(({ summary }) => summary.successRate.p ?? 0);
    const late = rates.slice(-8).reduce((sum, p) => sum + p, 0) / 8;
    assert.ok((rates[0] ?? 1) < 0.3, `starts too hard: ${rates[0]}`);
    assert.ok(late > 0.4 && late < 0.6, `ends near α: ${late}`);
  });

  it('counts attempts that the job judged otherwise, tells an example, and goes by its own verdicts', async () => {
    class Generous extends LadderScorer {
      override score(...[task, trace]: Parameters<LadderScorer['score']>) {
        const verdict = super.score(task, trace);
        return task.gold === '5' ? { ...verdict, reward: 1, success: true } : verdict;
      }
    }
    const { warnings, log } = warned();
    const run = new MemoryRun();
    run.cluster.scorer = new Generous();
    await runScripted(small({ epochs: 1 }), run, { ...both, ports: { log } });
    const wrong = run.traces.filter(
      ({ purpose, task, verdict }) =>
        purpose === 'train' &&
        !verdict.success &&
        jobsOf(run.cluster, 'agent')[0]?.tasks.find(({ id }) => id === task)?.gold === '5',
    );
    assert.ok(wrong.length > 0);
    const [finished] = eventsOf(run, 'rollouts.finished');
    assert.equal(finished?.disagreements?.count, wrong.length);
    assert.match(finished.disagreements.example, /^e1\/\S+\/r\d: the job's reward is 1, the scorer's 0$/);
    assert.equal(warnings.filter((text) => text.includes('judged otherwise')).length, 1);
    const told = await runScripted(small({ epochs: 1 }), new MemoryRun(), both);
    assert.equal(eventsOf(told, 'rollouts.finished')[0]?.disagreements, undefined);
  });

  it('goes by a judge of a person’s own, and gives jobs what that is asked with', async () => {
    const run = new MemoryRun();
    const reward = ({ id }: { id: string }): number => (id.length % 3) / 4;
    const judge: Judge = {
      judge: (task) => Promise.resolve({ success: false, reward: reward(task), valid: true, note: task.id }),
    };
    await runScripted(small({ epochs: 1 }), run, { ...both, ports: { judge } });
    const tasks = jobsOf(run.cluster, 'agent')[0]?.tasks ?? [];
    const trained = run.traces.filter(({ purpose }) => purpose === 'train');
    assert.ok(tasks.length > 0 && trained.length > 0);
    for (const { id, asked, gold } of tasks) {
      assert.deepEqual([asked?.task.id, asked?.task.gold, asked?.trace.version], [id, gold, 'agent@0']);
      assert.equal(asked?.trace.id, `e1/${id}`);
    }
    for (const { task, verdict } of trained)
      assert.deepEqual([verdict.note, verdict.reward], [task, reward({ id: task })]);
    const told = await runScripted(small({ epochs: 1 }), new MemoryRun(), both);
    assert.ok(jobsOf(told.cluster, 'agent').every((job) => job.tasks.every(({ asked }) => asked === undefined)));
  });

  it('counts what a dump leaves out, and does not go on with nothing', async () => {
    const { warnings, log } = warned();
    const run = new MemoryRun();
    run.cluster.drops = ({ index }) => index === 3;
    await runScripted(small({ epochs: 1 }), run, { ...both, ports: { log } });
    const [finished] = eventsOf(run, 'rollouts.finished');
    assert.ok(finished !== undefined);
    assert.equal(finished.unanswered?.count, finished.tasks);
    assert.equal(finished.rollouts, 3 * finished.tasks);
    const all = 4 * finished.tasks;
    assert.deepEqual(warnings, [`Job agent e1-agent: ${finished.tasks} of ${all} attempts are missing.`]);
    const empty = new MemoryRun();
    empty.cluster.drops = () => true;
    await assert.rejects(runScripted(small({ epochs: 1 }), empty, both), (error) => LoopError.is(error, 'endpoint'));
  });

  it('journals no metric that is no number, and names it', async () => {
    const { warnings, log } = warned();
    const run = new MemoryRun();
    run.cluster.metrics = { good: 1, bad: Number.NaN, worse: Number.POSITIVE_INFINITY };
    await runScripted(small({ epochs: 1 }), run, { jobs: ['agent'], ports: { log } });
    assert.deepEqual(eventsOf(run, 'agent.updated')[0]?.job?.metrics, { good: 1 });
    assert.deepEqual(warnings, ['Job agent e1-agent ended with metrics that are no numbers: bad, worse.']);
  });

  it('works with one policy of each kind, and beside a frozen environment', async () => {
    for (const jobs of [['agent'], ['environment']] as const) {
      const run = await runScripted(small({ curriculum: { filter: 'off' } }), new MemoryRun(), { jobs });
      for (const { job, kl } of eventsOf(run, 'agent.updated')) {
        assert.equal(job !== undefined, jobs[0] === 'agent');
        assert.equal(kl.prePost === null, jobs[0] === 'agent');
      }
      for (const { job, kl } of eventsOf(run, 'environment.updated')) {
        assert.equal(job !== undefined, jobs[0] === 'environment');
        assert.equal(kl.update === null, jobs[0] === 'environment');
      }
      assert.equal(eventsOf(run, 'environment.updated').length, 3);
    }
    for (const mode of ['random', 'static', 'release'] as const) {
      const run = await runScripted(small({ mode }), new MemoryRun(), both);
      assert.ok(eventsOf(run, 'agent.updated').length > 0);
      assert.equal(jobsOf(run.cluster, 'environment').length, 0);
    }
    const measured = await runScripted(small({ agent: { train: false } }), new MemoryRun(), both);
    assert.equal(jobsOf(measured.cluster, 'agent').length, 0);
    assert.ok(eventsOf(measured, 'rollouts.finished').every(({ rollouts }) => rollouts > 0));
  });

  it('says once what a job has no place for, and nothing where it has a place for all', async () => {
    const settings = [
      [{ klCoefficient: 0.1 }, 'environment.klCoefficient = 0.1'],
      [{ updateKlCap: 0.2 }, 'environment.updateKlCap = 0.2'],
      [{ totalKlCap: 0.3 }, 'environment.totalKlCap = 0.3'],
      [{ tokenWeights: 'instance' }, 'environment.tokenWeights = "instance"'],
      [
        { klCoefficient: 0.1, tokenWeights: 'instance' },
        'environment.klCoefficient = 0.1, environment.tokenWeights = "instance"',
      ],
    ] as const;
    for (const [environment, left] of settings) {
      const { warnings, log } = warned();
      const experiment = small({ epochs: 2, environment, curriculum: { filter: 'off' } });
      await runScripted(experiment, new MemoryRun(), { ...both, ports: { log } });
      assert.deepEqual(
        warnings.map((text) => /no KL term and no cap: (.*) have no say/.exec(text)?.[1]),
        [left],
      );
    }
    const { warnings, log } = warned();
    await runScripted(small({ curriculum: { filter: 'off' } }), new MemoryRun(), { ...both, ports: { log } });
    assert.deepEqual(warnings, []);
  });

  it('refuses episodes before anything is paid', async () => {
    const run = new MemoryRun();
    const playing = runScripted(small(), run, { ...both, ports: { domain: new LadderDomain({ turns: 2 }) } });
    await assert.rejects(
      playing,
      (error) => LoopError.is(error, 'not-trainable') && /several turns.*jobs/.test(error.message),
    );
    assert.deepEqual([run.events.length, run.bill.samples.length, run.cluster.jobs.size], [0, 0, 0]);
  });

  it('refuses an endpoint that promises jobs and has no call for them', async () => {
    const whole = new ScriptedPolicy('agent', 4);
    const agent: Policy = {
      capabilities: { ...whole.capabilities, mode: 'batch' },
      publish: (name) => whole.publish(name),
      sample: (...args) => whole.sample(...args),
      checkpoint: (name) => whole.checkpoint(name),
      restore: (ref) => whole.restore(ref),
      dispose: () => whole.dispose(),
    };
    const run = runScripted(small(), new MemoryRun(), { ports: { agent } });
    await assert.rejects(run, (error) => LoopError.is(error, 'not-trainable'));
  });

  it('tells how a job goes', async () => {
    const told: Progress[] = [];
    await runScripted(small({ epochs: 1, curriculum: { filter: 'off' } }), new MemoryRun(), {
      ...both,
      onProgress: (progress) => told.push(progress),
    });
    const jobs = told.filter(({ job }) => job !== undefined);
    assert.deepEqual(
      [...new Set(jobs.map(({ phase, job, done, total }) => `${phase} ${job} ${done}/${total}`))],
      [
        'agent job queued 0/0',
        'agent job running 1/1',
        'update environment queued 0/0',
        'update environment running 1/1',
      ],
    );
  });

  it('a change of the agent’s settings waits for the next job, others hold before scoring', async () => {
    const run = new MemoryRun();
    let open = [
      { field: 'agent.learningRate', to: 0.01 },
      { field: 'curriculum.beta', to: 9 },
    ];
    let asked = false;
    await runScripted(small({ epochs: 2 }), run, {
      ...both,
      onProgress: ({ phase }) => (asked ||= phase === 'agent job'),
      ports: {
        changes: {
          waiting: () => Promise.resolve(asked && open.length > 0 ? [{ id: 'c', author: 'me', changes: open }] : []),
          taken: (_id, fields) => {
            open = open.filter(({ field }) => !fields.includes(field));
            return Promise.resolve();
          },
        },
      },
    });
    const changed = eventsOf(run, 'settings.changed').map(({ epoch, changes }) => [epoch, changes[0]?.field]);
    assert.deepEqual(changed, [
      [1, 'curriculum.beta'],
      [2, 'agent.learningRate'],
    ]);
    const rates = jobsOf(run.cluster, 'agent').map(({ settings }) => settings.learningRate);
    assert.deepEqual(rates, [valueAt(small(), 'agent.learningRate'), 0.01]);
  });
});

describe('resuming a run whose policies are trained by jobs', () => {
  class Crash extends Error {}

  for (const jobs of [['agent', 'environment'], ['agent'], ['environment']] as const) {
    it(`ends with the same journal after a crash before every append, and submits nothing twice: ${jobs.join(', ')}`, async () => {
      // Two rounds an epoch: two jobs of the agent.
      const experiment = small({ epochs: 2, rollouts: { poolShare: 0.2, batch: 5 } });
      const options = { jobs };
      let appends = 0;
      const whole = await runScripted(experiment, new MemoryRun(), { ...options, beforeAppend: () => (appends += 1) });
      const submitted = [...whole.cluster.jobs.keys()];
      for (let at = 0; at < appends; at++) {
        const run = new MemoryRun();
        let left = at;
        const dying = runScripted(experiment, run, {
          ...options,
          beforeAppend: () => {
            if (left-- === 0) throw new Crash();
          },
        });
        await assert.rejects(dying, Crash);
        await runScripted(experiment, run, options);
        assert.equal(run.text, whole.text, `journal after a crash before append ${at}`);
        assert.deepEqual(run.traces, whole.traces);
        assert.deepEqual([...run.cluster.jobs.keys()], submitted, 'one submission a name');
      }
    });
  }

  for (const how of ['paused', 'stopped'] as const) {
    it(`leaves a job that it waits for, with the reason that it was ${how}, and finds it again`, async () => {
      const experiment = small({ epochs: 1 });
      const whole = await runScripted(experiment, new MemoryRun(), both);
      const controller = new AbortController();
      const run = new MemoryRun();
      const reasons: unknown[] = [];
      run.cluster.beforeAnswer = (_job, signal) => {
        controller.abort(new EndAsked(how, 'Enough.'));
        reasons.push(signal.reason);
        return Promise.resolve();
      };
      const pausing = runScripted(experiment, run, { ...both, ports: { signal: controller.signal } });
      await assert.rejects(pausing, (error) => LoopError.is(error, 'paused'));
      assert.ok(reasons[0] instanceof EndAsked && reasons[0].how === how);
      assert.equal(run.events.at(-1)?.type, 'tasks.generated');
      run.cluster.beforeAnswer = () => Promise.resolve();
      await runScripted(experiment, run, both);
      assert.equal(run.text, whole.text);
      assert.equal(run.cluster.jobs.size, whole.cluster.jobs.size);
    });
  }

  it('asks once more for the agent’s job to learn what it left, and not at all once that is journaled', async () => {
    const run = await runScripted(small({ epochs: 1 }), new MemoryRun(), both);
    assert.equal(run.cluster.jobs.get('agent e1-agent')?.asked, 2);
    assert.equal(run.cluster.jobs.get('environment e1-environment')?.asked ?? 1, 1);
  });
});
