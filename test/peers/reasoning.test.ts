/** A whole run on puzzles of the real reasoning_gym: killed on its way, and judged again by the package alone. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { taskSchema } from '../../src/shared/records/task.ts';
import { traceSchema } from '../../src/shared/records/trace.ts';
import { FakeServer } from '../support/openai/fakeServer.ts';
import { model } from '../support/openai/quirks.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { skip } from '../support/skip.ts';
import { assertSame, lives, questionsAfter, WholeRun } from '../support/whole/wholeRun.ts';

/** Shares no line with us: puzzles made and answers scored as the package's own page says. */
const alone = `
import json, sys, reasoning_gym

told = []
for one in json.load(open(sys.argv[1])):
    dataset = reasoning_gym.create_dataset(one["family"], size=1, seed=one["seed"], **one["parameters"])
    told.append({"question": dataset[0]["question"], "score": dataset.score_answer(one["answer"], dataset[0])})
print(json.dumps(told))
`;

const madeSchema = z.object({ family: z.string(), parameters: z.record(z.string(), z.unknown()), seed: z.int() });

/** A puzzle as the environment writes it: sums get longer with the seed, and some texts are none. */
function puzzle(seed: number): string {
  if (seed % 5 === 0) return '{"family": "no_such_family", "parameters": {}, "seed": 1}';
  const [family, parameters] =
    seed % 2 === 0 ? ['chain_sum', { min_terms: 2, max_terms: 2 + (seed % 3) }] : ['spell_backward', {}];
  return `Here it is: ${JSON.stringify({ family, parameters, seed: 100_000 + (seed % 900) })}`;
}

/** The agent adds and turns words round; every third time it does not. */
function solved(seed: number, question: string): string {
  const [, word] = /Spell this word backward[^:]*: (\w+)/.exec(question) ?? [];
  const [sum] = /-?\d+(?: [+-] -?\d+)+/.exec(question) ?? [];
  const right =
    word === undefined
      ? String(
          (sum ?? '')
            .replaceAll('- ', '-')
            .replaceAll('+ ', '')
            .split(' ')
            .reduce((all, part) => all + Number(part), 0),
        )
      : Array.from(word).toReversed().join('');
  return `I see. <answer>${seed % 3 === 0 ? 'no idea' : right}</answer>`;
}

describe('a run on the real reasoning_gym that is killed', function () {
  this.timeout(600_000);
  let python = '';
  let dir = '';
  let server: FakeServer;
  before(async function () {
    this.timeout(1_200_000);
    const found = await peerPython('reasoning-gym');
    if ('why' in found) skip(this, `reasoning_gym cannot be installed: ${found.why}`);
    python = found.python;
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-peers-reasoning-'));
    // It makes one completion a request, so a part of them is asked for with the same seeds after a kill.
    server = await new FakeServer('llama.cpp').start();
    server.context = 1_000_000;
    server.says = (seed, { messages = [] }) => ({
      content: isAgents(messages) ? solved(seed, messages.at(-1)?.content ?? '') : puzzle(seed),
    });
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const isAgents = (messages: readonly { content?: string | null | undefined }[] = []): boolean =>
    messages.at(-1)?.content?.includes('<answer>') === true;

  it('ends as an undisturbed one, asks nothing twice, and is judged as the package judges', async () => {
    const endpoint = { kind: 'openai', url: server.url, model };
    const path = join(dir, 'puzzles.genenv.json');
    await writeFile(
      path,
      JSON.stringify({
        ...{ version: 1, preset: 'default', name: 'puzzles', mode: 'random', epochs: 2, domain: { name: 'reasoning' } },
        ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
        ...{ generation: { families: 4, variations: 2, attempts: 2 }, rollouts: { group: 4 } },
        ...{ validation: { tasks: 8, every: 1 }, reward: { seconds: 60 } },
      }),
    );
    const env = { GENENV_PYTHON: python };
    const whole = new WholeRun(path, join(dir, 'whole'), env);
    await whole.finish();
    const expected = await whole.left();

    const killed = new WholeRun(path, join(dir, 'killed'), env);
    for (const life of lives) await killed.kill(life);
    const before = await killed.written();
    const asked = server.bodies.length;
    await killed.finish();
    assertSame(await killed.left(), expected);
    const after = server.bodies.slice(asked).filter(({ messages }) => isAgents(messages));
    assert.equal(
      after.reduce((sum, { n }) => sum + n, 0),
      questionsAfter(before, expected),
      'attempts that were recorded are not made again',
    );

    const tasks = [...expected.tasks.values()].map((text) => taskSchema.parse(JSON.parse(text)));
    assert(tasks.some(({ note }) => note === "there is no family 'no_such_family'"));
    const made = new Map(tasks.filter(({ status }) => status === 'accepted').map((task) => [task.id, task]));
    const judged = [...expected.traces.values()].flatMap((text) => {
      const trace = traceSchema.parse(JSON.parse(text));
      const task = made.get(trace.task);
      if (task === undefined) return [];
      const [, answer] = /<answer>(.*)<\/answer>/.exec(trace.messages.at(-1)?.content ?? '') ?? [];
      return [{ ...madeSchema.parse(task.evaluation), answer, task, verdict: trace.verdict }];
    });
    assert(judged.length >= 16, `${judged.length} attempts`);
    await writeFile(join(dir, 'judged.json'), JSON.stringify(judged));
    const { stdout } = await promisify(execFile)(python, ['-c', alone, join(dir, 'judged.json')]);
    const told = z.array(z.object({ question: z.string(), score: z.number() })).parse(JSON.parse(stdout));
    for (const [i, { task, verdict, answer }] of judged.entries()) {
      assert.deepEqual([task.prompt[0]?.content, verdict.reward], [told[i]?.question, told[i]?.score], answer);
      assert.equal(verdict.success, told[i]?.score === 1);
    }
    assert.deepEqual(new Set(judged.map(({ verdict }) => verdict.success)), new Set([true, false]));
  });
});
