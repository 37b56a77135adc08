/** A co-evolution on SkyRL's own Tinker server (JAX on this processor), the run and then the server killed in its middle. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/peers/freePort.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { RealSkyrl, tinyModel } from '../support/peers/realSkyrl.ts';
import { skip } from '../support/skip.ts';
import { WholeRun } from '../support/whole/wholeRun.ts';

/** A random model writes nothing sensible: every text is a task, and answers succeed by a chance that can be learned. */
const domain = `
const prompt = (text) => [{ role: 'user', content: text }];
export const environmentPrompt = ({ seed }) => prompt('w1 w2 ' + seed.prompt.at(-1).content);
export const parse = (text) => ({ prompt: prompt(text.trim() || 'w9') });
export const seeds = (split) =>
  Array.from({ length: 6 }, (_, i) => ({ id: 's' + i, prompt: prompt('w' + (split === 'base' ? i : 50 + i) + ' w3') }));
export const judge = (task, { answer }) => answer.length % 2 === 0;
`;

describe('a co-evolution on a real SkyRL server', function () {
  this.timeout(1_800_000);
  let python = '';
  let dir = '';
  let server: RealSkyrl | null = null;
  before(async function () {
    this.timeout(2_400_000);
    const found = await peerPython('skyrl');
    if ('why' in found) skip(this, `SkyRL cannot be installed: ${found.why}`);
    python = found.python;
    dir = await mkdtemp(join(tmpdir(), 'genenv-peers-skyrl-'));
  });
  after(async () => {
    await server?.kill();
    await rm(dir, { recursive: true, force: true });
  });

  it('ends with both policies trained, after a kill of the run and one of the server', async () => {
    const model = await tinyModel(python, join(dir, 'model'));
    const place = { model, dir, port: await freePort() };
    server = await RealSkyrl.start(python, place);
    const endpoint = { kind: 'tinker', url: server.url, key: null, model, tokenizer: model, rank: 8 };
    const path = join(dir, 'any.genenv.json');
    await writeFile(join(dir, 'any.domain.js'), domain);
    await writeFile(
      path,
      JSON.stringify({
        ...{ version: 1, name: 'skyrl', preset: 'embedded', seed: 3, epochs: 2, domain: { file: 'any.domain.js' } },
        ...{
          generation: { families: 3, variations: 2 },
          rollouts: { group: 4, maxTokens: 6 },
          agent: { minibatch: 24 },
        },
        ...{ environment: { bufferEpochs: 1, minFamilies: 1, steps: 1, minibatch: 8 } },
        ...{ curriculum: { filter: 'off' }, validation: { tasks: 2, every: 0 } },
        endpoints: { agent: endpoint, environment: endpoint },
      }),
    );
    const run = new WholeRun(path, join(dir, 'runs'));
    const { journal } = await run.kill(({ traces }) => traces.some((line) => line.includes('"id":"e1/')));
    assert(!journal.includes('"agent.updated"'), 'it was killed before its first update');

    // The server goes down in the second epoch and comes back with its database, which still names models that it lost.
    const back: Promise<void>[] = [];
    const down = async (): Promise<void> => {
      await server?.kill();
      server = await RealSkyrl.start(python, place);
    };
    await run.finish((written) => {
      if (back.length === 0 && written.traces.some((line) => line.includes('"id":"e2/'))) back.push(down());
    });
    await Promise.all(back);
    assert.equal(back.length, 1, 'the server was killed on its way');

    const left = await run.left();
    const events = (type: string): number => left.journal.split(`"type":"${type}"`).length - 1;
    assert.equal(events('run.finished'), 1);
    assert.equal(events('agent.updated'), 2);
    assert.equal(events('environment.updated'), 2);
    // An eighth of the batch are base tasks: one beside six that the environment wrote. Validation comes on top.
    const attempts = [...left.traces.keys()].filter((id) => /^e[12]\//.test(id) && !id.includes('validation'));
    assert.equal(attempts.length, 2 * (3 * 2 + 1) * 4);
  });
});
