import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import { readVariation, variedGame } from '../../../src/benchmarks/alfworld/variation.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { loadInputs } from '../../../src/launch/inputs/inputs.ts';
import { domainOf } from '../../../src/launch/domains/openDomain.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { eventSchema } from '../../../src/shared/journal/events.ts';
import { taskSchema, type Task } from '../../../src/shared/records/task.ts';
import { traceSchema } from '../../../src/shared/records/trace.ts';
import { gameFile } from '../../support/alfworld/games.ts';
import { launchHere } from '../../support/launchHere.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { alfworldSeed, bfclSeed, bfclText } from '../../support/recipes/seeds.ts';

/** As a task file has them. */
const lineOf = ({ id, prompt, evaluation, gold }: Task): string => JSON.stringify({ id, prompt, evaluation, gold });

describe('a run that has tasks of a benchmark written', () => {
  let dir = '';
  let server: FakeServer;
  const notes: string[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-recipe-'));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const experimentOf = (domain: Partial<Experiment['domain']>, rollouts: object = {}): Experiment => {
    const endpoint = { kind: 'openai', url: server.url, model };
    return experimentSchema.parse(
      withPreset({
        ...{ preset: 'default', name: 'recipe', mode: 'random', epochs: 1 },
        domain: { seeds: 'seeds.jsonl', heldOut: 'heldOut.jsonl', ...domain },
        endpoints: { agent: endpoint, environment: endpoint },
        generation: { families: 1, variations: 4, attempts: 1 },
        rollouts: { group: 2, baseShare: 0, poolShare: 0, ...rollouts },
        agent: { train: false },
        validation: { every: 1, tasks: 1, rollouts: 1 },
      }),
    );
  };

  /** The environment writes these texts one after the other; the agent says what is known to solve a task, every other time. */
  const scripted = (texts: readonly string[], solve: (said: readonly string[], turn: number) => string): void => {
    let written = 0;
    server.says = (seed, { messages = [] }) => {
      const said = messages.map(({ content }) => content ?? '');
      if (said[0]?.startsWith('You write new tasks') === true)
        return { content: texts[written++ % texts.length] ?? '' };
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      return { content: seed % 2 === 0 || turn > 0 ? solve(said, turn) : 'look' };
    };
  };

  const run = async (experiment: Experiment) => {
    const root = join(dir, 'runs');
    const landing = await launchHere({ root, notes }, { experiment, directory: dir }, {});
    assert.equal(landing.state, 'finished', landing.error?.stack);
    const read = async <T>(file: string, schema: z.ZodType<T>): Promise<T[]> =>
      (await readFile(join(root, landing.id, file), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => schema.parse(JSON.parse(line)));
    const events = await read('journal.jsonl', eventSchema);
    const generated = events.find((event) => event.type === 'tasks.generated');
    assert.ok(generated?.type === 'tasks.generated');
    return {
      events,
      generated,
      tasks: await read('tasks.jsonl', taskSchema),
      traces: await read('traces.jsonl', traceSchema),
      reader: await new RunStore(root, {
        clock: { now: () => 0 },
        log: { info: (note) => notes.push(note), warn: (note) => notes.push(note) },
        version: 'test',
      }).openReader(landing.id),
    };
  };

  it('of BFCL: what is wrong, known or held out stays out with its reason, the rest is attempted and judged', async () => {
    const heldOut = bfclSeed('oslo');
    const other = { ...bfclSeed('bergen'), gold: '[{"weather.get":{"city":["Bergen"],"days":[5]}}]' };
    await writeFile(
      join(dir, 'seeds.jsonl'),
      lineOf({ ...other, prompt: [{ role: 'user', content: 'Bergen, 5 days?' }] }),
    );
    await writeFile(join(dir, 'heldOut.jsonl'), lineOf(heldOut));
    const leak = JSON.stringify({
      functions: heldOut.evaluation['function'],
      question: 'In Oslo: what is the weather for 3 days?',
      calls: [{ name: 'weather.get', arguments: { city: 'Oslo', days: 3 } }],
    });
    scripted([bfclText(), 'I am sorry.', leak, bfclText({ question: 'A table for nine.' })], (said) =>
      said.some((text) => text.includes('book_table'))
        ? "[book_table(restaurant='Luigi', people=4, wishes=['candles', 'high chair'])]"
        : "[weather.get(city='Oslo', days=3)]",
    );
    const { generated, tasks, traces, events, reader } = await run(experimentOf({ name: 'bfcl' }));
    assert.equal(generated.accepted, 1);
    assert.deepEqual(generated.rejected, { gold: 1, 'held-out': 1, unparseable: 1 });
    const by = new Map(tasks.map((task) => [task.cause ?? 'accepted', task]));
    assert.match(by.get('held-out')?.note ?? '', /held-out task validation\.oslo/);
    assert.match(by.get('gold')?.note ?? '', /does not give/);
    const accepted = by.get('accepted');
    assert.ok(accepted !== undefined);
    const attempts = traces.filter(({ task, purpose }) => task === accepted.id && purpose === 'train');
    assert.deepEqual(attempts.map(({ verdict }) => verdict.success).sort(), [false, true]);
    const [scored] = events.flatMap((event) => (event.type === 'families.scored' ? event.families : []));
    assert.deepEqual([scored?.successRate.successes, scored?.successRate.attempts], [1, 2]);
    assert.equal(events.filter(({ type }) => type === 'validated').length, 2);
    // A later reader of the run verifies its tasks by the same recipe.
    const { domain, given } = await domainOf(reader);
    assert.equal(domain.name, 'bfcl');
    assert.deepEqual(domain.verify(accepted), { ok: true });
    assert.deepEqual(given.map(({ id }) => id).sort(), ['base.bergen', 'validation.oslo']);
  }).timeout(240_000);

  it('of ALFWorld: games that are won, played turn by turn', async () => {
    const variations = [
      { task: 'pick_and_place_simple', object: 'apple', receptacle: 'fridge' },
      { task: 'pick_clean_then_place_in_recep', object: 'egg', receptacle: 'microwave' },
    ];
    const walkthroughs = new Map(
      variations.map((one) => {
        const { walkthrough, grammar } = variedGame(gameFile('potato'), readVariation(JSON.stringify(one)));
        return [/Your task is to: [^"]*/.exec(grammar)?.[0] ?? '', walkthrough ?? []] as const;
      }),
    );
    await writeFile(join(dir, 'seeds.jsonl'), lineOf(alfworldSeed('potato')));
    const texts = [...variations, { ...variations[0], object: 'unicorn' }, variations[0]].map((one) =>
      JSON.stringify(one),
    );
    scripted(texts, (said, turn) => {
      const task = [...walkthroughs].find(([sentence]) => said.some((text) => text.includes(sentence)));
      return task?.[1][turn] ?? 'look';
    });
    const experiment = experimentOf({ name: 'alfworld', heldOut: null }, { maxTurns: 50 });
    const { generated, tasks, traces } = await run(experiment);
    assert.equal(generated.accepted, 2);
    assert.deepEqual(generated.rejected, { duplicate: 1, gold: 1 });
    const accepted = tasks.filter(({ status }) => status === 'accepted');
    for (const { id, complexity } of accepted) {
      const won = traces.filter(({ task, verdict }) => task === id && verdict.success);
      assert.ok(won.length > 0, id);
      for (const { messages } of won) {
        assert.ok(messages.filter(({ role }) => role === 'assistant').length >= (complexity['steps'] ?? 0));
      }
    }
  }).timeout(240_000);

  it('is refused where a base task is held out, or is none of the benchmark', async () => {
    await writeFile(join(dir, 'seeds.jsonl'), [lineOf(bfclSeed('one'))].join('\n'));
    await writeFile(
      join(dir, 'heldOut.jsonl'),
      lineOf({ ...bfclSeed('two'), prompt: [{ role: 'user', content: 'Oslo?' }] }),
    );
    const refused = (experiment: Experiment, message: RegExp) =>
      assert.rejects(
        loadInputs(experiment, dir),
        (error) => error instanceof InputError && message.test(error.message),
      );
    await refused(
      experimentOf({ name: 'bfcl' }),
      /base\.one is the held-out task validation\.two: it asks for the same/,
    );
    await refused(experimentOf({ name: 'bamboogle' }), /no task of the domain bamboogle: it is judged by “bfcl”/);
    const java = { ...bfclSeed('java'), evaluation: { ...bfclSeed().evaluation, language: 'java' } };
    await writeFile(join(dir, 'seeds.jsonl'), lineOf(java));
    await refused(experimentOf({ name: 'bfcl' }), /written in java/);
  });
});
