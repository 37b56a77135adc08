import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../../../src/launch/inputError.ts';
import { keepInputs, loadInputs, readInputs } from '../../../src/launch/inputs.ts';
import { openDomain } from '../../../src/launch/openDomain.ts';
import { openScorer } from '../../../src/launch/openScorer.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
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
    // What is no number cannot be read as one: such an attempt is not valid, and stays out of the agent's pool.
    const unread = run.traces.filter(
      ({ task, messages }) => kinds.get(task) === 'number' && messages[0]?.content === 'x',
    );
    assert.ok(unread.length > 0 && unread.every(({ verdict }) => !verdict.valid));
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
