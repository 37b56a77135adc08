import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cli } from '../support/built.ts';
import { ended, environment, Workspace } from '../support/genenv.ts';
import { Screen } from '../support/screen.ts';
import { skip } from '../support/skip.ts';
import { timeless, tiny } from '../support/tiny.ts';

const longer = { ...tiny, name: 'longer', epochs: 6 };
const hasScript = spawnSync('script', ['--version']).error === undefined;

/** Resolves when the output holds this. */
function shows(child: ChildProcess, pattern: RegExp): Promise<void> {
  let seen = '';
  return new Promise((done, failed) => {
    child.stdout?.on('data', (bytes: Buffer) => {
      seen += bytes.toString();
      if (pattern.test(seen)) done();
    });
    child.on('close', () => failed(new Error(`Ended without ${String(pattern)}: ${seen.slice(-500)}`)));
  });
}

describe('genenv: Ctrl-C and resume', () => {
  const workspace = new Workspace();
  let undisturbed: unknown[] = [];
  const journal = (id: string): unknown[] => timeless(readFileSync(join(workspace.runs, id, 'journal.jsonl'), 'utf8'));
  const newest = (): string => readdirSync(workspace.runs).toSorted().at(-1) ?? '';

  before(async () => {
    workspace.write('longer.genenv.json', longer);
    const { code, err } = await workspace.genenv('run', 'longer.genenv.json');
    assert.equal(code, 0, err);
    undisturbed = journal(newest());
    assert.ok(undisturbed.length > 40);
  });
  after(() => workspace.remove());

  it('pauses by a signal, says how to go on, and goes on to the same end', async () => {
    const child = workspace.start(['run', 'longer.genenv.json']);
    const end = ended(child);
    await shows(child, /epoch 2\/6/);
    child.kill('SIGINT');
    const { code, out, err } = await end;
    assert.equal(code, 130, err);
    assert.equal(err, 'Pausing: finished rollouts are kept.\n');
    const id = newest();
    const finished = journal(id).length;
    assert.ok(finished < undisturbed.length, 'it was stopped before its end');
    assert.match(out, /\nPaused after \d finished epochs; every finished rollout is kept\.\n/);
    const command = /\nResume with: node (\S+) resume (\S+)\n$/.exec(out);
    assert.equal(command?.[2], id);
    assert.match((await workspace.genenv('list')).out, new RegExp(`${id}.*paused`));

    const resumed = await workspace.genenv('resume', id);
    assert.equal(resumed.code, 0, resumed.err);
    assert.match(resumed.out, /carried on after epoch \d/);
    assert.match(resumed.out, /epoch 6\/6/);
    assert.deepEqual(journal(id), undisturbed);
  });

  it('tells programs that it paused', async () => {
    const before = readdirSync(workspace.runs).length;
    const child = workspace.start(['run', 'longer.genenv.json', '--json']);
    const end = ended(child);
    while (child.exitCode === null && readdirSync(workspace.runs).length === before) await setTimeout(20);
    child.kill('SIGTERM');
    const { code, out } = await end;
    assert.equal(code, 130);
    assert.match(out, /"state": "paused"/);
  });

  it('is redrawn on a real terminal, and pauses by the key itself', async function () {
    if (!hasScript) skip(this, 'there is no program "script" that gives a terminal');
    const command = `stty cols 90 rows 30; exec '${process.execPath}' '${cli}' run longer.genenv.json`;
    const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: workspace.dir, env: environment({}) });
    const screen = new Screen(90, 30);
    let raw = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      raw += text;
      screen.write(text.replaceAll('\r\n', '\n'));
    });
    const end = ended(child);
    await shows(child, /epoch [2-5]\/6/);
    child.stdin.write('\u0003');
    const { code } = await end;
    assert.equal(code, 130, raw.slice(-800));
    const lines = screen.lines();
    assert.equal(screen.cursorShown, true);
    // One picture, however often it was drawn.
    assert.equal(lines.filter((line) => line.startsWith('longer  coevolve')).length, 1, lines.join('\n'));
    assert.match(lines[1] ?? '', /━+.* \d+ % {2}paused$/);
    assert.ok(
      lines.some((line) => /^p̂ 0\.\d\d \[0\.\d\d, \d\.\d\d\] {2}│.*●.*│ {2}band 0\.20–0\.80$/.test(line)),
      lines.join('\n'),
    );
    assert.ok(lines.some((line) => line.startsWith('validation')));
    assert.match(raw, /\u001B\[3\dm/, 'coloured');
    const id = newest();
    assert.match(lines.at(-1) ?? '', new RegExp(`^Resume with: node .* resume ${id}$`));
    const { code: resumed } = await workspace.genenv('resume', id);
    assert.equal(resumed, 0);
    assert.deepEqual(journal(id), undisturbed);
  });

  it('is plain on a terminal without colours or cursor', async function () {
    if (!hasScript) skip(this, 'there is no program "script" that gives a terminal');
    const command = `stty cols 90 rows 30; exec '${process.execPath}' '${cli}' run longer.genenv.json --set epochs=2`;
    for (const env of [{ TERM: 'dumb' }, { NO_COLOR: '1' }] as const) {
      const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: workspace.dir, env: environment(env) });
      const { code, out } = await ended(child);
      assert.equal(code, 0, out);
      assert.ok(!/\u001B\[[0-9;]*m/.test(out), 'no colours');
      if ('TERM' in env) assert.ok(!out.includes('\u001B'), 'no escapes at all');
    }
  });
});
