import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type Landing } from '../../../src/launch/launch.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { dist } from '../../support/built.ts';
import { sums } from '../../support/domains/sums.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };

/** The last user turn as the sum that it asks for; null for another question. */
function sumIn(text: string): number | null {
  const [, a, b] = /How much is (\d+) \+ (\d+)\?/.exec(text) ?? [];
  return a === undefined || b === undefined ? null : Number(a) + Number(b);
}

describe('a run on a domain of a person’s own', function () {
  this.timeout(120_000);
  let dir = '';
  let server: FakeServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-domain-'));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
    let asked = 0;
    server.says = (seed, { messages = [] }) => {
      const text = messages.at(-1)?.content ?? '';
      const sum = sumIn(text);
      if (sum !== null) return { content: String(sum + (seed % 2)) };
      if (!text.startsWith('Write another sum')) return { content: 'hello' };
      asked += 1;
      if (asked % 5 === 0) return { content: 'I would rather not.' };
      return { content: asked % 7 === 0 ? '60 + 60' : `${10 + asked} + ${seed % 10}` };
    };
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const experiment = (file: string, over: object = {}): Experiment => {
    const endpoint = { kind: 'openai', url: server.url, model };
    return experimentSchema.parse(
      withPreset({
        ...{ preset: 'default', name: 'own', mode: 'random', epochs: 2, domain: { file } },
        ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
        generation: { families: 3, variations: 2, attempts: 2 },
        ...{ rollouts: { group: 4 }, validation: { tasks: 1, every: 1 }, ...over },
      }),
    );
  };
  const run = (given: Experiment, signal = new AbortController().signal): Promise<Landing> =>
    launch({
      ...{ store: store(), dist, clock, log, signal, keys: agreedKeys({}) },
      start: { experiment: given, directory: dir, file: join(dir, 'own.genenv.json') },
    });
  const store = (): RunStore => new RunStore(join(dir, 'runs'), { clock, log, version: 'test' });
  async function reading<T>(id: string, read: (reader: RunReader) => Promise<T>): Promise<T> {
    const reader = await store().openReader(id);
    try {
      return await read(reader);
    } finally {
      await reader.close();
    }
  }

  for (const [file, text] of Object.entries(sums)) {
    it(`writes, verifies, poses and judges by ${file}, and keeps a copy of it`, async () => {
      await writeFile(join(dir, file), text);
      const landing = await run(experiment(file));
      assert.equal(landing.state, 'finished', landing.error?.message);
      const tasks = await reading(landing.id, async (reader) => [
        ...(await reader.tasksOf(1)),
        ...(await reader.tasksOf(2)),
      ]);
      const accepted = tasks.filter(({ status }) => status === 'accepted');
      assert.ok(accepted.length > 0);
      for (const { prompt, gold, evaluation, complexity } of accepted) {
        const [, a, b] = /^(\d+) \+ (\d+)$/.exec(prompt[0]?.content ?? '') ?? [];
        assert.equal(gold, String(Number(a) + Number(b)));
        assert.deepEqual(
          [evaluation, complexity],
          [{ kind: 'domain' }, { digits: (prompt[0]?.content.length ?? 0) - 3 }],
        );
      }
      const causes = new Map(tasks.map(({ cause, note }) => [cause, note]));
      assert.equal(causes.get('unparseable'), 'it is no sum');
      assert.equal(causes.get('gold'), 'the sum is 100 or more');
      const traces = await reading(landing.id, async (reader) => await reader.tracesOf(1));
      assert.ok(traces.length > 0);
      const goldOf = new Map(tasks.map(({ id, gold }) => [id, gold]));
      for (const trace of traces.filter(({ task }) => goldOf.has(task))) {
        const { verdict, messages } = trace;
        assert.equal(verdict.error, undefined);
        assert.equal(verdict.success, goldOf.get(trace.task) === messages.at(-1)?.content);
      }
      assert.ok(traces.some(({ verdict }) => verdict.success) && traces.some(({ verdict }) => !verdict.success));
      const copy = await readFile(join(dir, 'runs', landing.id, 'inputs', 'domain', file), 'utf8');
      assert.equal(copy, text);
      const held = await readFile(join(dir, 'runs', landing.id, 'inputs', 'heldOut.jsonl'), 'utf8');
      assert.match(held, /"id":"held"/);
    });
  }

  it('uses its own copy when it is resumed, even if the file has changed', async () => {
    await writeFile(join(dir, 'sums.domain.ts'), sums['sums.domain.ts']);
    const ending = new AbortController();
    const { says } = server;
    let answered = 0;
    server.says = (seed, body) => {
      answered += 1;
      if (answered === 60) ending.abort(new Error('enough'));
      return says(seed, body);
    };
    const paused = await run(experiment('sums.domain.ts'), ending.signal);
    assert.equal(paused.state, 'paused');
    await writeFile(join(dir, 'sums.domain.ts'), 'throw new Error("changed");');
    const said: string[] = [];
    const landing = await launch({
      ...{ store: store(), dist, clock, signal: new AbortController().signal, keys: agreedKeys({}) },
      log: { ...log, warn: (message) => said.push(message) },
      start: { resume: paused.id },
    });
    assert.equal(landing.state, 'finished', landing.error?.message);
    assert.deepEqual(said, [
      'sums.domain.ts changed after this run began. The run continues with its own copy in inputs/domain. To use the new version, start a new run.',
    ]);
  });

  it('plays episodes of several turns, and one that dies costs its own attempt alone', async () => {
    const game = `
export const seeds = (split) => (split === 'base' ? [{ prompt: 'Guess my number.', gold: '3' }] : []);
export const environmentPrompt = () => 'Write another sum, please.';
export const parse = (text) => ({ prompt: 'Guess my number: ' + text, gold: '3' });
export const reset = (task) => ({ say: 'Your first guess?', state: { guesses: 0 } });
export function step(task, state, action) {
  if (action === 'die') throw new Error('the dice fell off the table');
  const guesses = state.guesses + 1;
  return action === task.gold ? { say: 'Right.', done: true, state: { guesses } } : { say: 'No.', state: { guesses } };
}
export const judge = (task, trace) => trace.answer === task.gold;
`;
    await writeFile(join(dir, 'game.domain.js'), game);
    const { says } = server;
    server.says = (seed, body) => {
      const turns = (body.messages ?? []).filter(({ role }) => role === 'assistant').length;
      if (body.messages?.some(({ content }) => content === 'Your first guess?') !== true) return says(seed, body);
      if (turns === 0 && seed % 5 === 0) return { content: 'die' };
      return { content: turns === 2 ? '3' : String(10 + turns) };
    };
    const over = { rollouts: { group: 8, maxTurns: 4 }, validation: { every: 0 }, epochs: 1 };
    const landing = await run(experiment('game.domain.js', over));
    assert.equal(landing.state, 'finished', landing.error?.message);
    const traces = await reading(landing.id, (reader) => reader.tracesOf(1));
    assert.ok(traces.length > 0);
    for (const { messages, verdict } of traces) {
      assert.deepEqual(
        messages.map(({ content }) => content),
        ['Your first guess?', '10', 'No.', '11', 'No.', '3', 'Right.'],
      );
      assert.equal(verdict.success, true);
    }
    const journal = await readFile(join(dir, 'runs', landing.id, 'journal.jsonl'), 'utf8');
    assert.match(journal, /the dice fell off the table/);
  });

  it('is refused before the run at the line that is wrong', async () => {
    for (const [text, said, line] of [
      ['export const parse = () => null;', /no “environmentPrompt”/, 1],
      ['export const a = 1;\nthrow new Error("no model here");', /no model here/, 2],
      ['export const environmentPrompt = () => "";\nexport const parse = () => "";', /no seed tasks/, 1],
      [
        'export const environmentPrompt = () => "";\nexport const parse = () => "";\nexport const seeds = () => {\n  throw new Error("lost");\n};',
        /“seeds” failed: Error: lost/,
        4,
      ],
      [
        'export const environmentPrompt = () => "";\nexport const parse = () => "";\nexport const seeds = () => "none";',
        /it must give a list/,
        3,
      ],
    ] as const) {
      await writeFile(join(dir, 'bad.domain.ts'), text);
      await assert.rejects(run(experiment('bad.domain.ts')), (error) => {
        assert.ok(error instanceof InputError);
        const [problem] = error.problems;
        assert.match(problem?.message ?? '', said);
        assert.deepEqual([problem?.file, problem?.line], [join(dir, 'bad.domain.ts'), line]);
        return true;
      });
    }
  });
});
