import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { taskSchema } from '../../src/shared/records/task.ts';
import { ended, Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const playSchema = z.object({ turns: z.array(z.string()), trace: z.object({ id: z.string(), version: z.string() }) });

describe('genenv play', () => {
  const workspace = new Workspace();
  let id = '';
  let task: { id: string; gold: string };
  const file = (name: string): string => join(workspace.runs, id, name);
  const play = (typed: string, ...words: string[]) => {
    const child = workspace.start(['play', id, ...words]);
    child.stdin?.end(typed);
    return ended(child);
  };

  before(async () => {
    workspace.write('played.genenv.json', { ...tiny, name: 'played', epochs: 1, rollouts: { group: 4, maxTurns: 6 } });
    assert.equal((await workspace.genenv('run', 'played.genenv.json')).code, 0);
    id = readdirSync(workspace.runs).at(-1) ?? '';
    const lines = readFileSync(file('tasks.jsonl'), 'utf8').trimEnd().split('\n');
    const tasks = lines.map((line) => taskSchema.parse(JSON.parse(line)));
    const found = tasks.find(({ status, gold }) => status === 'accepted' && gold !== null);
    assert.ok(found !== undefined);
    task = { id: found.id, gold: (found.gold ?? '').replace(/ *<end>$/, '') };
  });
  after(() => workspace.remove());

  it('shows the tools and the prompt, takes turns, and says the verdict', async () => {
    const made = await play(`${task.gold}\n.\n`, '--task', task.id);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^tools\n {2}f\d/);
    assert.match(made.out, /\nuser\nMENU .* CALL\n/);
    assert.match(made.out, /Your turn 1 {2}A line with a single “\.” sends it\./);
    assert.match(made.out, /Solved, reward 1\.00.*\.\nKept as person\.\w+\/e1\S+\/r0\.\n$/);
    const shown = await workspace.genenv('export', id, '--pool', 'agent', '--out', 'pool.jsonl');
    assert.equal(shown.code, 0);
    assert.ok(!readFileSync(join(workspace.dir, 'pool.jsonl'), 'utf8').includes('person'));
  });

  it('keeps the draft when its input ends, and resumes from it', async () => {
    const [first = ''] = task.gold.split(/ (?=second )/);
    const left = await play(`${first}\n.\nseco`, '--task', task.id);
    assert.equal(left.code, 130, left.err);
    const again = /Kept\. Continue with: genenv play \S+ --continue (\w+)\n$/.exec(left.out)?.[1] ?? '';
    const rest = await play('\n.\n', '--continue', again, '--json');
    assert.match(rest.err, /Your turn 2 .*\n {2}seco\n/);
    const { turns, trace } = playSchema.parse(JSON.parse(rest.out));
    assert.deepEqual(turns, [first, 'seco\n']);
    assert.match(trace.version, /^person:./);
  });

  it('refuses what it does not know, and writes nothing', async () => {
    const before = readFileSync(file('plays.jsonl'), 'utf8');
    for (const [words, message] of [
      [[], /needs --task ID or --continue ID/],
      [['--task', 'none'], /This run has no task "none"/],
      [['--continue', 'none'], /no attempt of a person "none"/],
    ] as const) {
      const made = await play('', ...words);
      assert.equal(made.code, 2);
      assert.match(made.err, message);
    }
    assert.equal(readFileSync(file('plays.jsonl'), 'utf8'), before);
  });
});
