import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventSchema } from '../../src/shared/journal/events.ts';
import { taskSchema } from '../../src/shared/records/task.ts';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

describe('genenv edit', () => {
  const workspace = new Workspace();
  let id: string;
  const lines = (file: string): unknown[] =>
    readFileSync(join(workspace.runs, id, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  const edits = () =>
    lines('journal.jsonl')
      .map((line) => eventSchema.parse(line))
      .flatMap((event) => (event.type === 'tasks.edited' ? event.edits : []));
  const edit = (...options: string[]) => workspace.genenv('edit', id, ...options);

  before(async () => {
    workspace.write('edited.genenv.json', { ...tiny, name: 'edited' });
    assert.equal((await workspace.genenv('run', 'edited.genenv.json')).code, 0);
    id = readdirSync(workspace.runs).at(-1) ?? '';
  });
  after(() => workspace.remove());

  it('excludes a task once, brings it back, and its pools know', async () => {
    const task = lines('tasks.jsonl')
      .map((line) => taskSchema.parse(line))
      .find(({ status }) => status === 'accepted')?.id;
    assert.ok(task);
    const pool = async () =>
      (await workspace.genenv('export', id, '--pool', 'agent')).out
        .split('\n')
        .filter((line) => line.includes(`"${task}"`));
    assert.ok((await pool()).length > 0);
    const out = await edit('--task', task, '--exclude', 'two readings');
    assert.match(out.out, /^Journaled\. It holds from epoch \d+ on\.\n$/, out.err);
    assert.match((await edit('--task', task, '--exclude', 'two readings')).out, /^Nothing changes/);
    assert.deepEqual(await pool(), []);
    assert.equal((await edit('--task', task, '--restore')).code, 0);
    assert.ok((await pool()).length > 0);
    assert.deepEqual(edits(), [
      { action: 'exclude', task, reason: 'two readings' },
      { action: 'restore', task },
    ]);
  });

  it('takes a gold that verifies, and no other', async () => {
    const before = edits().length;
    const base = lines('traces.jsonl').flatMap((line) => JSON.stringify(line).match(/base\.\d+/)?.[0] ?? []);
    const [task = ''] = base;
    const wrong = await edit('--task', task, '--gold', 'nonsense');
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /That gold does not verify: .+ Correct it, or exclude the task\./);
    assert.equal(edits().length, before);
  });

  it('says what it needs, and what it does not know', async () => {
    for (const [options, says] of [
      [['--exclude', 'x'], /needs --task ID/],
      [['--task', 'nobody', '--restore'], /This run has no task "nobody"/],
      [['--task', 'base.1'], /makes one edit\. Give one of/],
      [['--task', 'base.1', '--restore', '--exclude', 'x'], /makes one edit\. Give one of/],
    ] satisfies [string[], RegExp][]) {
      const { code, err } = await edit(...options);
      assert.equal(code, 2);
      assert.match(err, says);
    }
  });
});
