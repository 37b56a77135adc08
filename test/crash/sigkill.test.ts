import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
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

/** Starts the real command line; `killAfter` is milliseconds until SIGKILL. */
async function genenv(args: string[], killAfter?: number): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<Ended>((done) => child.on('close', (code, signal) => done({ code, signal, output })));
  if (killAfter !== undefined) void sleep(killAfter).then(() => child.kill('SIGKILL'));
  return ended;
}

/** When the one run of a folder had journaled something. */
async function firstEvent(root: string): Promise<number> {
  for (;;) {
    const [run] = await readdir(root).catch(() => []);
    const journal = run === undefined ? '' : await readFile(join(root, run, 'journal.jsonl'), 'utf8').catch(() => '');
    if (journal !== '') return Date.now();
    await sleep(10);
  }
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
        generation: { families: 6, variations: 2 },
        curriculum: { filter: 'soft' },
        rollouts: { group: 4, poolShare: 0.1 },
        validation: { tasks: 20 },
      };
      await writeFile(file, JSON.stringify(experiment));

      const started = Date.now();
      const whole = join(folder, 'whole');
      const begun = firstEvent(whole);
      assert.equal((await genenv(['run', file, '--root', whole])).code, 0);
      const duration = Date.now() - started;
      const startup = (await begun) - started;
      const expected = await runContents(join(whole, await onlyRun(whole)));

      const rng = Rng.from('sigkill', process.pid);
      let kills = 0;
      const moments = new Map<number, number>();
      for (let attempt = 0; kills < killsWanted; attempt++) {
        const root = join(folder, `run-${attempt}`);
        let args = ['run', file, '--root', root];
        for (let inRun = 0; ; inRun++) {
          // First lives end all along the run, evenly (golden section) and not where they happen to fall; later ones are
          // shorter, so that a run is killed several times on its way. One in ten ends while it starts.
          const early = rng.next() < 0.1;
          const along = inRun === 0 ? (attempt * 0.618 + rng.next() * 0.05) % 1.05 : rng.next() * 0.7;
          const alive = early ? 40 + rng.next() * startup : startup + along * (duration - startup);
          const delay = inRun >= 8 ? undefined : alive;
          const ended = await genenv(args, delay);
          if (ended.signal === 'SIGKILL') {
            kills += 1;
            if ((await readdir(root).catch(() => [])).every((name) => name.startsWith('.'))) continue;
            args = ['resume', await onlyRun(root), '--root', root];
            const journal = await readFile(join(root, await onlyRun(root), 'journal.jsonl'), 'utf8').catch(() => '');
            const lines = journal.split('\n').length;
            moments.set(lines, (moments.get(lines) ?? 0) + 1);
            continue;
          }
          assert.equal(ended.code, 0, `attempt ${attempt}, life ${inRun}: ${ended.output}`);
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
