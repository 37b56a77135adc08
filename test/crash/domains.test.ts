/**
 * SIGKILL in the middle of runs on domains of people's own, whose policies are trained by `genenv serve`: attempts that are
 * programs, and a file that poses and judges. Resumed, they end as undisturbed ones do.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServedModels } from '../support/whole/servedModels.ts';
import { assertSame, lives, WholeRun } from '../support/whole/wholeRun.ts';

/** Asks the agent once what the task says, in the words of the served models. */
const asking = `
import json, os, sys, urllib.request

task = json.load(sys.stdin)
body = {"model": os.environ["OPENAI_MODEL"], "messages": task["prompt"]}
headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"}
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(), headers)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["choices"][0]["message"]["content"])
`;

const domains = {
  'programs.domain.ts': `
export const recipe = 'storekeeper';
export const program = () => ({ command: ['python3', 'ask.py'] });
`,
  'judged.domain.ts': `
export const recipe = 'storekeeper';
export const agentPrompt = (task) => task.prompt;
export const parse = (text, { base }) => ('reject' in base ? base : { ...base, evaluation: { kind: 'domain' } });
export const judge = (task, { answer }) => ({ success: answer.trim() === task.gold, reward: Math.min(1, answer.length / 100) });
`,
};

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

  for (const file of Object.keys(domains)) {
    it(`ends as an undisturbed one, trained by the same losses: ${file}`, async () => {
      const path = join(dir, `${file}.genenv.json`);
      await writeFile(path, JSON.stringify(models.experiment(file)));
      const whole = new WholeRun(path, join(dir, `${file}-whole`));
      const before = await models.sampled();
      await whole.finish();
      const expected = await whole.left();
      const paid = (await models.sampled()) - before;
      assert.match(expected.journal, /"agent\.updated".*"loss":-?[\d.e-]+/);
      assert.match(expected.journal, /"environment\.updated"/);

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
