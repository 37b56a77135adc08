/** Runs whose episodes the real OpenEnv package serves, from `pip install openenv`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type Landing } from '../../../src/launch/launch.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { withPreset, type JsonObject } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema } from '../../../src/shared/experiment/schema.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { cli, dist } from '../../support/built.ts';
import { RealOpenenv } from '../../support/openenv/realOpenenv.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { peerPython } from '../../support/peers/pythons.ts';
import { skip } from '../../support/skip.ts';
import { until } from '../../support/until.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };

const numbers = (url: string): string => `
export const openenv = { url: '${url}' };
const rules = 'Guess the number. Answer with the number alone.';
export const seeds = (split) =>
  (split === 'base' ? [1, 2, 3, 4] : [99]).map((seed) => ({ prompt: rules, reset: { seed, most: 8 } }));
export const environmentPrompt = () => 'Write another level.';
export function parse(text) {
  const [, seed] = /^level (\\d+)$/.exec(text) ?? [];
  return seed === undefined ? { reject: 'it is no level' } : { prompt: rules, reset: { seed: Number(seed), most: 8 } };
}
export const observe = ({ hint }) => hint;
`;

const shelf = (url: string): string => `
openenv = {"url": "${url}", "sessions": 3}


def seeds(split):
    items = ["figs", "pears", "melons"] if split == "base" else []
    return [{"prompt": f"How many {item} are there?", "reset": {"item": item}} for item in items]


def environmentPrompt(context):
    return "Write another level."


def parse(text, about):
    return {"reject": "no more items"} if text.startswith("level") else {"prompt": text, "reset": {"item": text}}


def solved(played, task):
    return played["done"] and played["rewards"][-1] == 1
`;

/** An agent that goes up by one with “higher” and down with “lower”, from where its seed has it begin. */
function guesses(seed: number, messages: readonly { role: string; content: string | null }[]): string {
  const said = messages.filter(({ role }) => role === 'assistant');
  const last = messages.at(-1)?.content ?? '';
  if (said.length === 0) return seed % 4 === 0 ? 'no idea' : String(1 + (seed % 8));
  const before = Number(said.at(-1)?.content);
  if (Number.isNaN(before)) return '{"guess": 4}';
  return String(before + (last === 'higher' ? 1 : -1));
}

