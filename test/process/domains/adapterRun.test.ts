import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { eventSchema } from '../../../src/shared/journal/events.ts';
import { taskSchema } from '../../../src/shared/records/task.ts';
import { traceSchema } from '../../../src/shared/records/trace.ts';
import { quizAdapter, quizRecipe } from '../../support/adapters/quizAdapter.ts';
import { cli } from '../../support/built.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { onlyRun } from '../../support/runContents.ts';

const cities = ['Paris', 'Lima', 'Oslo', 'Rome', 'Bern', 'Riga', 'Doha', 'Accra'];
const lines = (names: readonly string[]): string =>
  names
    .map((name) => `${JSON.stringify({ question: `Which capital is called ${name[0]} and so on?`, answer: name })}\n`)
    .join('');

/** Some are tasks, some are not. */
function written(seed: number): string {
  const name = `City${seed % 9973}`;
  if (seed % 5 === 0) return 'I would rather not.';
  if (seed % 5 === 1) return JSON.stringify({ question: `Is ${name} called ${name}?`, answer: name });
  return JSON.stringify({ question: `Which town has ${seed % 9973} people and no more?`, answer: name });
}

describe('a run on an adapter with a recipe', function () {
  this.timeout(120_000);
  let dir = '';
  let server: FakeServer;
  const prompts: string[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-adapter-run-'));
    await writeFile(join(dir, 'train.jsonl'), lines(cities.slice(0, 6)));
    await writeFile(join(dir, 'test.jsonl'), lines(cities.slice(6)));
    await writeFile(join(dir, 'quiz.adapter.json'), JSON.stringify(quizAdapter()));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    prompts.length = 0;
    server.says = (seed, { messages = [] }) => {
      const [first, last] = [messages[0]?.content ?? '', messages.at(-1)?.content ?? ''];
      if (first.startsWith('You write quiz questions')) {
        prompts.push(last);
        return { content: written(seed) };
      }
      const people = /has (\d+) people/.exec(last)?.[1];
      return { content: seed % 2 === 0 ? `City${people}` : 'nowhere' };
    };
    await server.start();
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const genenv = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, ...args], { cwd: dir });
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || !('stdout' in error) || !('stderr' in error)) throw error;
      return { code: Number(error.code), out: String(error.stdout), err: String(error.stderr) };
    }
  };

  async function experiment(over: object = {}): Promise<string> {
    const endpoint = { kind: 'openai', url: server.url, model };
    const path = join(dir, 'quiz.genenv.json');
    const whole = {
      ...{ preset: 'default', name: 'quiz', mode: 'random', epochs: 3, domain: { file: 'quiz.adapter.json' } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
      ...{ generation: { families: 4, variations: 2, attempts: 2 }, rollouts: { group: 4 } },
      ...{ validation: { tasks: 2, every: 1 }, ...over },
    };
    await writeFile(path, JSON.stringify(whole));
    return path;
  }

  it('writes, verifies, poses and judges tasks, and keeps its own copy', async () => {
    const { code, err } = await genenv('run', await experiment(), '--root', join(dir, 'runs'));
    assert.deepEqual([code, err], [0, '']);
    const run = join(dir, 'runs', await onlyRun(join(dir, 'runs')));
    const read = async (file: string): Promise<string[]> =>
      (await readFile(join(run, file), 'utf8')).trim().split('\n');
    const tasks = (await read('tasks.jsonl')).map((line) => taskSchema.parse(JSON.parse(line)));
    const causes = new Set(tasks.flatMap(({ cause }) => cause ?? []));
    assert.deepEqual([...causes].sort(), ['gold', 'unparseable']);
    const accepted = tasks.filter(({ status }) => status === 'accepted');
    assert.ok(accepted.length >= 3 * 4);
    assert.ok(
      accepted.every(
        ({ prompt, evaluation }) => prompt[0]?.content.startsWith('Q: Which town') && evaluation.kind === 'exact',
      ),
    );
    const traces = (await read('traces.jsonl')).map((line) => traceSchema.parse(JSON.parse(line)));
    const train = traces.filter(({ purpose }) => purpose === 'train');
    const solved = train.filter(({ verdict }) => verdict.success).length;
    assert.ok(solved === 0 || solved < train.length);
    // Later tries hear why the earlier ones were rejected, later epochs of their seed's families.
    assert.ok(prompts.some((text) => /Not again: \d × unparseable there is no JSON object/.test(text)));
    assert.ok(prompts.some((text) => /Not again: \d+ × gold \./.test(text)));
    assert.ok(prompts.some((text) => /Epoch 1: [\d.]+\./.test(text)));
    const journal = (await read('journal.jsonl')).map((line) => eventSchema.parse(JSON.parse(line)));
    assert.equal(journal.filter(({ type }) => type === 'epoch.finished').length, 3);
    const validated = journal.filter((event) => event.type === 'validated');
    assert.deepEqual(
      validated.map(({ successRate }) => successRate.attempts),
      [2, 2, 2, 2],
    );
    assert.deepEqual(
      JSON.parse(await readFile(join(run, 'inputs', 'domain', 'quiz.adapter.json'), 'utf8')),
      quizAdapter(),
    );
    assert.equal((await readFile(join(run, 'inputs', 'seeds.jsonl'), 'utf8')).trim().split('\n').length, 6);
    // The views of a run need neither the original nor its data.
    await rm(join(dir, 'quiz.adapter.json'));
    await rm(join(dir, 'train.jsonl'));
    const own = [basename(run), '--root', join(dir, 'runs')];
    const shown = await genenv('show', ...own);
    assert.equal(shown.code, 0, shown.err);
  });

  it('is carried on after a kill by its own copy, and not by a damaged one', async () => {
    const root = join(dir, 'runs');
    const child = spawn(process.execPath, [cli, 'run', await experiment({ epochs: 40 }), '--root', root], { cwd: dir });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    while (prompts.length < 40 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill('SIGKILL');
    await ended;
    const run = join(root, await onlyRun(root));
    const copy = join(run, 'inputs', 'domain', 'quiz.adapter.json');
    const kept = await readFile(copy, 'utf8');
    await rm(join(dir, 'train.jsonl'));
    await writeFile(join(dir, 'quiz.adapter.json'), '{}');
    await writeFile(copy, '{}');
    const damaged = await genenv('resume', basename(run), '--root', root);
    assert.match(damaged.err, /The run’s copy of its domain was changed\./);
    await writeFile(copy, kept);
    const resumed = await genenv('resume', basename(run), '--root', root);
    assert.equal(resumed.code, 0);
    assert.match(
      resumed.err,
      /^warning: quiz\.adapter\.json changed after this run began\. The run continues with its own copy.*\n$/,
    );
    assert.match(await readFile(join(run, 'journal.jsonl'), 'utf8'), /"type":"run\.finished"/);
  });

  it('is checked before anything is paid for: one prompt of each policy, one family', async () => {
    const { code, out } = await genenv('check', await experiment());
    assert.equal(code, 0, out);
    assert.match(out, /It attempts tasks of quiz\.adapter\.json, and trains\s+nothing\./);
    assert.match(out, /You write quiz questions\. Answer with one JSON object/);
    assert.match(out, /Q: Which capital is called P and so on\?/);
  });

  it('is tried on texts and worked cases, with totals by cause', async () => {
    await writeFile(join(dir, 'texts.txt'), Array.from({ length: 10 }, (_, i) => `${written(i)}\n`).join(''));
    const cases = [
      { v: 1, call: 'parse', text: written(2), expected: { accepted: true, gold: 'City2' } },
      { v: 1, call: 'parse', text: 'no', expected: { accepted: false, reason: 'no JSON object' } },
      { v: 1, call: 'parse', text: written(1), expected: { accepted: true } },
    ];
    await writeFile(join(dir, 'quiz.adapter.cases.jsonl'), cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const { code, out } = await genenv('check-domain', 'quiz.adapter.json', '--texts', 'texts.txt');
    assert.equal(code, 1, out);
    assert.match(out, /^6 seed tasks; written by the recipe of the adapter$/m);
    assert.match(out, /\[system\]\n {2}You write quiz questions\./);
    assert.match(out, /^6 of 10 texts became tasks; rejected: unparseable 2, gold 2\.$/m);
    assert.match(out, /2 {2}“question” says “answer”/);
    assert.match(out, /^2 of 3 cases are as they expect; wrong: rejected 1\.$/m);
    assert.match(out, /quiz\.adapter\.cases\.jsonl:3: /);
    assert.match(out, /^No problem was found\.$/m);
  });

  it('says what is wrong at file, line and field, and makes no run', async () => {
    const path = await experiment();
    const run = async (): Promise<string> => (await genenv('run', path, '--root', join(dir, 'runs'))).err;
    const adapter = (recipe: unknown): Promise<void> =>
      writeFile(join(dir, 'quiz.adapter.json'), JSON.stringify({ ...quizAdapter(), recipe }, null, 2));
    await adapter(undefined);
    assert.match(await run(), /quiz\.adapter\.json:1:1: error: The adapter quiz has no recipe/);
    await adapter(quizRecipe({ splits: undefined }));
    assert.match(
      await run(),
      /quiz\.adapter\.json:1:1: error: There are no seed tasks\.\s+Name splits in recipe\.splits\.base/,
    );
    await adapter(quizRecipe({ checks: [{ kind: 'words', field: 'qestion', least: 1 }] }));
    assert.match(
      await run(),
      /quiz\.adapter\.json:\d\d:\d+: error: The form has no field “qestion”\.\s+Did you mean “question”\?/,
    );
    await adapter(quizRecipe({ prompt: [{ role: 'user', content: '{{ seed.evaluation.accept }}' }] }));
    assert.match(
      await run(),
      /train\.jsonl:1:1: error: recipe\.prompt cannot be made from it: the template names seed\.evaluation\.accept/,
    );
    await adapter(quizRecipe());
    await writeFile(
      join(dir, 'seeds.jsonl'),
      `${JSON.stringify({ id: 'a', prompt: [{ role: 'user', content: 'b' }], evaluation: { kind: 'number', answer: { kind: 'text' }, absolute: 0, relative: 0 }, gold: '1', complexity: {} })}\n`,
    );
    await experiment({ domain: { file: 'quiz.adapter.json', seeds: 'seeds.jsonl' } });
    assert.match(await run(), /seeds\.jsonl:1:1: error: .*it is judged by “number”, and the adapter’s by “exact”/);
    await assert.rejects(readFile(join(dir, 'runs')), { code: 'ENOENT' });
  });
});
