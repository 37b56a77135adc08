/**
 * SIGKILL in the middle of runs on domains of people's own, whose policies are trained by `genenv serve`: attempts that are
 * programs, a file that poses and judges, one all of whose functions are its own, one of several turns, and several domains in
 * one run. Resumed, they end as undisturbed ones do.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServedModels } from '../support/whole/servedModels.ts';
import { assertSame, lives, WholeRun } from '../support/whole/wholeRun.ts';

/**
 * Asks the agent once what the task says, in the words of the served models. By a socket: hundreds are started, and what imports
 * urllib takes six times as long of a processor.
 */
const asking = String.raw`
import json, os, socket, sys

task = json.load(sys.stdin)
_, _, address, path = (os.environ["OPENAI_BASE_URL"] + "/chat/completions").split("/", 3)
host, port = address.split(":")
body = json.dumps({"model": os.environ["OPENAI_MODEL"], "messages": task["prompt"]})
head = [f"POST /{path} HTTP/1.0", f"Host: {address}", "Authorization: Bearer " + os.environ["OPENAI_API_KEY"],
        "Content-Type: application/json", f"Content-Length: {len(body)}"]
with socket.create_connection((host, int(port))) as connection:
    connection.sendall(("\r\n".join(head) + "\r\n\r\n" + body).encode())
    head, _, answer = connection.makefile("rb").read().partition(b"\r\n\r\n")
if head.split()[1] != b"200":
    sys.exit(answer.decode())
print(json.loads(answer)["choices"][0]["message"]["content"])
`;

const domains = {
  'programs.domain.ts': `
export const recipe = 'storekeeper';
export const program = () => ({ command: ['python3', '-I', '-S', 'ask.py'] });
`,
  'judged.domain.ts': `
export const recipe = 'storekeeper';
export const agentPrompt = (task) => task.prompt;
export const parse = (text, { base }) => ('reject' in base ? base : { ...base, evaluation: { kind: 'domain' } });
export const judge = (task, { answer }) => ({ success: answer.trim() === task.gold, reward: Math.min(1, answer.length / 100) });
`,
  // Every function is the file's own; the models' words are written, read and compared as texts.
  'plain.domain.js': `
const seed = (items, n) => ({ prompt: [{ role: 'system', content: '<agent>' }, { role: 'user', content: 'MENU double f3 decrease f4 REQ first take ' + items[0] + ' ' + n + ' CALLS' }], gold: 'first decrease f4 ' + items[0] + ' ' + n });
export const seeds = (split) => (split === 'base' ? ['honey', 'rice', 'beans', 'bread'].map((item, i) => seed([item], i + 2)) : ['apples', 'honey', 'rice'].map((item) => seed([item], 9)));
export const planPrompt = ({ seed }) => [{ role: 'system', content: '<env>' }, { role: 'user', content: 's3 like rice ' + /take (\\S+)/.exec(seed.prompt[1].content)[1] }];
export const environmentPrompt = (context) => [...planPrompt(context), { role: 'assistant', content: context.plan }, { role: 'user', content: 'TASK' }];
export const parse = (text) => {
  const [, asked, gold] = /^(MENU .* CALLS) (.+)$/.exec(text) ?? [];
  return asked === undefined ? { reject: 'it asks for no calls' } : { prompt: [{ role: 'system', content: '<agent>' }, { role: 'user', content: asked }], gold, difficulty: { words: asked.split(' ').length } };
};
export const verify = ({ gold }) => gold.split(' ').length >= 4 || 'the gold is no call';
export const judge = ({ gold }, { answer }) => answer.trim() === gold.trim();
`,
  'turns.domain.js': `
export const recipe = 'storekeeper';
export const parse = (text, { base }) => ('reject' in base ? base : { ...base, evaluation: { kind: 'domain' } });
export const agentPrompt = (task) => task.prompt;
export const reset = () => ({ state: { said: [] } });
export const step = (task, { said }, action) => ({ say: 'take honey', state: { said: [...said, action] }, done: said.length > 0 });
export const judge = (task, { messages, answer }) => ({ success: messages.some(({ content }) => content === task.gold), reward: Math.min(1, answer.length / 100) });
`,
};

/** Several of them in one run, trained as one. */
const several = [
  { file: 'plain.domain.js', share: 1 },
  { file: 'turns.domain.js', share: 1 },
  { name: 'storekeeper', share: 2, baseTasks: 20 },
];

describe('a run on a domain of a person’s own that is killed', function () {
  this.timeout(300_000);
  let dir = '';
  let models: ServedModels;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-killed-'));
    models = await ServedModels.start(join(dir, 'served'));
    await writeFile(join(dir, 'ask.py'), asking);
    for (const [name, text] of Object.entries(domains)) await writeFile(join(dir, name), text);
  });
  after(async () => {
    await models.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const severalTurns = (file: string): boolean => ['turns.domain.js', 'several'].includes(file);

  /** Of one of the files, or of several. */
  const asked = (file: string): object => {
    const whole = models.experiment(file);
    const experiment = severalTurns(file) ? { ...whole, rollouts: { group: 4, maxTurns: 2, maxTokens: 40 } } : whole;
    if (file !== 'several') return experiment;
    return { ...experiment, domain: undefined, domains: several };
  };

  for (const file of [...Object.keys(domains), 'several']) {
    it(`ends as an undisturbed one, trained by the same losses: ${file}`, async () => {
      const path = join(dir, `${file}.genenv.json`);
      await writeFile(path, JSON.stringify(asked(file)));
      const whole = new WholeRun(path, join(dir, `${file}-whole`));
      const before = await models.sampled();
      await whole.finish();
      const expected = await whole.left();
      const paid = (await models.sampled()) - before;
      assert.match(expected.journal, /"agent\.updated".*"loss":-?[\d.e-]+/);
      assert.match(expected.journal, /"environment\.updated"/);
      const traces = [...expected.traces.values()];
      const turns = (text: string): number => text.match(/"role":"assistant"/g)?.length ?? 0;
      const most = Math.max(...traces.map(turns));
      assert.equal(most, severalTurns(file) ? 2 : 1, 'turns');
      if (file === 'several') {
        for (const name of ['plain', 'turns', 'storekeeper']) {
          assert(
            traces.some((text) => text.includes(`"domain":"${name}"`)),
            name,
          );
        }
      }

      const killed = new WholeRun(path, join(dir, `${file}-killed`));
      const then = await models.sampled();
      for (const life of lives) {
        const { traces } = await killed.kill(life);
        assert(traces.length < expected.traces.size, 'it was killed on its way');
      }
      await killed.finish();
      assertSame(await killed.left(), expected);
      // Answers that were on their way when it was killed are sampled again, and nothing else.
      const again = (await models.sampled()) - then - paid;
      assert(again >= 0 && again <= paid / 20, `${again} of ${paid} tokens were sampled again`);
    });
  }
});
