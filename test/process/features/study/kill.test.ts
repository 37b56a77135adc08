/** A study that is killed fifty times has the results of an undisturbed one. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { cli } from '../../../support/built.ts';

/** Fifty take five minutes: `GENENV_KILLS=50`. */
const kills = Number(process.env['GENENV_KILLS'] ?? 12);
const base = {
  ...{ version: 1, preset: 'embedded', name: 'b', seed: 1 },
  domain: { baseTasks: 40 },
  generation: { families: 4, variations: 2 },
  rollouts: { group: 4 },
  environment: { steps: 1, minibatch: 8 },
  validation: { tasks: 20 },
};
const study = {
  ...{ version: 1, name: 'killed', base: 'base.genenv.json', seeds: [1, 2] },
  arms: { genenv: {}, random: { mode: 'random' }, hard: { 'curriculum.alpha': 0.3 } },
  budget: { rollouts: 200 },
  measures: [{ kind: 'validation' }, { kind: 'band' }, { kind: 'difficulty' }],
};

interface Ended {
  code: number | null;
  /** With what stands in stderr: warnings. */
  out: string;
  stdout: string;
}

/** @param life milliseconds until SIGKILL; null: it may end by itself */
async function run(dir: string, words: readonly string[], life: number | null): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...words], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let stdout = '';
  child.stdout.on('data', (data) => {
    out += String(data);
    stdout += String(data);
  });
  child.stderr.on('data', (data) => (out += String(data)));
  const ended = new Promise<number | null>((resolve) => void child.once('exit', (code) => resolve(code)));
  if (life !== null) {
    await Promise.race([sleep(life), ended]);
    child.kill('SIGKILL');
  }
  return { code: await ended, out, stdout };
}

const journalSchema = z.array(z.looseObject({ at: z.number() }));

/** Journals by the names of their runs, without times. */
async function journals(dir: string): Promise<Record<string, string[]>> {
  const root = join(dir, '.genenv', 'runs');
  const found: Record<string, string[]> = {};
  for (const id of (await readdir(root)).filter((name) => !name.startsWith('.'))) {
    const lines = (await readFile(join(root, id, 'journal.jsonl'), 'utf8')).trim().split('\n');
    const events = journalSchema.parse(lines.map((line): unknown => JSON.parse(line)));
    found[id.replace(/^\d+-\d+-/, '')] = events.map((event) =>
      JSON.stringify(event, (key, value: unknown) => (key === 'at' || key === 'seconds' ? 0 : value)),
    );
  }
  return found;
}

describe('A study that is killed', () => {
  const dirs: string[] = [];
  const fresh = async (more: Record<string, unknown> = {}): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), 'genenv-study-'));
    dirs.push(dir);
    await writeFile(join(dir, 'base.genenv.json'), JSON.stringify(base));
    await writeFile(join(dir, 's.study.json'), JSON.stringify({ ...study, ...more }, null, 2));
    return dir;
  };
  after(async () => {
    for (const dir of dirs) await rm(dir, { recursive: true, force: true });
  });

  it('many times ends as the undisturbed one: results and journals', async function () {
    this.timeout(600_000);
    const [calm, killed] = [await fresh(), await fresh()];
    const first = await run(calm, ['study', 's.study.json', '--json'], null);
    assert.equal(first.code, 0, first.out);
    let state = 7;
    for (let kill = 0; kill < kills; kill++) {
      state = (state * 48_271) % 2_147_483_647;
      await run(killed, ['study', 's.study.json', '--json'], 60 + (state % 700));
    }
    const last = await run(killed, ['study', 's.study.json', '--json'], null);
    assert.equal(last.code, 0, last.out);
    assert.deepEqual(JSON.parse(last.stdout), JSON.parse(first.stdout));
    assert.deepEqual(await journals(killed), await journals(calm));
    // Nothing is run again.
    const again = await run(killed, ['study', 's.study.json', '--json'], null);
    assert.deepEqual(JSON.parse(again.stdout), JSON.parse(first.stdout));
  });

  it('when racing halves its arms decides as the undisturbed one', async function () {
    this.timeout(300_000);
    const race = { stop: { rule: 'halving', rounds: 2, keep: 0.4 }, budget: { rollouts: 200 } };
    const [calm, killed] = [await fresh(race), await fresh(race)];
    const first = await run(calm, ['study', 's.study.json', '--json'], null);
    assert.equal(first.code, 0, first.out);
    assert.match(first.out, /stopped after 1 of 2 parts of the budget/);
    for (let kill = 0; kill < 6; kill++) await run(killed, ['study', 's.study.json', '--json'], 500 + 90 * kill);
    const last = await run(killed, ['study', 's.study.json', '--json'], null);
    assert.deepEqual(JSON.parse(last.stdout), JSON.parse(first.stdout));
  });

  it('continues after a new arm is put first, also where the benchmark is a name, not a file', async () => {
    const small = { arms: { genenv: {} }, seeds: [1], budget: { rollouts: 100 } };
    const dir = await fresh(small);
    await writeFile(join(dir, 'base.genenv.json'), JSON.stringify({ ...base, evaluation: { adapter: 'bamboogle' } }));
    assert.equal((await run(dir, ['study', 's.study.json'], null)).code, 0);
    const kept = join(dir, 's.study', 'study.json');
    const was = await readFile(kept, 'utf8');
    assert.match(was, /"evaluation\.adapter bamboogle": "unread"/);
    // As older releases wrote it.
    await writeFile(kept, was.replace('"unread"', '"unread in genenv"'));
    const arms = { random: { mode: 'random' }, genenv: {} };
    await writeFile(join(dir, 's.study.json'), JSON.stringify({ ...study, ...small, arms }));
    const more = await run(dir, ['study', 's.study.json'], null);
    assert.equal(more.code, 0, more.out);
  });

  it('is refused, and touched by nothing, once a run was edited or its arm changed', async () => {
    const small = { arms: { genenv: {} }, seeds: [1], budget: { rollouts: 100 } };
    const dir = await fresh(small);
    assert.equal((await run(dir, ['study', 's.study.json'], null)).code, 0);
    const root = join(dir, '.genenv', 'runs');
    const [id = ''] = await readdir(root);
    const journal = join(root, id, 'journal.jsonl');
    const was = await readFile(journal, 'utf8');
    await writeFile(journal, was.replace('"rollouts":', '"rollouts": '));
    const edited = await run(dir, ['study', 'show', 's.study.json'], null);
    assert.equal(edited.code, 2);
    assert.match(edited.out, /“genenv · seed 1” was edited by hand: its journal has changed/);
    await writeFile(journal, was);
    await writeFile(
      join(dir, 's.study.json'),
      JSON.stringify({ ...study, ...small, arms: { genenv: { 'curriculum.alpha': 0.4 } } }),
    );
    const changed = await run(dir, ['study', 's.study.json'], null);
    assert.equal(changed.code, 2);
    assert.match(
      changed.out,
      /The study has changed since it began: the run “genenv · seed 1” was made with other settings/,
    );
    const kept = join(dir, 's.study', 'study.json');
    await writeFile(kept, (await readFile(kept, 'utf8')).replace('"v": 1', '"v": 0'));
    const old = await run(dir, ['study', 'show', 's.study.json'], null);
    assert.equal(old.code, 2);
    assert.match(old.out, /written in version 0 of its form/);
    await rm(join(dir, 'base.genenv.json'));
    const gone = await run(dir, ['study', 's.study.json'], null);
    assert.equal(gone.code, 2);
    assert.match(gone.out, /The base "base\.genenv\.json" is gone/);
  });
});
