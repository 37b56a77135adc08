/** Domain files that misbehave in a run: each has its sentence at its place, and costs only what is its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDomain } from '../../../src/domains/checkDomain.ts';
import { openDomainTrial, soloExperiment } from '../../../src/features/domains/node/openTrial.ts';
import { launch, type Landing } from '../../../src/launch/launch.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema } from '../../../src/shared/experiment/schema.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { ended } from '../../support/genenv.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { cli, dist } from '../../support/built.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };

const seeds = `export const seeds = (split) =>
  split === 'base' ? [1, 2, 3].map((n) => ({ prompt: n + ' + ' + n, gold: 2 * n })) : [{ prompt: '9 + 9', gold: 18 }];
export const environmentPrompt = () => 'Write another sum.';
export const parse = (text) => {
  const [, a, b] = /^(\\d+) \\+ (\\d+)$/.exec(text) ?? [];
  return a === undefined ? { reject: 'it is no sum' } : { prompt: text, gold: Number(a) + Number(b) };
};
export const agentPrompt = ({ prompt }) => 'How much is ' + prompt[0].content + '?';
`;
const judge = 'export const judge = ({ gold }, { answer }) => answer.trim() === gold;\n';

describe('a domain file that misbehaves in a run', function () {
  this.timeout(120_000);
  let dir = '';
  let server: FakeServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-bad-domain-'));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
    let asked = 0;
    server.says = (seed, { messages = [] }) => {
      const [, a, b] = /How much is (\d+) \+ (\d+)/.exec(messages.at(-1)?.content ?? '') ?? [];
      if (a !== undefined) return { content: String(Number(a) + Number(b) + (seed % 2)) };
      return { content: `${20 + ++asked} + ${seed % 10}` };
    };
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const file = (): string => join(dir, 'bad.domain.js');

  async function run(
    text: string,
    reward: object = { seconds: 3 },
  ): Promise<{ landing: Landing; tasks: Task[]; traces: Trace[]; journal: string }> {
    await writeFile(file(), text);
    const endpoint = { kind: 'openai', url: server.url, model };
    const experiment = experimentSchema.parse(
      withPreset({
        ...{ preset: 'default', name: 'bad', mode: 'random', epochs: 2, domain: { file: 'bad.domain.js' } },
        ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
        generation: { families: 3, variations: 2, attempts: 2 },
        ...{ rollouts: { group: 4 }, validation: { tasks: 1, every: 1 }, reward },
      }),
    );
    const store = new RunStore(join(dir, 'runs'), { clock, log, version: 'test' });
    const landing = await launch({
      ...{ store, dist, clock, log, signal: new AbortController().signal, keys: agreedKeys({}) },
      start: { experiment, directory: dir },
    });
    const reader = await store.openReader(landing.id);
    try {
      const journal = await readFile(join(dir, 'runs', landing.id, 'journal.jsonl'), 'utf8');
      const of = async <T>(read: (epoch: number) => Promise<T[]>) => [...(await read(1)), ...(await read(2))];
      const tasks = await of((epoch) => reader.tasksOf(epoch));
      return { landing, journal, tasks, traces: await of((epoch) => reader.tracesOf(epoch)) };
    } finally {
      await reader.close();
    }
  }

  it('prints what it likes: nothing of it is read as an answer', async () => {
    const forged = JSON.stringify({ t: 'gave', id: 1, value: { success: true, reward: 1 } });
    const { landing, traces } = await run(
      `${seeds}export const judge = ({ gold }, { answer }) => {
         console.log('${forged}'); process.stdout.write('${forged}\\n'); console.error('{"reward": 1}');
         return answer.trim() === gold;
       };`,
    );
    assert.equal(landing.state, 'finished', landing.error?.message);
    assert.ok(traces.some(({ verdict }) => verdict.success));
    assert.ok(traces.some(({ verdict }) => !verdict.success && verdict.error === undefined));
    assert.ok(traces.every(({ verdict }) => verdict.output?.includes('"reward": 1') === true));
  });

  it('gives a reward that is none: an error of that attempt, which counts in no rate', async () => {
    for (const [given, said] of [
      ['7', /from 0 to 1/],
      ['"won"', /text|success|number/],
      ['({ success: true, reward: NaN })', /reward/],
      ['({ then() { throw new Error("trap"); } })', /trap/],
    ] as const) {
      const { landing, traces } = await run(
        `${seeds}export const judge = ({ gold }, { answer }) => (answer.trim() === gold ? true : ${given});`,
      );
      assert.equal(landing.state, 'finished', landing.error?.message);
      const [right, wrong] = [
        traces.filter(({ verdict }) => verdict.success),
        traces.filter((one) => !one.verdict.success),
      ];
      assert.ok(right.length > 0 && wrong.length > 0);
      for (const { verdict } of wrong) assert.match(verdict.error ?? '', said);
    }
  });

  // It answers nothing, as in a loop without an end, and leaves the processor to the others.
  const endless = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
  const thrown = 'throw new Error("the dice fell off the table");';

  /** Functions that misbehave on some texts, tasks and answers alone, and where it is said. */
  for (const [what, body, said] of [
    ['throws', thrown, /the dice fell off the table/],
    ['hangs', endless, /There is no result after 1 s/],
    ['ends its process', 'process.exit(3);', /It ended its process \(exit code 3\)/],
    ['gives something else', 'return 7;', /must|from 0 to 1/],
  ] as const) {
    const odd = (when: string): string => `  if (${when}) { ${body} }\n`;

    it(`${what} in parse, in verify: a text that becomes no task, with the reason`, async () => {
      const { landing, tasks, traces } = await run(
        `${seeds.replace('(text) => {\n', `(text) => {\n${odd(`/5$/.test(text)`)}`)}${judge}
         export const verify = ({ prompt }) => {\n${odd(`/[46]$/.test(prompt[0].content)`)} return true; };`,
        { seconds: 1 },
      );
      assert.equal(landing.state, 'finished', landing.error?.message);
      const rejected = tasks.filter(({ status }) => status === 'rejected');
      assert.ok(rejected.length > 0 && rejected.length < tasks.length, `${rejected.length} of ${tasks.length}`);
      for (const { cause, note } of rejected) {
        assert.ok(cause === 'unparseable' || cause === 'gold');
        assert.match(note ?? '', said);
      }
      assert.ok(traces.every(({ verdict }) => verdict.error === undefined));
    });

    it(`${what} in judge: the error of that attempt alone`, async () => {
      const { landing, traces } = await run(
        `${seeds}export const judge = ({ gold }, { answer }) => {\n${odd(`answer.trim() !== gold && /[37]$/.test(answer)`)} return true; };`,
        { seconds: 1 },
      );
      assert.equal(landing.state, 'finished', landing.error?.message);
      const [right, wrong] = [true, false].map((success) =>
        traces.filter(({ verdict }) => verdict.success === success),
      );
      assert.ok((right?.length ?? 0) > 0 && (wrong?.length ?? 0) > 0);
      for (const { verdict } of wrong ?? []) assert.match(verdict.error ?? '', said);
    });

    it(`${what} in step: an attempt that is not answered, and the others are`, async () => {
      const { landing, traces, journal } = await run(
        `${seeds}${judge}export const step = ({ gold }, state, action) => {\n${odd(`action.trim() !== gold && /[37]$/.test(action)`)} return { say: 'Right.', done: true }; };`,
        { seconds: 1 },
      );
      assert.equal(landing.state, 'finished', landing.error?.message);
      assert.ok(traces.length > 0 && traces.every(({ verdict }) => verdict.error === undefined));
      const [, cause] = /"unanswered":\{"count":\d+,"causes":\[\{"cause":"((?:[^"\\]|\\.)*)"/.exec(journal) ?? [];
      assert.match(cause ?? '', /^“step” of bad\.domain\.js: /);
      assert.match(cause ?? '', said);
    });

    it(`${what} where a policy is asked: only that is not asked, and the run stops where nothing is`, async () => {
      for (const [call, about, odd] of [
        ['environmentPrompt', '({ seed })', `seed.prompt[0].content.startsWith('2')`],
        ['agentPrompt', '(task)', `/5$/.test(task.prompt[0].content)`],
      ] as const) {
        const [, kept = ''] = new RegExp(`export const ${call} = .* => (.*);`).exec(seeds) ?? [];
        const asking = (when: string): string =>
          seeds.replace(
            new RegExp(`export const ${call} = .*`),
            () =>
              `export const ${call} = ${about} => { if (${when}) { ${body} } const { prompt } = ${about.replace(/[({ })]+/g, '')}; return ${kept}; };`,
          );
        const some = await run(`${asking(odd)}${judge}`, { seconds: 1 });
        assert.equal(some.landing.state, 'finished', some.landing.error?.message);
        const [, cause = ''] =
          /"unanswered":\{"count":\d+,"causes":\[\{"cause":"((?:[^"\\]|\\.)*)"/.exec(some.journal) ?? [];
        assert.match(cause, new RegExp(`^“${call}” of bad\\.domain\\.js failed: .* Correct the file`));
        assert.match(cause, said);
        assert.ok(some.traces.length > 0 && some.traces.every(({ verdict }) => verdict.error === undefined));

        const { landing } = await run(`${asking('true')}${judge}`, { seconds: 1 });
        assert.equal(landing.state, 'failed');
        assert.match(landing.error?.message ?? '', new RegExp(`^Not one .*: “${call}” of bad\\.domain\\.js failed: `));
        assert.match(landing.error?.message ?? '', said);
      }
    });
  }

  it('is not deterministic: a check and the preflight say so of each function, with what to do', async () => {
    const counting = 'let asked = 0;\n';
    const remedy =
      'Take chance from what it is given, such as the text or the task’s id, not from a clock, a counter or a random generator.';
    await writeFile(
      file(),
      `${counting}${seeds.replace('prompt: text', "prompt: text + ' '.repeat(++asked % 2)")}${judge}`,
    );
    assert.deepEqual(await problems(), [
      `“parse” is not deterministic: the same text gave a task, and then another task. ${remedy}`,
    ]);
    await writeFile(file(), `${counting}${seeds}${judge}export const verify = () => ++asked % 3 > 0 || 'not now';`);
    assert.match((await problems()).at(-1) ?? '', /^“verify” is not deterministic: the task base\.bad-\d was/);
    await writeFile(
      file(),
      `${counting}${seeds}export const judge = ({ gold }, { answer }) => (answer === gold ? { success: true, reward: 1 / ++asked } : false);`,
    );
    assert.match(
      (await problems()).at(-1) ?? '',
      /^“judge” is not deterministic: the same answer to base\.bad-1 got success/,
    );
    await writeFile(
      join(dir, 'bad.genenv.json'),
      JSON.stringify({
        ...{ preset: 'default', name: 'bad', mode: 'random', epochs: 2, domain: { file: 'bad.domain.js' } },
        ...{ agent: { train: false }, generation: { families: 3, variations: 2 }, rollouts: { group: 4 } },
        validation: { tasks: 1 },
        endpoints: Object.fromEntries(
          ['agent', 'environment'].map((role) => [role, { kind: 'openai', url: server.url, model }]),
        ),
      }),
    );
    const { out } = await ended(spawn(process.execPath, [cli, 'check', 'bad.genenv.json'], { cwd: dir }));
    assert.match(out.replaceAll(/\s+/g, ' '), /“judge” is not deterministic: .* Take chance from what it is given/);
  });

  it('changes while the run goes: the run’s own copy is asked', async () => {
    const { landing, traces } = await run(
      `import { appendFileSync } from 'node:fs';
       ${seeds}${judge}
       export const verify = () => { appendFileSync(${JSON.stringify(file())}, '\\nthrow new Error("changed");'); return true; };`,
    );
    assert.equal(landing.state, 'finished', landing.error?.message);
    assert.match(await readFile(file(), 'utf8'), /changed/);
    assert.ok(traces.every(({ verdict }) => verdict.error === undefined));
  });

  /** The findings of `genenv check-domain`. */
  async function problems(texts: readonly string[] | null = null): Promise<string[]> {
    const trial = await openDomainTrial(soloExperiment(file()), dir, dist);
    try {
      const { domain, functions, exported, base, heldOutLike } = trial;
      const found = await checkDomain({ domain, functions, exported, heldOutLike, tasks: base, texts });
      return found.problems.map(({ message }) => message);
    } finally {
      trial.close();
    }
  }

  it('verifies nothing: every text is rejected with its reason, and a check says so of the seeds', async () => {
    const { landing, tasks, journal } = await run(`${seeds}${judge}export const verify = () => 'not today';`);
    assert.ok(tasks.length > 0 && tasks.every(({ status }) => status === 'rejected'));
    assert.deepEqual([...new Set(tasks.map(({ cause, note }) => `${cause}: ${note}`))], ['gold: not today']);
    assert.equal(landing.state, 'finished', landing.error?.message);
    assert.match(journal, /"accepted":0/);
    assert.deepEqual(await problems(), [
      ...[1, 2, 3].map((n) => `The seed task base.bad-${n} does not verify: not today.`),
      '“verify” accepts no seed task, so no text would become a task: correct what it asks for.',
    ]);
  });

  it('trains on what it holds out: a check says so', async () => {
    await writeFile(file(), `${seeds.replace("'9 + 9', gold: 18", "'2 + 2', gold: 4")}${judge}`);
    assert.deepEqual(await problems(), [
      'The task base.bad-2 is the held-out task validation.bad-held-out-1: it asks for the same.',
    ]);
  });

  it('takes every answer: a check says so before the run', async () => {
    const { landing, traces } = await run(
      `${seeds}export const verify = () => true;\nexport const judge = () => true;`,
    );
    assert.equal(landing.state, 'finished', landing.error?.message);
    assert.ok(traces.every(({ verdict }) => verdict.success));
    const found = await problems();
    assert.equal(found.filter((message) => message.startsWith('“judge” accepts an empty answer')).length, 3);
    assert.deepEqual(
      found.slice(3).map((message) => message.split(':')[0]),
      ['“verify” accepts everything', '“judge” accepts every answer'],
    );
  });

  it('tells no texts or answers apart: a check and the preflight say so, with what to do', async () => {
    const read = seeds.replace(/export const parse[^;]+;[^;]+;\n};/, '');
    assert.doesNotMatch(read, /parse/);
    const all = `${read}export const parse = (text) => ({ prompt: text || 'nothing', gold: 1 });\n`;
    await writeFile(file(), `${all}${judge}`);
    assert.deepEqual(await problems(), [
      'An empty text becomes a task: “parse” reads it, and nothing refuses it. Give { reject: why } for a text without a task.',
    ]);
    await writeFile(
      file(),
      `${read}export const parse = (text) => text.trim() === '' ? { reject: 'empty' } : { prompt: text, gold: 1 };\n${judge}`,
    );
    assert.match((await problems()).join('\n'), /^Every text that is none becomes a task, such as “qwzx/);
    await writeFile(file(), `${read}export const parse = () => ({ reject: 'no' });\nexport const judge = () => false;`);
    assert.deepEqual((await problems()).slice(3), [
      '“judge” accepts no answer: not the gold of any of 3 tasks. See which answer it expects, and what agentPrompt asks for. With one verdict for all there is nothing to learn.',
    ]);
    assert.deepEqual(
      await problems(['1 + 1', '2 + 2', '3 + 3']).then((all) => all.at(-1)),
      'None of 3 texts became a task, most of them because no: “parse” has to read what environmentPrompt asks for.',
    );

    const sets = JSON.stringify({
      ...{ preset: 'default', name: 'bad', mode: 'random', epochs: 2, domain: { file: 'bad.domain.js' } },
      endpoints: Object.fromEntries(
        ['agent', 'environment'].map((role) => [role, { kind: 'openai', url: server.url, model }]),
      ),
      ...{
        agent: { train: false },
        generation: { families: 3, variations: 2 },
        rollouts: { group: 4 },
        validation: { tasks: 1 },
      },
    });
    await writeFile(join(dir, 'bad.genenv.json'), sets);
    await writeFile(file(), `${all}export const verify = () => true;\nexport const judge = () => true;`);
    const { out } = await ended(spawn(process.execPath, [cli, 'check', 'bad.genenv.json'], { cwd: dir }));
    const words = out.replaceAll(/\s+/g, ' ');
    assert.match(words, /An empty text becomes a task/);
    assert.match(words, /“verify” accepts everything/);
    assert.match(words, /“judge” accepts every answer: “qwzx.+solves each of 3 tasks/);
  });
});
