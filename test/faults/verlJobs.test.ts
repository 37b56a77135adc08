import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EndpointError } from '../../src/endpoints/endpointError.ts';
import { EndAsked } from '../../src/engine/errors.ts';
import type { BatchPolicy, JobOutcome, TrainingJob } from '../../src/engine/ports.ts';
import { VerlBench } from '../support/ray/bench.ts';
import { agentJob, environmentJob } from '../support/ray/jobs.ts';
import { FakeSsh } from '../support/ray/fakeSsh.ts';
import { needsPython } from '../support/ray/python.ts';
import { until } from '../support/until.ts';

describe('a policy that jobs of verl train', function () {
  this.timeout(240_000);
  const never = new AbortController().signal;
  let bench: VerlBench;

  before(function () {
    needsPython(this);
  });
  beforeEach(async () => {
    bench = new VerlBench();
    await bench.start();
  });
  afterEach(() => bench.stop());

  const id = (job: string): string => `genenv-${bench.run}-${job}`;
  const folder = (job: string): string => join(bench.cluster.workdir, bench.run, job);
  const underWay = (job = 'e1-agent') => until('the job to begin', () => existsSync(join(folder(job), 'alive')));

  /** Begins a job that waits, and leaves it as `reason` says. */
  async function leave(policy: BatchPolicy, job: TrainingJob, reason: Error): Promise<void> {
    bench.cluster.holdJobs();
    const leaving = new AbortController();
    const running = policy.runJob(job, leaving.signal);
    const left = assert.rejects(running, reason);
    await until('the submission', () => bench.ray.jobs.size === 1);
    await underWay(job.name);
    leaving.abort(reason);
    await left;
  }

  it('attempts, learns, and leaves an adapter that the sampler serves', async () => {
    const policy = await bench.open();
    const seen = new Set<string>();
    const outcome = await policy.runJob(agentJob(), never, ({ state, step, steps }) =>
      seen.add(`${state} ${step} of ${steps ?? '?'}`),
    );

    assert.equal(outcome.id, id('e1-agent'));
    assert.equal(outcome.steps, 3);
    const byTask = Map.groupBy(outcome.attempts, ({ task }) => task);
    assert.deepEqual(
      [...byTask.keys()].toSorted(),
      agentJob()
        .tasks.map((task) => task.id)
        .toSorted(),
    );
    for (const attempts of byTask.values()) assert.deepEqual(indices(attempts), [0, 1, 2, 3]);
    assert(outcome.attempts.every(({ tokens, text }) => tokens === text.split(' ').length));
    const words = (content: string): number => content.split(/\s+/).filter(Boolean).length;
    const prompts = new Map(
      agentJob().tasks.map(({ id, messages }) => [id, words(messages.map(({ content }) => content).join(' '))]),
    );
    assert(outcome.attempts.every(({ task, promptTokens }) => promptTokens === prompts.get(task)));
    const mean = outcome.attempts.reduce((sum, { reward }) => sum + reward, 0) / outcome.attempts.length;
    assert.equal(outcome.metrics['critic/score/mean'], mean);
    assert.equal(outcome.metrics['actor/kl_loss'], 0.002);
    assert(!Object.values(outcome.metrics).some(Number.isNaN));
    assert(seen.has('running 0 of 1') && seen.has('running 1 of 1'), [...seen].join());

    const adapter = join(folder('e1-agent'), 'export', 'lora_adapter');
    assert.deepEqual(outcome.version, { name: 'agent@1', handle: adapter });
    assert.deepEqual(outcome.checkpoint, outcome.version);
    // The merger wrote 0, with which an adapter changes nothing.
    assert.match(readFileSync(join(adapter, 'adapter_config.json'), 'utf8'), /"lora_alpha": 8/);
    // A whole model for every epoch would fill any disk.
    assert.deepEqual(readdirSync(join(folder('e1-agent'), 'export')), ['lora_adapter']);
    assert(!readdirSync(folder('e1-agent')).includes('checkpoints'));

    const { messages } = agentJob().tasks[0]!;
    const request = { id: 'a', messages, n: 3, seed: 1, maxTokens: 96, temperature: 1 };
    const restored = await policy.restore(outcome.checkpoint);
    const version = await restored.publish('agent@1');
    const completions = await Array.fromAsync(restored.sample(version, [request], never));
    assert.equal(completions.filter((one) => 'text' in one).length, 3);
    const served = `genenv-${bench.run}-agent-1`;
    assert.deepEqual([...bench.vllm.loaded], [[served, adapter]]);
    assert.equal(bench.vllm.sampled.get(served), 3);
    await restored.dispose();
  });

  it('tells the steps of minibatches that count tasks', async () => {
    const settings = { ...agentJob().settings, minibatch: 3, minibatchUnit: 'task' as const };
    const outcome = await (await bench.open()).runJob(agentJob({ settings }), never);
    assert.equal(outcome.steps, 2);
    assert.match(readFileSync(join(folder('e1-agent'), 'job.sh'), 'utf8'), /ppo_mini_batch_size=3\b/);
  });

  it('goes on from the adapter of the last job', async () => {
    const policy = await bench.open();
    const first = await policy.runJob(agentJob(), never);
    const from = { version: first.version, checkpoint: first.checkpoint };
    await policy.runJob(agentJob({ name: 'e2-agent', epoch: 2, to: 'agent@2', from }), never);
    const script = readFileSync(join(folder('e2-agent'), 'job.sh'), 'utf8');
    assert(script.includes(`actor_rollout_ref.model.lora_adapter_path=${first.checkpoint.handle}`), script);
    const weights = ['e1-agent', 'e2-agent'].map((job) =>
      readFileSync(join(folder(job), 'export', 'lora_adapter', 'adapter_model.safetensors')),
    );
    assert(!weights[0]!.equals(weights[1]!));
  });

  it('learns conversations, row by row', async () => {
    const policy = await bench.open();
    const progress: number[] = [];
    const outcome = await policy.runJob(environmentJob(), never, ({ step }) => progress.push(step));
    assert.deepEqual([outcome.steps, outcome.attempts.length], [3, 0]);
    assert(Number(outcome.metrics['train/loss']) > 0);
    assert.equal(outcome.version.name, 'environment@1');
    assert.equal(progress.at(-1), 3);
  });

  it('is asked for a finished job again and tells the same, submitting nothing', async () => {
    const first = await (await bench.open()).runJob(agentJob(), never);
    const again = await (await bench.open()).runJob(agentJob(), never);
    assert.deepEqual(again, first);
    // The cluster may have been started again since: the folder tells.
    bench.ray.forget({ kill: false });
    assert.deepEqual(await (await bench.open()).runJob(agentJob(), never), first);
    assert.deepEqual(bench.ray.submissions, [id('e1-agent')]);
  });

  it('leaves a job running when it is paused, and another process finds it', async () => {
    await leave(await bench.open(), agentJob(), new EndAsked('paused', 'Paused.'));
    assert.equal(bench.ray.jobs.get(id('e1-agent'))?.status, 'RUNNING');
    const resumed = (await bench.open()).runJob(agentJob(), never);
    bench.cluster.letGo();
    assert.equal((await resumed).attempts.length, 24);
    assert.deepEqual(bench.ray.submissions, [id('e1-agent')]);
  });

  it('stops a job that is stopped, and begins it anew when it is asked for again', async () => {
    await leave(await bench.open(), agentJob(), new EndAsked('stopped', 'Stopped.'));
    assert.equal(bench.ray.jobs.get(id('e1-agent'))?.status, 'STOPPED');
    await until('its end', () => readdirSync(folder('e1-agent')).includes('exit'));
    bench.cluster.letGo();
    const outcome = await (await bench.open()).runJob(agentJob(), never);
    assert.equal(outcome.id, id('e1-agent.2'));
  });

  it('says why a job failed, and begins it anew when it is resumed', async () => {
    bench.cluster.environment({ GENENV_TEST_FAULT: 'memory' });
    const error = await failureOf((await bench.open()).runJob(agentJob(), never));
    assert.equal(error.reason, 'failed');
    assert.match(error.message, /e1-agent failed with exit code 1: torch\.OutOfMemoryError: CUDA out of memory/);
    assert.match(error.remedy, /too little memory.*gpu_memory_utilization/);
    assert(bench.said.some((line) => line.includes('fsdp_workers.py')));
    bench.cluster.environment();
    assert.equal((await (await bench.open()).runJob(agentJob(), never)).id, id('e1-agent.2'));
  });

  it('waits for a place on the cluster, reads steps from the log where no file tells them', async () => {
    bench.ray.full = true;
    const seen = new Set<string>();
    // Users who set another place for metrics still get them.
    bench.cluster.environment({ VERL_FILE_LOGGER_PATH: '/dev/null' });
    const running = (await bench.open()).runJob(environmentJob(), never, ({ state }) => seen.add(state));
    await until('that it waits', () => seen.has('queued'));
    assert.deepEqual([...seen], ['queued']);
    bench.ray.empty();
    const outcome = await running;
    assert.deepEqual([...seen], ['queued', 'running']);
    assert(Number(outcome.metrics['train/loss']) > 0);
  });

  it('keeps in the job’s folder what it prints, while it runs and by whichever process, every line once', async () => {
    bench.speed = 10;
    bench.ray.tailFaults.push({ cutAfter: 1 });
    bench.cluster.environment({ VERL_FILE_LOGGER_PATH: '/dev/null' });
    await leave(await bench.open(), environmentJob(), new EndAsked('paused', 'Paused.'));
    const printed = join(folder('e1-environment'), 'printed.log');
    const steps: number[] = [];
    const resumed = (await bench.open()).runJob(environmentJob(), never, ({ step }) => steps.push(step));
    bench.cluster.letGo();
    await resumed;
    assert.equal(readFileSync(printed, 'utf8'), bench.ray.jobs.get(id('e1-environment'))?.log);
    assert.match(readFileSync(printed, 'utf8'), /step:3 - /);
    assert(bench.ray.calls.filter((call) => call.endsWith('/logs')).length <= 1, 'all of the log at the end alone');
  });

  it('asks for what a job prints where a proxy lets no WebSocket through', async () => {
    bench.ray.tailFaults.push({ refused: 400 });
    bench.cluster.environment({ VERL_FILE_LOGGER_PATH: '/dev/null' });
    const outcome = await (await bench.open()).runJob(environmentJob(), never);
    assert(Number(outcome.metrics['train/loss']) > 0);
    assert(bench.said.some((line) => /asked for once a minute \(status 400 instead of a WebSocket\)/.test(line)));
    assert(!existsSync(join(folder('e1-environment'), 'printed.log')));
  });

  it('submits once when the answer is lost, and waits while the dashboard is away', async () => {
    bench.cluster.holdJobs();
    bench.ray.loses = /^POST \/api\/jobs\/$/;
    const running = (await bench.open()).runJob(agentJob(), never);
    await until('the submission', () => bench.ray.jobs.size === 1);
    await bench.ray.away();
    bench.cluster.letGo();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await bench.ray.start();
    assert.equal((await running).attempts.length, 24);
    assert.deepEqual(bench.ray.submissions, [id('e1-agent')]);
  });

  it('does not begin a job again that a restarted head has forgotten while it lives', async () => {
    bench.speed = 12;
    bench.cluster.holdJobs();
    const running = (await bench.open()).runJob(agentJob(), never);
    await until('the submission', () => bench.ray.jobs.size === 1);
    await underWay();
    bench.ray.forget({ kill: false });
    await new Promise((resolve) => setTimeout(resolve, 16_500));
    bench.cluster.letGo();
    assert.equal((await running).id, id('e1-agent'));
    assert.deepEqual(bench.ray.submissions, [id('e1-agent')]);
  });

  it('begins a job again that died with the head', async () => {
    bench.speed = 100;
    bench.cluster.holdJobs();
    const running = (await bench.open()).runJob(agentJob(), never);
    await until('the submission', () => bench.ray.jobs.size === 1);
    bench.ray.forget({ kill: true });
    bench.cluster.letGo();
    assert.equal((await running).id, id('e1-agent.2'));
    assert(bench.said.some((line) => /e1-agent is gone with the cluster’s memory/.test(line)));
    assert(existsSync(join(folder('e1-agent.2'), 'printed.log')));
  });

  it('does the same behind SSH and on this machine, and finds its job there again', async () => {
    const ssh = new FakeSsh();
    try {
      bench.cluster.holdJobs();
      const leaving = new AbortController();
      const far = await bench.open({ url: 'ssh://me@far' });
      const left = assert.rejects(far.runJob(agentJob(), leaving.signal), /Paused/);
      await underWay();
      leaving.abort(new EndAsked('paused', 'Paused.'));
      await left;
      // Here it is the same machine, so the same folder.
      const near = (await bench.open({ url: 'local:' })).runJob(agentJob(), never);
      bench.cluster.letGo();
      const outcome = await near;
      assert.deepEqual(await (await bench.open({ url: 'ssh://me@far' })).runJob(agentJob(), never), outcome);
      assert.equal(outcome.attempts.length, 24);
      assert(!readdirSync(join(bench.cluster.workdir, bench.run)).includes('e1-agent.2'));
    } finally {
      ssh.remove();
    }
  });

  it('refuses before anything is submitted what a job cannot have', async () => {
    const policy = await bench.open({ gpus: 7 });
    assert.match((await failureOf(policy.runJob(agentJob(), never))).message, /6 tasks × 4 attempts.*7 GPUs/);
    assert.match((await failureOf(policy.runJob(environmentJob(), never))).message, /4 rows of a step.*7 GPUs/);
    const armed = agentJob().tasks.map((task) => ({
      ...task,
      tools: [{ name: 'f', description: '', parameters: {} }],
    }));
    assert.match((await failureOf(policy.runJob(agentJob({ tasks: armed }), never))).message, /tools of its own/);
    assert.match((await failureOf(bench.open({ rank: 0 }))).message, /fully trained weights/);
    assert.match((await failureOf(bench.open({ workdir: 'genenv' }))).message, /“genenv” is no whole path/);
    assert.match((await failureOf(bench.open({ overrides: 'trainer.resume_mode=auto' }))).message, /is set by GenEnv/);
    assert.match((await failureOf(bench.open({ overrides: 'faster please' }))).message, /no Hydra override/);
    const unread = await failureOf(bench.open({ overrides: '~data.max_response_length' }));
    assert.match(unread.message, /no whole number above 0/);
    assert.deepEqual(bench.ray.submissions, []);
  });

  it('takes answers for cut off at the bound, and an adapter’s scale, that the trainer gets', async () => {
    const rollouts = { ...agentJob().rollouts, maxSequence: 6 };
    const short = await (await bench.open()).runJob(agentJob({ rollouts }), never);
    assert.deepEqual([short.attempts.length, cutOff(short)], [24, 24]);
    const overridden = await bench.open({
      overrides: 'data.max_response_length=5 actor_rollout_ref.model.lora_alpha=12',
    });
    const shorter = await overridden.runJob(agentJob({ name: 'e2-agent', epoch: 2, to: 'agent@2' }), never);
    assert.equal(cutOff(shorter), 24);
    assert(shorter.attempts.every(({ tokens }) => tokens === 5));
    const config = join(shorter.checkpoint.handle, 'adapter_config.json');
    assert.match(readFileSync(config, 'utf8'), /"lora_alpha": 12/);
  });

  it('passes a person’s overrides on, which win', async () => {
    const policy = await bench.open({ overrides: 'actor_rollout_ref.actor.optim.lr=0.5  +data.more=1' });
    await policy.runJob(agentJob(), never);
    const script = readFileSync(join(folder('e1-agent'), 'job.sh'), 'utf8');
    assert.deepEqual(
      [...script.matchAll(/optim\.lr=([\d.e-]+)/g)].map(([, rate]) => rate),
      ['0.5'],
    );
    assert.match(script, /'\+data\.more=1'/);
  });

  const cutOff = ({ attempts }: JobOutcome): number =>
    attempts.filter(({ stopReason }) => stopReason === 'length').length;
  const indices = (attempts: JobOutcome['attempts']): number[] => attempts.map(({ index }) => index);
});

async function failureOf(work: Promise<unknown>): Promise<EndpointError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof EndpointError) return error;
    throw error;
  }
  return assert.fail('It did not fail.');
}
