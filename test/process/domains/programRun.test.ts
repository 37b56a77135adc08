/** Whole runs whose attempts are programs, by the real command line against a server in this process. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { traceSchema, type Trace } from '../../../src/shared/records/trace.ts';
import { cli } from '../../support/built.ts';
import { sums } from '../../support/domains/sums.ts';
import { FakeServer } from '../../support/openai/fakeServer.ts';
import { model } from '../../support/openai/quirks.ts';
import { behaviourDomain, behaviourPython } from '../../support/programs/behaviour.ts';
import { onlyRun } from '../../support/runContents.ts';
import { eventually } from '../../support/until.ts';

const running = (words: string): number =>
  execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(words)).length;

const ofDomain = (traces: readonly Trace[], name: string): Trace[] => traces.filter(({ domain }) => domain === name);

describe('a run whose attempts are programs', function () {
  this.timeout(240_000);
  let dir = '';
  let server: FakeServer;
  let file = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-program-run-'));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    server.says = (seed, { messages = [] }) => ({
      content: messages.at(-1)?.content === 'Write a task.' ? String(seed) : `yes ${seed % 1000}`,
    });
    await server.start();
    await writeFile(join(dir, 'behaviour.py'), behaviourPython);
    await writeFile(join(dir, 'behaviour.domain.js'), behaviourDomain());
    file = join(dir, 'program.genenv.json');
    await write({ network: true });
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const write = (reward: object, over: object = { domain: { file: 'behaviour.domain.js' } }): Promise<void> => {
    const endpoint = { kind: 'openai', url: server.url, model };
    const experiment = {
      ...{ version: 1, name: 'program', preset: 'default', mode: 'random', epochs: 2 },
      ...{ ...over, endpoints: { agent: endpoint, environment: endpoint } },
      ...{ agent: { train: false }, generation: { families: 2, variations: 1, attempts: 2 }, reward },
      ...{ rollouts: { group: 4, maxTurns: 4 }, validation: { tasks: 1, every: 1 } },
    };
    return writeFile(file, JSON.stringify(experiment));
  };
  async function genenv(...args: string[]): Promise<void> {
    const ran = promisify(execFile)(process.execPath, [cli, ...args]);
    await ran.catch((error: unknown) => {
      const said = error instanceof Error && 'stdout' in error && 'stderr' in error ? [error.stdout, error.stderr] : [];
      throw new Error(said.map(String).join('\n'), { cause: error });
    });
  }

  /** Every trace of a run, as text, in the order of their ids. */
  const tracesOf = async (root: string): Promise<string[]> => {
    const run = join(root, await onlyRun(root));
    const text = await readFile(join(run, 'traces.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .sort();
  };

  it('is refused where the experiment does not let programs reach the network', async () => {
    await write({ network: false });
    await assert.rejects(genenv('run', file, '--root', join(dir, 'runs')), /can reach the network.*"network": true/s);
  });

  it('leads the attempts of its own domain beside another, whose judge is not asked about them', async () => {
    await writeFile(join(dir, 'sums.domain.ts'), sums['sums.domain.ts']);
    const domains = ['behaviour.domain.js', 'sums.domain.ts'].map((name) => ({ file: name, share: 1 }));
    await write({ network: true }, { domains });
    const { says } = server;
    server.says = (seed, body) =>
      /another sum/.test(body.messages?.at(-1)?.content ?? '') ? { content: `${seed % 50} + 7` } : says(seed, body);
    const root = join(dir, 'both');
    await genenv('run', file, '--root', root);
    const traces = (await tracesOf(root)).map((line) => traceSchema.parse(JSON.parse(line)));
    const [led, asked] = [ofDomain(traces, 'behaviour'), ofDomain(traces, 'sums')];
    assert(led.length > 4 && asked.length > 4, `${led.length} and ${asked.length} traces`);
    for (const { verdict, branches, messages } of led) {
      assert.equal(verdict.error, undefined);
      assert.equal(verdict.success, true);
      assert.notEqual(branches, undefined);
      assert.equal(messages[0]?.content, 'hello');
    }
    for (const { verdict, branches } of asked) assert.deepEqual([verdict.success, branches], [false, undefined]);
  });

  it('keeps a copy of its program, and ends as an undisturbed one after a kill, which ends its programs', async () => {
    const whole = join(dir, 'whole');
    await genenv('run', file, '--root', whole);
    const expected = await tracesOf(whole);
    assert(expected.length > 8, `${expected.length} traces`);
    const kept = join(whole, await onlyRun(whole), 'inputs', 'domain', 'behaviour.py');
    assert.equal(await readFile(kept, 'utf8'), behaviourPython);

    const root = join(dir, 'killed');
    const { says } = server;
    let answers = 0;
    const killed = spawn(process.execPath, [cli, 'run', file, '--root', root], { stdio: 'ignore' });
    const ended = new Promise((resolve) => killed.once('exit', (_, signal) => resolve(signal)));
    server.says = (seed, body) => {
      answers += 1;
      if (answers === 30) killed.kill('SIGKILL');
      return says(seed, body);
    };
    assert.equal(await ended, 'SIGKILL');
    server.says = says;
    const run = await onlyRun(root);
    await eventually(async () => assert.equal(await Promise.resolve(running(join(root, run))), 0));
    const before = await tracesOf(root);
    assert(before.length < expected.length);
    const asked = server.bodies.length;
    // Later changes do not matter: a run uses its own copy.
    await writeFile(join(dir, 'behaviour.py'), 'raise SystemExit(9)');
    await genenv('resume', run, '--root', root);
    assert.deepEqual(await tracesOf(root), expected);
    assert(server.bodies.length > asked);
    assert.deepEqual(
      (await readdir(root)).filter((name) => !name.startsWith('.')),
      [run],
    );
  });
});
