import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { loadInputs } from '../../../../src/launch/inputs/inputs.ts';
import { makeTasks, type MakeTasksAsk } from '../../../../src/features/makeTasks/node/makeTasks.ts';
import { MakeTasksError } from '../../../../src/features/makeTasks/node/makeTasksError.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { withPreset } from '../../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../../src/shared/experiment/schema.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import { parseTaskFile } from '../../../../src/shared/records/taskFile.ts';
import type { TaskEdit } from '../../../../src/shared/records/taskEdit.ts';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import { FakeServer } from '../../../support/openai/fakeServer.ts';
import { model } from '../../../support/openai/quirks.ts';
import { bfclSeed, bfclText } from '../../../support/recipes/seeds.ts';
import { attemptsAt } from '../../../support/runs/records.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';

const lineSchema = z.record(z.string(), z.unknown());
const lineOf = ({ id, prompt, evaluation, gold }: Task): string => JSON.stringify({ id, prompt, evaluation, gold });
const asking = 'A table for four at Luigi, please, with candles and a high chair';

describe('tasks made for mode offline', () => {
  let dir = '';
  let server: FakeServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-make-'));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const tools = (signal = new AbortController().signal) => ({
    ...{ dist, clock: { now: () => Date.UTC(2026, 10, 22) }, signal },
    ...{ keys: environmentKeys({}), log: { info: () => undefined, warn: () => undefined } },
  });
  const ask = (source: MakeTasksAsk['source'], over: Partial<MakeTasksAsk> = {}): MakeTasksAsk => ({
    ...{ source, file: join(dir, 'offline.jsonl'), solved: null, heldOut: null, withSeeds: false, ...over },
  });
  const lines = async (): Promise<Record<string, unknown>[]> =>
    (await readFile(join(dir, 'offline.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => lineSchema.parse(JSON.parse(line)));

  describe('by a server that writes variations', () => {
    const leak = 'What will the weather be in Oslo over the next 3 days?';
    let experiment: Experiment;
    let written = 0;
    let attempted = 0;
    beforeEach(async () => {
      [written, attempted] = [0, 0];
      const seeds = ['Rome', 'Bergen'].map((city): Task => ({
        ...bfclSeed(city),
        prompt: [{ role: 'user', content: `${city}, 3 days?` }],
        gold: JSON.stringify([{ 'weather.get': { city: [city], days: [3] } }]),
      }));
      await writeFile(join(dir, 'seeds.jsonl'), seeds.map(lineOf).join('\n'));
      await writeFile(join(dir, 'heldOut.jsonl'), lineOf(bfclSeed('oslo')));
      const endpoint = { kind: 'openai', url: server.url, model };
      experiment = experimentSchema.parse(
        withPreset({
          ...{ preset: 'default', name: 'recipe', mode: 'coevolve', domain: { name: 'bfcl', seeds: 'seeds.jsonl' } },
          ...{ endpoints: { agent: endpoint, environment: { ...endpoint, url: server.url } } },
          generation: { attempts: 1 },
        }),
      );
      experiment = { ...experiment, domain: { ...experiment.domain, heldOut: 'heldOut.jsonl' } };
      server.says = (seed, { messages = [] }) => {
        if (messages[0]?.content?.startsWith('You write new tasks') !== true) {
          // The endpoint is tried, too, before it is asked.
          if (!messages.some(({ content }) => content?.includes('Luigi') === true)) return { content: 'hello' };
          attempted += 1;
          return { content: attempted % 2 === 0 ? 'no' : "[book_table(restaurant='Luigi', people=4)]" };
        }
        written += 1;
        if (written === 2) return { content: 'I am sorry.' };
        if (written !== 3) return { content: bfclText({ question: `${asking}. Reference ${seed}.` }) };
        const calls = [{ name: 'weather.get', arguments: { city: 'Oslo', days: 3 } }];
        return { content: JSON.stringify({ functions: bfclSeed().evaluation['function'], question: leak, calls }) };
      };
    });
    const source = (over: object = {}): MakeTasksAsk['source'] => ({
      ...{ kind: 'policy', experiment, directory: dir, variations: 3, attempts: 0, ...over },
    });

    it('holds what is parsed, verified, new and not held out, and says of each where it comes from', async () => {
      const made = await makeTasks(ask(source(), { withSeeds: true }), tools());
      assert.deepEqual([made.tasks, made.seeds, written], [4, 2, 6]);
      assert.deepEqual(
        made.leftOut.map(({ reason, count, examples }) => [
          reason,
          count,
          examples.map((id) => id.split(': ')[1]).sort(),
        ]),
        [['rejected', 2, ['held-out', 'unparseable']]],
      );
      const own = (await lines()).filter(({ origin }) => origin === 'generated');
      assert.equal((await lines()).length, 6);
      for (const { provenance } of own) {
        const place = { endpoint: `openai ${server.url}`, model, version: 'environment@0' };
        assert.deepEqual(provenance, { ...place, at: '2026-11-22T00:00:00.000Z', filter: '' });
      }
      const read = parseTaskFile(await readFile(join(dir, 'offline.jsonl'), 'utf8'), 'offline.jsonl', 'offline');
      assert.ok('tasks' in read && read.leftOut.length === 0);
      assert.equal(new Set(read.tasks.map(({ family }) => family)).size, 4, 'two seeds, and a family of each');
      const manifest: unknown = JSON.parse(await readFile(join(dir, 'offline.jsonl.manifest.json'), 'utf8'));
      assert.deepEqual(manifest, made);
      // Its intended reader accepts it.
      await loadInputs(
        { ...experiment, mode: 'offline', generation: { ...experiment.generation, offlineFile: 'offline.jsonl' } },
        dir,
      );
    });

    it('is asked for once: what was answered before it was stopped, or before, is not asked for again', async () => {
      const stop = new AbortController();
      const says = server.says;
      server.says = (seed, body) => {
        const answer = says(seed, body);
        if (written === 4) stop.abort(new Error('Stop.'));
        return answer;
      };
      await assert.rejects(makeTasks(ask(source()), tools(stop.signal)));
      const parts = join(dir, 'offline.jsonl.parts', 'answers.jsonl');
      const kept = (await readFile(parts, 'utf8').catch(() => '')).split('\n').length - 1;
      assert.deepEqual((await readdir(dir)).includes('offline.jsonl'), false);
      server.says = says;
      await appendFile(parts, '{"v":1,"role":"envi');
      const before = written;
      const made = await makeTasks(ask(source()), tools());
      assert.equal(written - before, 6 - kept);
      const text = await readFile(join(dir, 'offline.jsonl'), 'utf8');
      assert.equal((await makeTasks(ask(source()), tools())).tasks, made.tasks);
      assert.equal(written - before, 6 - kept, 'all of it is there');
      assert.equal(await readFile(join(dir, 'offline.jsonl'), 'utf8'), text);
      await assert.rejects(makeTasks(ask(source({ variations: 4 })), tools()), (error) => {
        assert.ok(error instanceof MakeTasksError);
        assert.match(error.message, /another request: variations differ/);
        return true;
      });
    });

    it('is filtered by how often the agent solves a task, and by a further file of held-out tasks', async () => {
      await assert.rejects(makeTasks(ask(source(), { solved: [0, 1] }), tools()), /how often these tasks are solved/);
      const made = await makeTasks(ask(source({ attempts: 2 }), { solved: [0.6, 1] }), tools()).catch(
        (error: unknown) => error,
      );
      assert.ok(made instanceof MakeTasksError, 'no answer names the wishes');
      assert.match(made.message, /4 left out: the agent solves it more rarely/);
      assert.equal(attempted, 8);
      const easy = await makeTasks(ask(source({ attempts: 2 }), { solved: [0, 0.5] }), tools());
      assert.deepEqual([easy.tasks, easy.filter, attempted], [4, 'p̂ from 0 to 0.5 over 2 attempts', 8]);
      const [first] = await lines();
      assert.ok(first !== undefined);
      await writeFile(join(dir, 'later.jsonl'), JSON.stringify({ ...first, id: 'later' }));
      const fewer = await makeTasks(ask(source(), { heldOut: join(dir, 'later.jsonl') }), tools()).catch(
        (error: unknown) => error,
      );
      assert.ok(fewer instanceof MakeTasksError);
      assert.match(fewer.message, /4 left out: it is a held-out task, or nearly one/);
      await writeFile(join(dir, 'latin.jsonl'), Buffer.from(JSON.stringify({ ...first, id: 'größer' }), 'latin1'));
      const refused = makeTasks(ask(source(), { heldOut: join(dir, 'latin.jsonl') }), tools());
      await assert.rejects(refused, /latin\.jsonl:1: The file cannot be read: it is not UTF-8\. Save it as UTF-8\./);
    });
  });

  it('by a run: what it accepted, as people left it, with the attempts it made', async () => {
    const seeds = new StorekeeperDomain({ baseTasks: 12 }).seeds('base');
    const [held] = new StorekeeperDomain({ validationTasks: 1 }).seeds('validation');
    assert.ok(held !== undefined);
    const store = new RunStore(join(dir, 'runs'), {
      ...{ clock: { now: () => 0 }, log: { info: () => undefined, warn: () => undefined }, version: 'test' },
    });
    const writer = await store.create({ experiment: smallExperiment({ domain: { baseTasks: 2 } }) });
    const task = (v: number, over: Partial<Task> = {}): Task => ({
      ...(seeds[v + 2] ?? held),
      ...{ id: `e1.f0.v${v}`, family: 'e1.f0', epoch: 1, origin: 'generated', seed: 'base.0', ...over },
    });
    const tasks = [
      task(0),
      task(1),
      task(2),
      task(3, { status: 'rejected', cause: 'held-out' }),
      task(4),
      task(5, { prompt: seeds[2]?.prompt ?? [], evaluation: seeds[2]?.evaluation ?? { kind: '' } }),
      task(6),
      task(7, { prompt: held.prompt, gold: held.gold }),
    ];
    await writer.appendTasks(tasks);
    await writer.appendTraces([
      ...attemptsAt(task(0), [true, false]),
      ...attemptsAt(task(1), [false, false]),
      ...attemptsAt(task(4), [true, true]),
      ...attemptsAt(task(5), [true, false]),
      ...attemptsAt(task(7), [true, false]),
    ]);
    const edits: TaskEdit[] = [
      { action: 'exclude', task: 'e1.f0.v2', reason: 'odd' },
      { action: 'edit', task: 'e1.f0.v6', changes: [{ field: 'gold', from: null, to: 'first get f0 rice' }] },
    ];
    await writer.append({ v: 1, seq: 0, at: 0, type: 'tasks.edited', epoch: 2, author: 'me', edits });
    await writer.close();
    const run = await store.openReader(writer.manifest.id);
    const source = { kind: 'run', run, epochs: null } as const;
    const all = await makeTasks(ask(source), tools());
    const why = ({ leftOut }: typeof all) =>
      Object.fromEntries(leftOut.map(({ reason, examples }) => [reason, examples]));
    assert.deepEqual(why(all), {
      rejected: ['e1.f0.v3: held-out'],
      excluded: ['e1.f0.v2'],
      edited: ['e1.f0.v6'],
      duplicate: ['e1.f0.v5'],
      'held-out': ['e1.f0.v7'],
    });
    const middle = await makeTasks(ask(source, { solved: [0.1, 0.9] }), tools());
    assert.deepEqual([why(middle)['too-hard'], why(middle)['too-easy']], [['e1.f0.v1'], ['e1.f0.v4']]);
    const [only, ...others] = await lines();
    assert.deepEqual(others, []);
    assert.deepEqual(only?.['provenance'], {
      ...{ run: run.id, task: 'e1.f0.v0', endpoint: 'embedded', model: 'environment', version: 'environment@0' },
      ...{ at: new Date(Date.parse(run.manifest.createdAt)).toISOString(), filter: middle.filter },
      measured: { version: 'agent@0', successes: 1, attempts: 2 },
    });
    await assert.rejects(makeTasks(ask({ ...source, epochs: [2, 3] }), tools()), /No task is left to write/);
    await run.close();
  });
});
