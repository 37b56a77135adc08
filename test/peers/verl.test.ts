/** Jobs of a run, written for verl, in the hands of the real one: settings, rows, reward file; no GPU, and so no training. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { quoted } from '../../src/shared/text/shellCommand.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { VerlRun } from '../support/ray/verlRun.ts';
import { skip } from '../support/skip.ts';

const reads = fileURLToPath(new URL('../support/peers/verl_reads.py', import.meta.url));

const rowSchema = z.object({ prompt: z.array(z.object({ role: z.string(), content: z.string() })) });
const agentSchema = z.object({
  prompts: z.array(rowSchema.shape.prompt),
  tasks: z.array(z.string()),
  critic: z.boolean(),
  reference: z.boolean(),
  steps: z.int(),
  scores: z.array(z.tuple([z.number(), z.number(), z.int(), z.int()])),
});
const environmentSchema = z.object({ learned: z.array(z.tuple([z.string(), z.string()])) });

describe('jobs for verl, read by the real verl', function () {
  this.timeout(600_000);
  let python = '';
  let dir = '';
  let run: VerlRun;
  before(async function () {
    this.timeout(2_400_000);
    const found = await peerPython('verl');
    if ('why' in found) skip(this, `verl cannot be installed: ${found.why}`);
    python = found.python;
  });
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-peers-verl-'));
    run = new VerlRun();
    await run.serve();
  });
  afterEach(async () => {
    await run.remove();
    await rm(dir, { recursive: true, force: true });
  });

  /** Runs a job's script once more, with the real verl behind `python3 -m`. @returns what it told */
  async function read(folder: string): Promise<unknown> {
    const bin = join(dir, 'bin');
    const out = join(dir, 'told.json');
    await mkdir(bin, { recursive: true });
    // After it has told, the rest of the script has nothing to do.
    const shim = `#!/bin/sh\nmodule=\${2##*.}\nshift 2\n${quoted(python)} ${quoted(reads)} "$module" "$@"\nexit 9\n`;
    await writeFile(join(bin, 'python3'), shim);
    await chmod(join(bin, 'python3'), 0o755);
    const variables = {
      ...{ PATH: `${bin}:${process.env['PATH'] ?? ''}`, VERL_READS_MODEL: join(dir, 'model'), VERL_READS_OUT: out },
      ...{ HF_HUB_OFFLINE: '1', HF_HOME: join(dir, 'cache'), PYTHONPATH: '' },
    };
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
    await writeFile(join(run.cluster.workdir, 'env.sh'), lines.join(''));
    await rm(out, { force: true });
    const told = await promisify(execFile)('bash', [join(folder, 'job.sh')]).catch((error: unknown) => error);
    const text = await readFile(out, 'utf8').catch(() =>
      assert.fail(told instanceof Error ? told.message : 'it told nothing'),
    );
    return JSON.parse(text);
  }

  it('are accepted: every setting, every row, the same scores', async () => {
    // So that adapters, clips, averages, epsilon and an upper bound of the gradient stand in the settings.
    const landing = await run.start({}, { agent: { minibatch: 8, learningRate: 0.001, loss: 'cispo', clipHigh: 1.3 } });
    assert.equal(landing.state, 'finished');
    const home = join(
      run.cluster.workdir,
      (await readdir(run.cluster.workdir, { withFileTypes: true })).find((entry) => entry.isDirectory())?.name ?? '',
    );
    const jobs = (await readdir(home)).filter((name) => /^e\d+-/.test(name)).sort();
    assert.deepEqual(jobs, ['e1-agent', 'e1-environment', 'e2-agent', 'e2-environment']);
    for (const job of jobs) {
      const folder = join(home, job);
      const told = await read(folder);
      if (job.endsWith('environment')) {
        const { learned } = environmentSchema.parse(told);
        assert(learned.length >= 8, job);
        for (const [written, taught] of learned)
          assert.equal(taught, written, 'each turn that was written, with its end');
        continue;
      }
      const { prompts, tasks, critic, steps, scores } = agentSchema.parse(told);
      const lines = (await readFile(join(folder, 'train.json'), 'utf8')).trim().split('\n');
      assert.deepEqual(
        prompts,
        lines.map((line) => rowSchema.parse(JSON.parse(line)).prompt),
        job,
      );
      assert.equal(new Set(tasks).size, lines.length);
      assert.deepEqual([critic, steps], [false, 1], 'no critic, and the whole batch as one step');
      assert.equal(scores.length, 4 * lines.length);
      for (const [recorded, given, counted, tokens] of scores) {
        assert.equal(given, recorded);
        assert.equal(counted, tokens);
      }
      assert.deepEqual(new Set(scores.map(([score]) => score > 0)), new Set([true, false]));
    }
  });
});
