import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { launch, type Landing } from '../../../src/launch/launch.ts';
import { hasReasoning, reasoningGym } from '../../../src/launch/domains/reasoningPackage.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { dist } from '../../support/built.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { skip } from '../../support/skip.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };

/** A story that differs with its numbers and its person. */
function story(seed: number): string {
  const [a, b, c] = [3 + (seed % 7), 4 + (seed % 11), 2 + (seed % 5)];
  const who = ['Ada', 'Emil', 'Grace', 'Kurt', 'Sofja', 'Alan'][seed % 6] ?? 'Ada';
  const what = ['lamps', 'kites', 'stamps', 'shells', 'plums', 'bolts', 'seeds'][seed % 7] ?? 'lamps';
  return `Story: On day ${1 + (seed % 28)} ${who} brings ${a} bags of ${b} ${what} to the fair and sells ${c}. How many ${what} are left over?\nCalculation: ${a} * ${b} - ${c}`;
}

describe('a run on a domain that ships', function () {
  this.timeout(300_000);
  let dir = '';
  let server: FakeServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-shipped-'));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const experiment = (name: 'stories' | 'reasoning'): Experiment => {
    const endpoint = { kind: 'openai', url: server.url, model };
    return experimentSchema.parse(
      withPreset({
        ...{ preset: 'default', name, mode: 'random', epochs: 2, domain: { name } },
        ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
        ...{ generation: { families: 3, variations: 2, attempts: 2 }, reward: { seconds: 60 } },
        ...{ rollouts: { group: 4 }, validation: { tasks: 8, every: 2 } },
      }),
    );
  };
  const store = (): RunStore => new RunStore(join(dir, 'runs'), { clock, log, version: 'test' });
  const parts = (signal = new AbortController().signal) => ({
    ...{ store: store(), dist, clock, log, signal, keys: agreedKeys({}) },
  });
  const run = (given: Experiment, signal?: AbortSignal): Promise<Landing> =>
    launch({ ...parts(signal), start: { experiment: given, directory: dir } });

  async function recorded(id: string): Promise<{ tasks: Task[]; traces: Trace[] }> {
    const reader = await store().openReader(id);
    try {
      const epochs = [1, 2];
      const tasks = await Promise.all(epochs.map((epoch) => reader.tasksOf(epoch)));
      const traces = await Promise.all(epochs.map((epoch) => reader.tracesOf(epoch)));
      return { tasks: tasks.flat(), traces: traces.flat() };
    } finally {
      await reader.close();
    }
  }

  it('writes, verifies, poses and judges stories', async () => {
    let written = 0;
    server.says = (seed, { messages = [] }) => {
      const [first, last] = [messages[0]?.content ?? '', messages.at(-1)?.content ?? ''];
      if (!first.startsWith('You write arithmetic stories')) {
        // The probe of a newly opened server is no story.
        if (!last.endsWith('Answer: NUMBER')) return { content: 'hello' };
        const [, a = 0, b = 0, c = 0] = /brings (\d+) bags of (\d+) \w+ to the fair and sells (\d+)/.exec(last) ?? [];
        return { content: `Let me see.\n**Answer:** ${Number(a) * Number(b) - Number(c) + (seed % 2)} pieces` };
      }
      written += 1;
      return { content: written % 4 === 0 ? 'Here is one: how many?' : `Sure!\n\n${story(seed)}\n\nThat is it.` };
    };
    const landing = await run(experiment('stories'));
    assert.equal(landing.state, 'finished', landing.error?.message);
    const { tasks, traces } = await recorded(landing.id);
    const accepted = tasks.filter(({ status }) => status === 'accepted');
    assert.ok(accepted.length > 4);
    for (const { prompt, gold, complexity } of accepted) {
      const [, a, b, c] =
        /brings (\d+) bags of (\d+) \w+ to the fair and sells (\d+)/.exec(prompt[0]?.content ?? '') ?? [];
      assert.equal(gold, String(Number(a) * Number(b) - Number(c)));
      assert.equal(complexity['steps'], 2);
    }
    assert.ok(tasks.some(({ note }) => note === 'there is no line “Calculation:”'));
    const own = traces.filter(({ task }) => accepted.some(({ id }) => id === task));
    assert.ok(own.some(({ verdict }) => verdict.success) && own.some(({ verdict }) => !verdict.success));
    assert.ok(own.every(({ verdict }) => verdict.valid));
  });

  it('has the puzzles written and judged by reasoning_gym, and resumes as it began', async function () {
    if (!(await hasReasoning())) skip(this, 'reasoning_gym is not installed (genenv install-reasoning)');
    const families = ['chain_sum', 'spell_backward', 'isomorphic_strings', 'countdown', 'no_such_family'];
    server.says = (seed, { messages = [] }) => {
      if (!(messages[0]?.content ?? '').startsWith('You choose puzzles'))
        return { content: `<answer>${seed % 30}</answer>` };
      const family = families[seed % families.length];
      return {
        content: `\`\`\`json\n{"family": "${family}", "parameters": {}, "seed": ${100_000 + (seed % 900)}}\n\`\`\``,
      };
    };
    const whole = await run(experiment('reasoning'));
    assert.equal(whole.state, 'finished', whole.error?.message);
    const undisturbed = await recorded(whole.id);
    assert.ok(undisturbed.tasks.some(({ note }) => note === "there is no family 'no_such_family'"));
    const accepted = undisturbed.tasks.filter(({ status }) => status === 'accepted');
    assert.ok(accepted.length > 4 && accepted.every(({ evaluation }) => evaluation.kind === 'domain'));
    assert.ok(undisturbed.traces.every(({ verdict }) => verdict.error === undefined));
    const kept: unknown = JSON.parse(await readFile(join(dir, 'runs', whole.id, 'inputs', 'domain.json'), 'utf8'));
    assert.deepEqual(z.object({ packages: z.unknown() }).parse(kept).packages, {
      [reasoningGym.name]: reasoningGym.version,
    });

    const ending = new AbortController();
    const { says } = server;
    let answered = 0;
    server.says = (...given) => {
      answered += 1;
      if (answered === 20) ending.abort();
      return says(...given);
    };
    const broken = await run(experiment('reasoning'), ending.signal);
    assert.notEqual(broken.state, 'finished');
    const resumed = await launch({ ...parts(), start: { resume: broken.id } });
    assert.equal(resumed.state, 'finished', resumed.error?.message);
    const again = await recorded(resumed.id);
    const known = (tasks: readonly Task[]) =>
      tasks.map(({ id, prompt, gold, status }) => ({ id, prompt, gold, status }));
    assert.deepEqual(known(again.tasks), known(undisturbed.tasks));
  });
});
