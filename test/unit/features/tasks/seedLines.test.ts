import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { NowTask } from '../../../../src/features/tasks/node/editedTasks.ts';
import { readFileLine } from '../../../../src/features/tasks/node/fileLine.ts';
import { freeId, TakenIds } from '../../../../src/features/tasks/node/sent/takenIds.ts';
import { seedLines } from '../../../../src/features/tasks/node/sent/seedLines.ts';
import { idInFile } from '../../../../src/shared/records/idInFile.ts';
import { parseTaskFile } from '../../../../src/shared/records/taskFile.ts';

const line = (id: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id,
    prompt: [{ role: 'user', content: 'please' }],
    evaluation: { kind: 'exact' },
    gold: id,
    ...more,
  });

function sent(id: string, more: Record<string, unknown> = {}): NowTask {
  const { task, key, excluded, tags, damaged } = readFileLine(line(id, more), 1);
  const { prompt, tools, evaluation, gold } = task;
  const now = { prompt, tools: tools ?? null, evaluation, gold, plan: '', excluded, tags };
  return { row: 0, key, recorded: task, saved: now, damaged, now, task };
}

const placed = z.object({ id: z.string(), family: z.string(), seed: z.string().nullable() });
const places = (lines: readonly string[]) => lines.map((one) => placed.parse(JSON.parse(one)));

describe('tasks sent to a file of seed tasks', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'genenv-seeds-'))));
  after(() => rm(folder, { recursive: true }));

  const holding = async (...lines: string[]): Promise<string> => {
    const path = join(folder, 'some.tasks.jsonl');
    await writeFile(path, `${lines.join('\n')}\n`);
    return path;
  };

  it('are not added again when they came from that file, whatever prefix their run gave them', async () => {
    const path = await holding(line('a', { gold: 'x' }), line('b', { gold: 'y' }));
    const given = [
      sent('base.a', { gold: 'x' }),
      sent('offline.b', { gold: 'y' }),
      sent('sums.base.a', { gold: 'x', domain: 'sums' }),
      sent('e2.f1.v0', { gold: 'z', seed: 'base.a' }),
    ];
    const { lines, there, left } = await seedLines(path, given, false);
    assert.deepEqual(places(lines), [{ id: 'e2.f1.v0', family: 'e2.f1.v0', seed: 'a' }]);
    assert.deepEqual([there, left], [3, 0]);
  });

  it('get an id of their own when another task has theirs, so that a run reads the file', async () => {
    const path = await holding(line('a', { gold: 'x' }), line('base.b', { gold: 'y' }));
    const given = [sent('base.a', { gold: 'other' }), sent('b', { gold: 'another' }), sent('base.c', { gold: 'x2' })];
    const { lines, there } = await seedLines(path, given, false);
    assert.deepEqual(
      places(lines).map(({ id }) => id),
      ['a-2', 'b-2', 'c'],
    );
    assert.equal(there, 0);
    const whole = [line('a', { gold: 'x' }), line('base.b', { gold: 'y' }), ...lines].join('\n');
    const read = parseTaskFile(whole, 'some.tasks.jsonl', 'base');
    assert.ok('tasks' in read);
    assert.deepEqual(
      read.tasks.map(({ id }) => id),
      ['base.a', 'base.b', 'base.a-2', 'base.b-2', 'base.c'],
    );
  });

  it('are not those that a person excluded, that a run rejected or holds out, nor damaged lines', async () => {
    const given = [
      sent('base.a', { status: 'rejected', note: 'dull' }),
      sent('e1.f0.v0', { status: 'rejected', cause: 'gold', note: 'wrong' }),
      sent('validation.v', { origin: 'validation' }),
      sent('base.b'),
    ];
    const { lines, left } = await seedLines(join(folder, 'none.tasks.jsonl'), given, false);
    assert.deepEqual(places(lines), [{ id: 'b', family: 'b', seed: null }]);
    assert.equal(left, 3);
    // A line that is excluded in the file is no task of a run that reads it.
    const path = await holding(line('b', { status: 'rejected', note: 'dull' }));
    assert.deepEqual(places((await seedLines(path, given, false)).lines), [{ id: 'b-2', family: 'b-2', seed: null }]);
  });

  it('are variations of themselves when duplicated', async () => {
    const path = await holding(line('a', { gold: 'x' }), line('a.copy', { gold: 'y' }));
    const { lines } = await seedLines(path, [sent('base.a', { gold: 'x', family: 'base.a' })], true);
    assert.deepEqual(places(lines), [{ id: 'a.copy-2', family: 'a', seed: 'a' }]);
  });
});

describe('the id of a task in its file', () => {
  it('is without the prefixes of runs, once', () => {
    for (const [id, inFile, domain] of [
      ['base.a', 'a'],
      ['offline.a.b', 'a.b'],
      ['validation.3', '3'],
      ['base.base.a', 'base.a'],
      ['sums.base.a', 'a', 'sums'],
      ['sums.base.a', 'sums.base.a'],
      ['e1.f2.v3', 'e1.f2.v3'],
      ['base.', 'base.'],
      ['basement', 'basement'],
    ] as const) {
      assert.equal(idInFile({ id, domain }), inFile, id);
    }
  });

  it('is free only where no line is the same for a run', () => {
    assert.equal(freeId('a', new TakenIds(['base.a', 'a-2'])), 'a-3');
    assert.equal(freeId('a', new TakenIds(['b'])), 'a');
  });
});