describe('a run on an OpenEnv server', function () {
  this.timeout(400_000);
  let python = '';
  let dir = '';
  let agent: FakeServer;
  const servers: RealOpenenv[] = [];
  before(async function () {
    const found = await peerPython('openenv');
    if ('why' in found) skip(this, `OpenEnv cannot be installed: ${found.why}`);
    python = found.python;
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-openenv-'));
    agent = new FakeServer('vllm');
    agent.context = 1_000_000;
    await agent.start();
    agent.says = (seed, { messages = [] }) =>
      messages.at(-1)?.content === 'Write another level.'
        ? { content: `level ${seed % 40}` }
        : {
            content: guesses(
              seed,
              messages.map(({ role, content }) => ({ role, content: content ?? '' })),
            ),
          };
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    await agent.stop();
    await rm(dir, { recursive: true, force: true });
  });

  async function serve(kind: 'numbers' | 'shelf', sessions: number, port?: number): Promise<RealOpenenv> {
    const server = await RealOpenenv.start(python, kind, sessions, port);
    servers.push(server);
    return server;
  }

  const settings = (file: string, over: object = {}): JsonObject => {
    const endpoint = { kind: 'openai', url: agent.url, model };
    return {
      ...{ preset: 'default', name: 'served', mode: 'random', epochs: 2, domain: { file } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
      generation: { families: 2, variations: 2, attempts: 2 },
      ...{ rollouts: { group: 4, maxTurns: 6 }, validation: { tasks: 1, every: 1 }, ...over },
    };
  };
  const store = (folder = 'runs'): RunStore => new RunStore(join(dir, folder), { clock, log, version: 'test' });
  const run = (file: string, over: object = {}, folder = 'runs'): Promise<Landing> =>
    launch({
      ...{ store: store(folder), dist, clock, log, signal: new AbortController().signal, keys: agreedKeys({}) },
      start: { experiment: experimentSchema.parse(withPreset(settings(file, over))), directory: dir },
    });

  async function tracesOf(id: string, folder = 'runs'): Promise<Trace[]> {
    const reader = await store(folder).openReader(id);
    try {
      const traces = [...(await reader.tracesOf(1)), ...(await reader.tracesOf(2))];
      return traces.sort((a, b) => (a.id < b.id ? -1 : 1));
    } finally {
      await reader.close();
    }
  }

  const journalOf = (id: string, folder = 'runs'): Promise<string> =>
    readFile(join(dir, folder, id, 'journal.jsonl'), 'utf8');

  it('poses, plays and judges by what the server says, in as many sessions as it has', async () => {
    const server = await serve('numbers', 3);
    await writeFile(join(dir, 'guess.domain.ts'), numbers(server.url));
    const landing = await run('guess.domain.ts');
    assert.equal(landing.state, 'finished', landing.error?.message);
    const traces = await tracesOf(landing.id);
    assert.ok(traces.length >= 32, `${traces.length} traces`);
    for (const { messages, steps = [], verdict, stopReason } of traces) {
      assert.equal(messages[0]?.content, 'A number from 1 to 8.');
      assert.equal(steps.length, messages.filter(({ role }) => role === 'assistant').length + 1);
      const right = steps.at(-1)?.observation['hint'] === 'right';
      assert.deepEqual([verdict.success, verdict.error], [right, undefined]);
      assert.equal(verdict.parts?.['last reward'], steps.findLast(({ reward }) => reward !== null)?.reward);
      if (right) assert.equal(stopReason, 'stop');
    }
    assert.ok(traces.some(({ verdict }) => verdict.success) && traces.some(({ verdict }) => !verdict.success));
    const lost = traces.find(({ messages }) => messages[1]?.content === 'no idea');
    assert.match(lost?.messages[2]?.content ?? '', /^Error: The answer is no action\. .* its fields: guess\.$/);
    assert.doesNotMatch(await journalOf(landing.id), /unanswered/);
    const kept = await readFile(join(dir, 'runs', landing.id, 'endpoints', 'openenv-guess.json'), 'utf8');
    assert.match(kept, /"name": "Numbers"/);
  });

  it('gives the agent the server’s tools, and calls them', async () => {
    const server = await serve('shelf', 3);
    await writeFile(join(dir, 'shelf.domain.py'), shelf(server.url));
    const tools: unknown[] = [];
    agent.tools = 'says';
    agent.says = (seed, { messages = [], tools: offered }) => {
      const last = messages.at(-1);
      if (last?.content === 'Write another level.') return { content: 'level' };
      tools.push(offered);
      if (last?.role !== 'tool') {
        const [, item] = /How many (\w+)/.exec(messages.find(({ role }) => role === 'user')?.content ?? '') ?? [];
        const call = { name: 'look_up', arguments: { item } };
        return { content: `<tool_call>${JSON.stringify(call)}</tool_call>` };
      }
      const [, count] = /There are (\d+)/.exec(last.content ?? '') ?? [];
      if (seed % 3 === 0) return { content: 'There are some.' };
      const call = { name: 'answer', arguments: { number: Number(count) } };
      return { content: `<tool_call>${JSON.stringify(call)}</tool_call>` };
    };
    const landing = await run('shelf.domain.py', { epochs: 1, validation: { every: 0 } });
    assert.equal(landing.state, 'finished', landing.error?.message);
    assert.match(JSON.stringify(tools), /"look_up".*"description":"How many of an item there are\."/);
    const traces = await tracesOf(landing.id);
    assert.ok(traces.length > 0);
    for (const { messages, verdict } of traces) {
      assert.match(messages[1]?.content ?? '', /^There are \d of \w+\.$/);
      assert.equal(messages[1]?.role, 'tool');
      assert.equal(verdict.success, messages.at(-1)?.content === 'taken');
    }
    assert.deepEqual(new Set(traces.map(({ verdict }) => verdict.success)), new Set([true, false]));
  });

  it('goes on when the server dies and comes back: only the attempts under way are lost', async () => {
    const server = await serve('numbers', 4);
    await writeFile(join(dir, 'guess.domain.ts'), numbers(server.url));
    const { says } = agent;
    const back: Promise<RealOpenenv>[] = [];
    let answered = 0;
    agent.says = (seed, body) => {
      answered += 1;
      if (answered === 60) {
        back.push(server.stop().then(() => serve('numbers', 4, server.port)));
      }
      return says(seed, body);
    };
    const landing = await run('guess.domain.ts', { rollouts: { group: 8, maxTurns: 6 } });
    await Promise.all(back);
    assert.equal(landing.state, 'finished', landing.error?.message);
    assert.equal(back.length, 1);
    const journal = await journalOf(landing.id);
    const counts = [...journal.matchAll(/"unanswered":\{"count":(\d+)/g)].map(([, count]) => Number(count));
    const lost = counts.reduce((sum, count) => sum + count, 0);
    assert.ok(lost >= 1 && lost <= 4, `${lost} lost`);
    assert.match(journal, /the connection (ended|broke)/);
  });

  it('ends after a SIGKILL and a resume as an undisturbed run does', async () => {
    const server = await serve('numbers', 4);
    await writeFile(join(dir, 'guess.domain.ts'), numbers(server.url));
    const whole = await run('guess.domain.ts', {}, 'whole');
    assert.equal(whole.state, 'finished', whole.error?.message);

    await writeFile(join(dir, 'served.genenv.json'), JSON.stringify(settings('guess.domain.ts')));
    const start = (...args: string[]) =>
      spawn(process.execPath, [cli, ...args, '--root', join(dir, 'runs')], { stdio: 'ignore' });
    const first = start('run', join(dir, 'served.genenv.json'));
    const died = once(first, 'exit');
    const id = await until('attempts of the second epoch', async () => {
      const [one] = await readdir(join(dir, 'runs')).catch(() => []);
      if (one === undefined) return undefined;
      const text = await readFile(join(dir, 'runs', one, 'traces.jsonl'), 'utf8').catch(() => '');
      return text.includes('"e2/') ? one : undefined;
    });
    first.kill('SIGKILL');
    await died;
    const recorded = new Set((await tracesOf(id)).map((trace) => trace.id));
    const resumed = start('resume', id);
    await once(resumed, 'exit');
    assert.equal(resumed.exitCode, 0);

    const [one, other] = [await tracesOf(whole.id, 'whole'), await tracesOf(id)];
    const parts = ({ id, messages, steps, verdict, stopReason }: Trace) => ({
      id,
      messages,
      steps,
      verdict,
      stopReason,
    });
    assert.deepEqual(other.map(parts), one.map(parts));
    assert.ok(recorded.size > 0 && recorded.size < other.length, `${recorded.size} of ${other.length} were recorded`);
    const timeless = (journal: string) =>
      journal.replaceAll(/"(?:at|seconds|tokensPerSecond)":[\d.]+/g, '').replaceAll(/"(?:id|run)":"[^"]*"/g, '');
    assert.equal(timeless(await journalOf(id)), timeless(await journalOf(whole.id, 'whole')));
  });

  it('does not go on with another environment', async () => {
    const server = await serve('numbers', 4);
    await writeFile(join(dir, 'guess.domain.ts'), numbers(server.url));
    const { says } = agent;
    const ending = new AbortController();
    let answered = 0;
    agent.says = (seed, body) => {
      answered += 1;
      if (answered === 40) ending.abort(new Error('enough'));
      return says(seed, body);
    };
    const needs = { ...{ store: store(), dist, clock, log, keys: agreedKeys({}) } };
    const paused = await launch({
      ...{ ...needs, signal: ending.signal },
      start: { experiment: experimentSchema.parse(withPreset(settings('guess.domain.ts'))), directory: dir },
    });
    assert.equal(paused.state, 'paused');
    await server.stop();
    await serve('shelf', 4, server.port);
    const landing = await launch({ ...needs, signal: new AbortController().signal, start: { resume: paused.id } });
    assert.equal(landing.state, 'paused');
    assert.match(
      landing.error?.message ?? '',
      /its schema of action and observation is no longer what it was when the run began\. Serve the same environment/,
    );
  });
});
