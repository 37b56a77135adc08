import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Rng } from '../../src/engine/random.ts';
import { cli } from '../support/built.ts';
import { onlyRun, runContents } from '../support/runContents.ts';

const killsWanted = 50;

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** When a life ends: once so much is written, or after so long. */
type Kill = { bytes: number; then: number } | { after: number };

/** Bytes of the journal and of the records of the one run of a folder. */
async function writtenIn(root: string): Promise<number> {
  const [run] = (await readdir(root).catch(() => [])).filter((name) => !name.startsWith('.'));
  if (run === undefined) return 0;
  const sizes = ['journal', 'tasks', 'traces'].map(async (name) => {
    const found = await stat(join(root, run, `${name}.jsonl`)).catch(() => null);
    return found?.size ?? 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Starts the real command line, and ends it by SIGKILL. */
async function genenv(args: string[], root: string, kill?: Kill): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args, '--root', root], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<Ended>((done) => child.on('close', (code, signal) => done({ code, signal, output })));
  if (kill === undefined) return ended;
  if ('bytes' in kill) {
    // By what is written and not by the clock, which says little of how far a run on a busy machine has come.
    while (child.exitCode === null && (await writtenIn(root)) < kill.bytes) await sleep(20);
  }
  await sleep('bytes' in kill ? kill.then : kill.after);
  child.kill('SIGKILL');
  return ended;
}

describe('a run that is killed', () => {
  it(`ends as an undisturbed one does, after ${killsWanted} SIGKILLs at random moments`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-crash-'));
    try {
      const file = join(folder, 'crash.genenv.json');
      const experiment = {
        version: 1,
        name: 'crash',
        preset: 'embedded',
        mode: 'coevolve',
        seed: 7,
        epochs: 4,
        domain: { baseTasks: 40 },
        generation: { families: 6, variations: 2 },
        // Long updates would be most of each life, and kills would fall on little else.
        environment: { steps: 2, minibatch: 8 },
        curriculum: { filter: 'soft' },
        rollouts: { group: 4, poolShare: 0.1 },
        validation: { tasks: 20 },
      };
      await writeFile(file, JSON.stringify(experiment));

      const whole = join(folder, 'whole');
      const started = Date.now();
      assert.equal((await genenv(['run', file], whole)).code, 0);
      const duration = Date.now() - started;
      const expected = await runContents(join(whole, await onlyRun(whole)));
      const bytes = await writtenIn(whole);

      const rng = Rng.from('sigkill', process.pid);
      let kills = 0;
      const moments = new Map<number, number>();
      for (let attempt = 0; kills < killsWanted; attempt++) {
        const root = join(folder, `run-${attempt}`);
        let args = ['run', file];
        for (let life = 0; ; life++) {
          // Several lives a run: each writes some more, and ends in the middle of what follows. One in ten ends while it starts.
          const goal = (await writtenIn(root)) + 1 + rng.int(bytes / 12);
          const kill: Kill =
            rng.next() < 0.1 ? { after: 40 + rng.next() * (duration / 3) } : { bytes: goal, then: rng.next() * 100 };
          const ended = await genenv(args, root, goal < bytes ? kill : undefined);
          if (ended.signal === 'SIGKILL') {
            kills += 1;
            if ((await readdir(root).catch(() => [])).every((name) => name.startsWith('.'))) continue;
            args = ['resume', await onlyRun(root)];
            const journal = await readFile(join(root, await onlyRun(root), 'journal.jsonl'), 'utf8').catch(() => '');
            const lines = journal.split('\n').length;
            moments.set(lines, (moments.get(lines) ?? 0) + 1);
            continue;
          }
          assert.equal(ended.code, 0, `attempt ${attempt}, life ${life}: ${ended.output}`);
          break;
        }
        const actual = await runContents(join(root, await onlyRun(root)));
        for (const [name, text] of Object.entries(expected)) {
          assert.ok(
            actual[name] === text,
            `${name} differs after ${kills} kills (attempt ${attempt}, kept in ${root})`,
          );
        }
        assert.deepEqual(Object.keys(actual), Object.keys(expected));
        await rm(root, { recursive: true });
      }
      console.log(`      ${kills} kills at ${moments.size} different points of the journal`);
      assert.ok(moments.size >= 8, 'the kills fell on many different phases');
    } finally {
      if (process.env['KEEP'] === undefined) await rm(folder, { recursive: true, force: true });
    }
  });
});
