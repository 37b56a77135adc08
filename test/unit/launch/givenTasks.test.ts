import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { writeSeedTasks } from '../../../src/launch/adapters/seedTasks.ts';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { heldOutTasks } from '../../../src/launch/inputs/heldOutTasks.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { keepInputs, loadInputs, readInputs } from '../../../src/launch/inputs/inputs.ts';
import { openDomain } from '../../../src/launch/domains/openDomain.ts';
import { openScorer } from '../../../src/launch/scoring/openScorer.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { fromSources } from '../../support/fromSources.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

/** Half of the tasks are judged as texts, half as numbers; the scripted agent climbs up to about rung 4. */
const lines = (from: number, gold = (rung: number): string => String(rung)): string =>
  Array.from({ length: 8 }, (_, i) => {
    const rung = 1 + i;
    const rule = i % 2 === 0 ? { kind: 'exact', compare: 'trimmed' } : { kind: 'number', absolute: 0, relative: 0 };
    const prompt = [{ role: 'user', content: `climb ${rung} ${from + i}` }];
    return JSON.stringify({
      id: `t${from + i}`,
      prompt,
      evaluation: { ...rule, answer: { kind: 'text' } },
      gold: gold(rung),
    });
  }).join('\n');

describe('a run on tasks of a benchmark', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-given-'));
    await writeFile(join(dir, 'seeds.jsonl'), lines(0));
    await writeFile(join(dir, 'offline.jsonl'), lines(100));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const offline = (over: Parameters<typeof smallExperiment>[0] = {}): Experiment =>
    smallExperiment({
      mode: 'offline',
      domain: { seeds: 'seeds.jsonl' },
      generation: { offlineFile: 'offline.jsonl' },
      ...over,
    });

  it('judges every task by the rule that it names', async () => {
    const experiment = offline();
    await keepInputs(dir, await loadInputs(experiment, dir));
    const inputs = await readInputs(dir, experiment);
    const rules = await openScorer(null, inputs.seeds, inputs.offline);
    const run = await runScripted(experiment, new MemoryRun(), {
      ports: {
        domain: await openDomain(experiment, inputs, { rules, writes: false }),
        scorer: rules,
        offlineTasks: inputs.offline ?? [],
      },
    });
    assert.equal(run.state.summaries.length, experiment.epochs);
    const kinds = new Map(
      [...(inputs.seeds ?? []), ...(inputs.offline ?? [])].map((task) => [task.id, task.evaluation.kind]),
    );
    for (const kind of ['exact', 'number']) {
      const verdicts = run.traces.filter(({ task }) => kinds.get(task) === kind).map(({ verdict }) => verdict);
      assert.ok(verdicts.some(({ success }) => success) && verdicts.some(({ success }) => !success), kind);
      assert.ok(verdicts.every(({ error }) => error === undefined));
    }
    // Text that is no number cannot be read as one: such an attempt is not valid, and stays out of the agent's pool.
    const unread = run.traces.filter(
      ({ task, messages }) => kinds.get(task) === 'number' && messages[0]?.content === 'x',
    );
    assert.ok(unread.length > 0 && unread.every(({ verdict }) => !verdict.valid));
  });

  const opened = async (experiment: Experiment) => {
    const texts = await loadInputs(experiment, dir);
    await keepInputs(dir, texts);
    const inputs = await readInputs(dir, experiment);
    const rules = await openScorer(null, inputs.seeds, inputs.heldOut, inputs.offline);
    const domain = await openDomain(experiment, inputs, { rules, writes: false });
    return { inputs, rules, domain, counted: heldOutTasks(experiment, texts) };
  };

  it('is validated on the held-out tasks of its own file, and on none without one', async () => {
    await writeFile(join(dir, 'held.jsonl'), lines(200));
    const named = offline({ domain: { seeds: 'seeds.jsonl', heldOut: 'held.jsonl' } });
    const { inputs, rules, domain, counted } = await opened(named);
    assert.deepEqual([...counted], [['storekeeper', Math.min(8, named.validation.tasks)]]);
    const run = await runScripted(named, new MemoryRun(), {
      ports: { domain, scorer: rules, offlineTasks: inputs.offline ?? [] },
    });
    const held = new Set(inputs.heldOut?.map(({ id }) => id));
    const measured = run.traces.filter(({ purpose }) => purpose === 'validation');
    assert.ok(measured.length > 0 && measured.every(({ task }) => held.has(task)));
    await rm(join(dir, 'inputs'), { recursive: true });
    const without = await opened(offline());
    assert.deepEqual([...without.counted], [['storekeeper', 0]]);
    assert.deepEqual(without.domain.seeds('validation'), []);
  });

  it('of the storekeeper may have held-out tasks from a file, too; a run of before that has no copy keeps the own ones', async () => {
    const own = new StorekeeperDomain({ baseTasks: 4, validationTasks: 2 });
    const text = (split: 'base' | 'validation'): string =>
      own
        .seeds(split)
        .map(({ id, prompt, evaluation, gold }) => JSON.stringify({ id, prompt, evaluation, gold }))
        .join('\n');
    await writeFile(join(dir, 'seeds.jsonl'), text('base'));
    await writeFile(join(dir, 'held.jsonl'), text('validation'));
    const experiment = smallExperiment({ domain: { seeds: 'seeds.jsonl', heldOut: 'held.jsonl' } });
    const { domain, counted } = await opened(experiment);
    const prompts = (tasks: readonly Task[]) => tasks.map(({ prompt }) => prompt);
    assert.deepEqual(prompts(domain.seeds('validation')), prompts(own.seeds('validation')));
    assert.deepEqual([...counted], [['storekeeper', 2]]);
    await rm(join(dir, 'inputs', 'heldOut.jsonl'));
    assert.equal((await readInputs(dir, experiment)).heldOut, null);
    await writeFile(join(dir, 'held.jsonl'), lines(200));
    await assert.rejects(loadInputs(experiment, dir), /held-out tasks are judged by “exact”, and in mode coevolve/);
  });

  it('plays conversations, a turn of BFCL’s each, where several turns are allowed', async () => {
    const adapter = readAdapter(
      readFileSync(new URL('../../../media/adapters/bfcl-long-context-turns.adapter.json', import.meta.url), 'utf8'),
      'bfcl-long-context-turns',
    ).adapter;
    assert.ok(adapter !== null);
    const data = fileURLToPath(new URL('../../support/bfcl/bfcl_eval/data', import.meta.url));
    const splits = ['multi_turn_long_context'];
    const { signal } = new AbortController();
    await writeSeedTasks(join(dir, 'seeds.jsonl'), adapter, data, { signal, splits, outside: true });
    const turns = (maxTurns: number): Experiment =>
      offline({ rollouts: { maxTurns }, generation: { offlineFile: 'seeds.jsonl' } });
    await assert.rejects(
      loadInputs(turns(1), dir),
      /played over several turns by “bfcl-long-context-turns”.*rollouts\.maxTurns/,
    );
    const experiment = turns(4);
    await keepInputs(dir, await loadInputs(experiment, dir));
    const inputs = await readInputs(dir, experiment);
    const rules = await openScorer(fromSources, inputs.seeds, inputs.offline);
    const run = await runScripted(experiment, new MemoryRun(), {
      ports: {
        domain: await openDomain(experiment, inputs, { rules, writes: false }),
        scorer: rules,
        offlineTasks: inputs.offline ?? [],
      },
    });
    const played = run.traces.filter(({ purpose }) => purpose === 'train');
    assert.ok(played.length > 0);
    for (const { task, messages, verdict } of played) {
      assert.equal(verdict.error, undefined);
      const earlier = task.endsWith('turn0') ? 0 : 1;
      assert.equal(messages.filter(({ role }) => role === 'assistant').length > earlier, true, task);
    }
  });

  it('is refused where variations of them would have to be written', async () => {
    await assert.rejects(loadInputs({ ...offline(), mode: 'coevolve' }, dir), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.message, /judged by “exact”, and mode coevolve/);
      return error.problems[0]?.field === 'domain.seeds';
    });
  });

  it('is refused at the line of a task that nobody could judge', async () => {
    await writeFile(
      join(dir, 'seeds.jsonl'),
      lines(0, (rung) => (rung === 4 ? 'four' : String(rung))),
    );
    await assert.rejects(loadInputs(offline(), dir), (error) => {
      assert.ok(error instanceof InputError);
      const [problem] = error.problems;
      assert.match(error.message, /the gold “four” is no number/);
      return problem?.line === 4 && problem.field === 'evaluation';
    });
  });
});
