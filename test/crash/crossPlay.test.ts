/** SIGKILL while versions are compared (`crossPlay`), and α has a controller: the run ends as an undisturbed one. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cli } from '../support/built.ts';
import { onlyRun, runContents } from '../support/runContents.ts';

const experiment = {
  version: 1,
  name: 'compared',
  preset: 'embedded',
  seed: 5,
  epochs: 4,
  domain: { baseTasks: 40 },
  generation: { families: 6 },
  environment: { steps: 1, minibatch: 8 },
  curriculum: { filter: 'soft', control: { kind: 'success', every: 1, step: 0.1 } },
  validation: { tasks: 60, every: 1 },
  crossPlay: { every: 1, rollouts: 600 },
};

/** Milliseconds into each epoch's comparison at which a life ends. */
const lives = [0, 20, 60, 120];

const journalOf = async (root: string): Promise<string[]> => {
  const [run] = (await readdir(root).catch(() => [])).filter((name) => !name.startsWith('.'));
  const text = run === undefined ? '' : await readFile(join(root, run, 'journal.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line.endsWith('}'));
};

/** Runs until the end, or until the comparison of an epoch has gone on for a while. */
async function genenv(args: string[], root: string, kill?: { epoch: number; after: number }): Promise<number | null> {
  const child = spawn(process.execPath, [cli, ...args, '--root', root], { stdio: 'ignore' });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  if (kill === undefined) return ended;
  const isComparing = (line = ''): boolean =>
    line.includes('"type":"validated"') && line.includes(`"epoch":${kill.epoch},`);
  while (child.exitCode === null && !isComparing((await journalOf(root)).at(-1))) await sleep(10);
  await sleep(kill.after);
  child.kill('SIGKILL');
  return ended;
}

describe('a run that is killed while its versions are compared', function () {
  this.timeout(240_000);

  it('ends as an undisturbed one does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-compared-'));
    try {
      const file = join(folder, 'compared.genenv.json');
      await writeFile(file, JSON.stringify(experiment));
      const [whole, killed] = [join(folder, 'whole'), join(folder, 'killed')];
      assert.equal(await genenv(['run', file], whole), 0);
      const expected = await runContents(join(whole, await onlyRun(whole)));
      const journal = await journalOf(whole);
      assert.equal(journal.filter((line) => line.includes('"type":"cross.played"')).length, experiment.epochs);
      assert.ok(
        journal.some((line) => /"why":"(above|below)"/.test(line)),
        'α was moved',
      );

      let within = 0;
      for (const [i, after] of lives.entries()) {
        const args = i === 0 ? ['run', file] : ['resume', await onlyRun(killed)];
        await genenv(args, killed, { epoch: i + 1, after });
        if ((await journalOf(killed)).at(-1)?.includes('"type":"validated"') === true) within += 1;
      }
      assert.ok(within >= 2, `${within} of ${lives.length} lives ended within a comparison`);
      console.log(`      ${within} of ${lives.length} lives ended within a comparison`);
      assert.equal(await genenv(['resume', await onlyRun(killed)], killed), 0);
      assert.deepEqual(await runContents(join(killed, await onlyRun(killed))), expected);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
