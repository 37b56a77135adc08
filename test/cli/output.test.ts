import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from '../support/built.ts';
import { ended, environment, Workspace } from '../support/genenv.ts';
import { skip } from '../support/skip.ts';
import { timeless, tiny } from '../support/tiny.ts';
import { until } from '../support/until.ts';

const full = '/dev/full';
const hasPrograms = ['script', 'setsid'].every((name) => spawnSync(name, ['--version']).error === undefined);

describe('genenv: output that cannot be written', () => {
  const workspace = new Workspace();
  let undisturbed: unknown[] = [];
  const journalOf = (id: string): string => readFileSync(join(workspace.runs, id, 'journal.jsonl'), 'utf8');
  const newest = (): string => readdirSync(workspace.runs).toSorted().at(-1) ?? '';

  before(async () => {
    workspace.write('tiny.genenv.json', tiny);
    const { code, err } = await workspace.genenv('run', 'tiny.genenv.json');
    assert.equal(code, 0, err);
    undisturbed = timeless(journalOf(newest()));
  });
  after(() => workspace.remove());

  it('ends no run on a full disk', async function () {
    if (!existsSync(full)) skip(this, `there is no ${full}`);
    const output = openSync(full, 'w');
    const child = spawn(process.execPath, [cli, 'run', 'tiny.genenv.json'], {
      ...{ cwd: workspace.dir, env: environment({}), stdio: ['ignore', output, output] },
    });
    closeSync(output);
    const { code } = await ended(child);
    assert.equal(code, 0);
    assert.deepEqual(timeless(journalOf(newest())), undisturbed);
  });

  it('ends no run whose terminal goes away', async function () {
    if (!hasPrograms) skip(this, 'there are no programs "script" and "setsid"');
    const known = readdirSync(workspace.runs).length;
    const run = `setsid '${process.execPath}' '${cli}' run tiny.genenv.json`;
    const started = `until [ "$(ls '${workspace.runs}' | wc -l)" -gt ${known} ]; do sleep 0.02; done`;
    const terminal = spawn('script', ['-qefc', `${run} & ${started}`, '/dev/null'], {
      ...{ cwd: workspace.dir, env: environment({}), stdio: 'ignore' },
    });
    await ended(terminal);
    const id = newest();
    // A run's folder is there a moment before its journal.
    const finished = (): boolean =>
      existsSync(join(workspace.runs, id, 'journal.jsonl')) && journalOf(id).includes('"run.finished"');
    assert.equal(finished(), false, 'the terminal went away after the run had ended');
    await until('the end of the run', finished);
    assert.deepEqual(timeless(journalOf(id)), undisturbed);
  });

  it('fails a command that does nothing but write it', async function () {
    if (!existsSync(full)) skip(this, `there is no ${full}`);
    const output = openSync(full, 'w');
    const child = spawn(process.execPath, [cli, 'list'], {
      ...{ cwd: workspace.dir, env: environment({}), stdio: ['ignore', output, 'pipe'] },
    });
    closeSync(output);
    const { code, err } = await ended(child);
    assert.equal(code, 1);
    assert.match(err, /^genenv: some output was not written: ENOSPC/);
  });
});
