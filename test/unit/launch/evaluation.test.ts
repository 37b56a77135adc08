import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { loadEvaluation } from '../../../src/launch/inputs/evaluation.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { givenTasks } from '../../../src/launch/domains/openDomain.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { fromSources as dist } from '../../support/fromSources.ts';
import { launchHere, type LaunchOptions } from '../../support/launchHere.ts';
import { tiny, timeless } from '../../support/tiny.ts';

/** Held-out tasks of the storekeeper, judged by what they say and not by what it does. */
const adapter = {
  ...{ version: 1, name: 'Stores' },
  data: {
    ...{ folder: 'stores', obtain: 'Write it yourself.', format: 'jsonl' },
    splits: { validation: { files: ['validation.jsonl'] }, train: { files: ['train.jsonl'] } },
  },
  task: { id: '/record/id', prompt: [{ messages: '/record/messages' }], gold: '/record/gold' },
  answer: { kind: 'text' },
  scorer: { kind: 'contains', compare: 'trimmed' },
};

describe('a run that is evaluated on a benchmark', function () {
  this.timeout(240_000);
  let dir = '';

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-benchmark-'));
    await mkdir(join(dir, 'stores'));
    await writeFile(join(dir, 'stores.adapter.json'), JSON.stringify(adapter));
    const domain = await StorekeeperDomain.open({ baseTasks: 1, validationTasks: 12, multiTurn: false });
    const lines = domain
      .seeds('validation')
      .map((task) => ({ id: `s-${task.id}`, messages: domain.agentPrompt(task), gold: 'pick' }));
    await writeFile(join(dir, 'stores', 'validation.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await writeFile(join(dir, 'stores', 'train.jsonl'), '');
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  function experiment(evaluation: Partial<Experiment['evaluation']> = {}): Experiment {
    const asked = { every: 2, adapter: 'stores.adapter.json', split: 'validation', sample: 8, attempts: 2 };
    const small = {
      ...{ ...tiny, epochs: 2, validation: { every: 0 } },
      evaluation: { ...asked, temperature: 1, ...evaluation },
    };
    const parsed = parseExperiment(JSON.stringify(small), 'mine.genenv.json');
    if ('problems' in parsed) throw new InputError(parsed.problems);
    return parsed.experiment;
  }

  async function run(root: string, resume?: string, options: LaunchOptions = {}) {
    const here = { root: join(dir, root), notes: [] };
    const start = resume === undefined ? { experiment: experiment(), directory: dir } : { resume };
    const landing = await launchHere(here, start, options);
    const at = join(here.root, landing.id);
    const journal = await readFile(join(at, 'journal.jsonl'), 'utf8');
    return { landing, journal, traces: await readFile(join(at, 'traces.jsonl'), 'utf8') };
  }

  it('is measured at its start, every so many epochs and its end; cut in the middle of one it ends the same', async () => {
    const whole = await run('whole');
    assert.equal(whole.landing.state, 'finished', whole.landing.error?.message ?? '');
    const measured = whole.journal
      .trimEnd()
      .split('\n')
      .filter((line) => line.includes('"type":"evaluated"'));
    assert.equal(measured.length, 2);
    assert.match(measured[0] ?? '', /"epoch":0,"type":"evaluated","version":"agent@0","benchmark":"Stores"/);
    assert.equal(whole.traces.split('\n').filter((line) => line.includes('"purpose":"benchmark"')).length, 2 * 16);

    const ending = new AbortController();
    const cut = await run('cut', undefined, {
      signal: ending.signal,
      onProgress: ({ phase, epoch, done }) => {
        if (phase === 'evaluate' && epoch === 2 && done === 5) ending.abort(new Error('Stop.'));
      },
    });
    assert.notEqual(cut.landing.state, 'finished');
    assert.ok(!cut.journal.includes('"epoch":2,"type":"evaluated"'));
    // It continues with its own copy.
    await rename(join(dir, 'stores'), join(dir, 'elsewhere'));
    const resumed = await run('cut', cut.landing.id);
    assert.equal(resumed.landing.state, 'finished', resumed.landing.error?.message ?? '');
    assert.deepEqual(timeless(resumed.journal), timeless(whole.journal));
    assert.equal(resumed.traces, whole.traces);

    const store = new RunStore(join(dir, 'cut'), { clock: { now: () => 0 }, log: console, version: 'test' });
    const reader = await store.openReader(cut.landing.id);
    try {
      const ids = new Set((await givenTasks(reader)).map(({ id }) => id));
      for (const { task, purpose } of await reader.tracesOf(2)) if (purpose === 'benchmark') assert.ok(ids.has(task));
    } finally {
      await reader.close();
    }
  });

  it('says before it begins what cannot be used, at the field that names it', async () => {
    const refused = async (evaluation: Partial<Experiment['evaluation']>, field: string, message: RegExp) =>
      assert.rejects(loadEvaluation(experiment(evaluation), dir, dist), (error) => {
        assert.ok(error instanceof InputError, String(error));
        const [problem] = error.problems;
        assert.equal(problem?.field, field);
        assert.match(`${problem.message} ${problem.remedy}`, message);
        return true;
      });
    await refused({ adapter: 'bamboogel' }, 'evaluation.adapter', /No adapter “bamboogel” is shipped.*bamboogle/);
    await refused(
      { adapter: 'bamboogle', split: null },
      'evaluation.data',
      /where the data of Bamboogle lies.*github/i,
    );
    await refused({ data: 'nowhere' }, 'evaluation.data', /There is no folder .*nowhere.*Write it yourself/);
    await refused({ split: 'dev' }, 'evaluation.split', /has no split “dev”.*validation, train/);
    await refused({ split: 'train' }, 'evaluation.data', /No record of Stores/);
    assert.equal(await loadEvaluation(experiment({ every: 0 }), dir, dist), null);
    assert.throws(() => experiment({ adapter: null }), /names no benchmark/);
  });
});
