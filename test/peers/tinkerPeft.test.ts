/** docs/examples/tinker-peft with the real transformers and peft: a model of random numbers is trained in a whole run. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { skip } from '../support/skip.ts';
import { WholeRun } from '../support/whole/wholeRun.ts';

const server = fileURLToPath(new URL('../../docs/examples/tinker-peft/server.py', import.meta.url));
const tiny = fileURLToPath(new URL('../support/peers/byte_model.py', import.meta.url));

/** All that such a model writes is a task, and an answer is right by its length: some are, some are not. */
const domain = `
export const seeds = (split) => Array.from({ length: 8 }, (_, i) => ({ prompt: split + ' ' + i, gold: null }));
export const environmentPrompt = ({ seed }) => 'Vary ' + seed.prompt[0].content + '.';
export const parse = (text) => (text === '' ? { reject: 'it is empty' } : { prompt: JSON.stringify(text), gold: null });
export const agentPrompt = ({ prompt }) => prompt[0].content;
export const judge = (_, { answer }) => answer.length % 2 === 0;
`;

const eventSchema = z.looseObject({ type: z.string(), epoch: z.number().optional() });

describe('docs/examples/tinker-peft', function () {
  this.timeout(600_000);
  const workspace = new Workspace();
  let python = '';
  let running: ChildProcess | null = null;

  /** Serves the tiny model. @returns its address */
  const start = async (port: string): Promise<string> => {
    const model = ['--model', join(workspace.dir, 'tiny'), '--name', 'tiny', '--state', join(workspace.dir, 'state')];
    running = spawn(python, [server, ...model, '--port', port], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: running.stdout ?? assert.fail() })) {
      const [, url] = /^tiny on (http\S+)/.exec(line) ?? [];
      if (url !== undefined) {
        running.stdout?.resume();
        return url;
      }
    }
    assert.fail('the server did not start');
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  };

  before(async function () {
    this.timeout(2_400_000);
    const found = await peerPython('peft');
    if ('why' in found) skip(this, `peft cannot be installed: ${found.why}`);
    python = found.python;
    await promisify(execFile)(python, [tiny, join(workspace.dir, 'tiny')]);
  });
  afterEach(() => end('SIGTERM'));
  after(() => workspace.remove());

  const experiment = (url: string): unknown => {
    const endpoint = { kind: 'tinker', url, key: null, model: 'tiny', rank: 4 };
    return {
      ...{ version: 1, preset: 'default', name: 'tiny', epochs: 2, domain: { file: 'tiny.domain.js' } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, curriculum: { warmupEpochs: 0, filter: 'off' } },
      ...{ generation: { families: 4, variations: 2, maxTokens: 96 }, rollouts: { group: 4, maxTokens: 48 } },
      ...{ agent: { learningRate: 0.003 }, validation: { tasks: 4 } },
      environment: { learningRate: 0.003, steps: 2, minFamilies: 1 },
    };
  };

  it('has nothing that the Doctor finds wrong', async () => {
    const url = await start('0');
    const { code, out, err } = await workspace.genenv('doctor', url, '--kind', 'tinker', '--model', 'tiny');
    assert.equal(code, 0, `${out}${err}`);
    assert.match(out, /2[0-9] ✓, 0 ✗/);
  });

  it('trains both policies; a run and a server that are killed go on from the checkpoints', async () => {
    const url = await start('0');
    workspace.write('tiny.domain.js', domain);
    workspace.write('tiny.genenv.json', experiment(url));
    const run = new WholeRun(join(workspace.dir, 'tiny.genenv.json'), workspace.runs);
    const before = await run.kill(({ traces }) => traces.some((line) => line.includes('"id":"e2/')));
    await end('SIGKILL');
    assert.equal(await start(new URL(url).port), url);
    await run.finish();
    const { journal, traces } = await run.left();
    for (const line of before.traces) {
      const { id } = z.object({ id: z.string() }).parse(JSON.parse(line));
      assert(traces.has(id), `${id} is kept`);
    }
    const events = journal
      .trim()
      .split('\n')
      .map((line) => eventSchema.parse(JSON.parse(line)));
    for (const type of ['agent.updated', 'environment.updated']) {
      const found = events.filter((event) => event.type === type);
      assert.deepEqual(
        found.map(({ epoch }) => epoch),
        [1, 2],
        type,
      );
    }
  });
});
