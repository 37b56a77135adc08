import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import * as z from 'zod';
import { flagNames } from '../../src/features/tasks/contract.ts';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const healthSchema = z.object({
  tasks: z.int(),
  counts: z.record(z.enum(flagNames), z.int()),
  flagged: z.array(z.object({ id: z.string(), flags: z.array(z.enum(flagNames)) })),
});
const reattemptSchema = z.object({
  state: z.string(),
  rates: z.record(z.enum(['before', 'after']), z.object({ successes: z.int(), attempts: z.int() })),
});

describe('genenv health, genenv reattempt', () => {
  const workspace = new Workspace();
  let id: string;
  const parsed = async <T>(schema: z.ZodType<T>, ...words: string[]): Promise<T> => {
    const { out, err, code } = await workspace.genenv(...words, '--json');
    assert.equal(code, 0, err);
    return schema.parse(JSON.parse(out));
  };

  before(async () => {
    workspace.write('looked.genenv.json', { ...tiny, name: 'looked' });
    assert.equal((await workspace.genenv('run', 'looked.genenv.json')).code, 0);
    id = readdirSync(workspace.runs).at(-1) ?? '';
  });
  after(() => workspace.remove());

  it('name the tasks that look wrong, and why', async () => {
    const { tasks, counts, flagged } = await parsed(healthSchema, 'health', id);
    assert.ok(tasks >= flagged.length && flagged.length > 0);
    for (const name of flagNames) {
      assert.equal(counts[name], flagged.filter(({ flags }) => flags.includes(name)).length);
    }
    const [first] = flagged;
    const why = await workspace.genenv('health', id, '--task', first?.id ?? '');
    assert.deepEqual(
      why.out.split('\n').flatMap((line) => line.match(/^([a-z-]+): .+\.$/)?.[1] ?? []),
      first?.flags,
    );
    const typo = await workspace.genenv('health', id, '--flag', 'deed');
    assert.deepEqual([typo.code, /Did you mean "dead"\?/.test(typo.err)], [2, true]);
  });

  it('attempt a task again, edited too', async () => {
    const { flagged } = await parsed(healthSchema, 'health', id);
    const task = flagged.find((one) => one.id.startsWith('e'))?.id ?? flagged[0]?.id ?? '';
    const again = ['reattempt', id, '--task', task, '--attempts', '4'];
    const { state, rates } = await parsed(reattemptSchema, ...again);
    assert.deepEqual([state, rates.after.attempts], ['finished', 4]);
    workspace.write('edit.json', { gold: 'nonsense' });
    const refused = await workspace.genenv(...again, '--edit', 'edit.json');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /The edited task does not verify: .+ Correct it first/);
  });
});

describe('genenv import --rollouts', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('says what is there, and makes a run that is only read', async () => {
    const rows = ['4', '5'].map((output, i) => ({ input: '2+2?', output, gts: '4', score: 1 - i, step: 3 }));
    workspace.write('3.jsonl', [...rows.map((row) => JSON.stringify(row)), '{"input": "x"}'].join('\n'));
    const preview = await workspace.genenv('import', '3.jsonl', '--rollouts', '--preview');
    assert.match(
      preview.out,
      /^2 attempts at 1 task over 1 step \(verl\), 1 solved\.\n1 left out: .* \(3\.jsonl:3\)\n$/,
    );
    const made = await workspace.genenv('import', '3.jsonl', '--rollouts', '--name', 'foreign');
    assert.match(made.out, /Imported as (\S+)\./, made.err);
    const [id = ''] = readdirSync(workspace.runs);
    const shown = await workspace.genenv('show', id, '--trace', 'e1/task.1/r1');
    assert.match(shown.out, /unsolved|failed|not solved/, shown.err);
    const resumed = await workspace.genenv('resume', id);
    assert.match(resumed.out + resumed.err, /finished already/);
    const edited = await workspace.genenv('edit', id, '--task', 'task.1', '--exclude', 'x');
    assert.deepEqual([edited.code, /was imported from 3\.jsonl/.test(edited.err)], [2, true]);
  });
});
