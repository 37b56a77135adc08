import assert from 'node:assert/strict';
import { parseTaskFile } from '../../../src/shared/records/taskFile.ts';
import { taskSchema } from '../../../src/shared/records/task.ts';

const line = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id: 'a',
    prompt: [{ role: 'user', content: 'x' }],
    evaluation: { kind: 'exact' },
    gold: 'y',
    ...over,
  });
const other = (id: string): Record<string, unknown> => ({ id, prompt: [{ role: 'user', content: id }] });
const said = (text: string): string[] => {
  const read = parseTaskFile(text, 'seeds.jsonl', 'base');
  return ('problems' in read ? read.problems : read.leftOut).map(
    ({ line: at, column, field, severity, message }) => `${at}:${column} ${severity} ${field} ${message}`,
  );
};

describe('a task file', () => {
  it('gives tasks with their lines, past blank ones', () => {
    const text = `\uFEFF${line()}\r\n\n${line({ ...other('base.b'), complexity: { steps: 2 }, plan: 'two' })}\n`;
    const read = parseTaskFile(text, 'seeds.jsonl', 'base');
    assert.ok('tasks' in read);
    assert.deepEqual(read.lines, [1, 3]);
    assert.deepEqual(
      read.tasks.map(({ id, family, origin, plan, complexity }) => [id, family, origin, plan, complexity]),
      [
        ['base.a', 'base.a', 'base', '', {}],
        ['base.b', 'base.b', 'base', 'two', { steps: 2 }],
      ],
    );
    for (const task of read.tasks) assert.deepEqual(taskSchema.parse(task), task);
  });

  it('keeps the families of tasks made elsewhere, and reads another run’s exported tasks', () => {
    const exported = { v: 1, ...other('e3.f2.v1'), family: 'e3.f2', epoch: 3, origin: 'generated', status: 'accepted' };
    const rejected = { ...exported, id: 'e3.f2.v2', status: 'rejected', cause: 'gold', note: 'no' };
    const text = [line({ ...exported, seed: 'base.17' }), line(rejected), line(other('c'))].join('\n');
    const read = parseTaskFile(text, 'made.jsonl', 'offline');
    assert.ok('tasks' in read);
    assert.deepEqual(
      read.tasks.map(({ id, family, epoch, origin, seed }) => [id, family, epoch, origin, seed]),
      [
        ['offline.e3.f2.v1', 'offline.e3.f2', 0, 'offline', 'base.17'],
        ['offline.c', 'offline.c', 0, 'offline', null],
      ],
    );
    assert.deepEqual(
      read.leftOut.map(({ line: at, field, severity }) => [at, field, severity]),
      [[2, 'status', 'warning']],
    );
  });

  it('keeps tasks that were held out away from what is trained on', () => {
    const text = [line(), line({ ...other('b'), origin: 'validation' })].join('\n');
    const ids = (origin: 'base' | 'offline' | 'validation') => {
      const read = parseTaskFile(text, 'made.jsonl', origin);
      assert.ok('tasks' in read);
      return [read.tasks.map(({ id }) => id), read.leftOut.map(({ line: at, field }) => [at, field])];
    };
    assert.deepEqual(ids('base'), [['base.a'], [[2, 'origin']]]);
    assert.deepEqual(ids('offline'), [['offline.a'], [[2, 'origin']]]);
    assert.deepEqual(ids('validation'), [['validation.a', 'validation.b'], []]);
  });

  it('names line and field of everything that is wrong', () => {
    const text = [
      line(),
      line(),
      '{"promt": 3, "evaluation": {"kind": "exact"}, "gold": null}',
      '{"id": }',
      '[]',
      line({ ...other('a b'), prompt: [{ role: 'usr', content: 'x' }] }),
      line({ ...other('d'), prompt: [] }),
    ].join('\n');
    assert.deepEqual(said(text), [
      '2:7 error id The id "a" is that of line 1 already.',
      '3:1 error prompt prompt is missing; it must be a list that is not empty.',
      '3:2 error promt Unknown field "promt".',
      '4:7 error  Malformed JSON: a value was expected, but there is }.',
      '5:1 error  A line is one task: a JSON object.',
      '6:31 error prompt[0].role prompt[0].role is "usr", but must be one of "system", "user", "assistant", "tool".',
      '6:7 error id id is "a b", but must be a text without spaces and slashes.',
      '7:20 error prompt prompt is a list, but must be a list that is not empty.',
    ]);
  });

  it('is refused when it is empty, and warns of tasks that stand in it twice', () => {
    assert.deepEqual(said('\n \n'), ['1:1 error  The file is empty.']);
    assert.deepEqual(said(`${line()}\n${line({ id: 'b' })}`), [
      '2:20 warning prompt It is the same task as line 1, and is left out.',
    ]);
  });
});
