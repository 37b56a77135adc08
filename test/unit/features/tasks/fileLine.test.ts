/** Lines of task files with some of their fields changed. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editedLine, lineOf, readFileLine } from '../../../../src/features/tasks/node/fileLine.ts';
import { TaskFile } from '../../../../src/features/tasks/node/taskFile.ts';
import type { TaskPart } from '../../../../src/features/tasks/node/taskValues.ts';
import { parseTaskFile } from '../../../../src/shared/records/taskFile.ts';

const steps = (text: string, ...parts: TaskPart[]): string[] => {
  const lines = [text];
  for (const part of parts) lines.push(editedLine(lines.at(-1) ?? '', part) ?? 'no object');
  return lines.slice(1);
};
const content = '"prompt":[{"role":"user","content":"hi"}],"evaluation":{"kind":"exact"},"gold":"x"';

describe('an edited line of a task file', () => {
  it('keeps what is not edited byte for byte: numbers, order, escapes, spaces, comments', () => {
    for (const [text, tagged] of [
      [
        '{"id":"a","seed_no":12345678901234567890,"big":1e400}',
        '{"id":"a","seed_no":12345678901234567890,"big":1e400,"tags":["x"]}',
      ],
      ['{"2":"b","1":"a","u":"\\u00e9\\/"}', '{"2":"b","1":"a","u":"\\u00e9\\/","tags":["x"]}'],
      ['{"id": "a", "gold": "x"}', '{"id": "a", "gold": "x", "tags": ["x"]}'],
      ['{"id":"a",/* why */"gold":"x",} // end', '{"id":"a",/* why */"gold":"x","tags":["x"],} // end'],
      ['{}', '{"tags":["x"]}'],
    ] as const) {
      assert.deepEqual(steps(text, { tags: ['x'] }), [tagged]);
      const [, restored] = steps(text, { tags: ['x'] }, { tags: [] });
      assert.equal(restored, text);
    }
    assert.equal(editedLine('[]', { tags: ['x'] }), null);
    const [gold] = steps('{"tags":["x"],"gold":"one","n":9007199254740993}', { gold: 'two' });
    assert.equal(gold, '{"tags":["x"],"gold":"two","n":9007199254740993}');
  });

  it('has the reason of an exclusion beside a note of a person or of a run, and not in its place', () => {
    for (const text of [
      `{"id":"a",${content},"note":"mine"}`,
      `{"id":"a",${content},"status":"rejected","cause":"gold","note":"it differs"}`,
      `{"v":1,"id":"a",${content},"status":"accepted","note":"mine"}`,
      `{"id":"a",${content}}`,
    ]) {
      const [out = '', back = ''] = steps(text, { excluded: 'dull' }, { excluded: null });
      assert.equal(readFileLine(out, 1).excluded, 'dull');
      assert.deepEqual(readFileLine(lineOf(readFileLine(out, 1)), 1), readFileLine(out, 1));
      assert.equal(back, text);
      const read = parseTaskFile(`${out}\n{"id":"b",${content.replace('hi', 'ho')}}`, 'some.tasks.jsonl', 'base');
      assert.ok('tasks' in read);
      assert.deepEqual(
        read.tasks.map(({ id }) => id),
        ['base.b'],
      );
    }
  });

  it('is refused where it gives a field twice, and edited where runs read it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-line-'));
    try {
      const path = join(folder, 'some.tasks.jsonl');
      await writeFile(path, `{"id":"a",${content},} // one\n{"id":"b","gold":"y",${content}}\n`);
      const file = await TaskFile.open(path);
      await file.table.scan();
      assert.deepEqual([file.table.columns.ids, [...file.damaged]], [['a', 'b'], []]);
      await assert.rejects(file.save(new Map([[1, { tags: ['odd'] }]])), {
        ...{ name: 'TaskFileError', reason: 'given-twice' },
        message: `${path}:2 cannot be edited here: the line gives a field twice.`,
      });
      await file.save(new Map([[0, { tags: ['odd'] }]]));
      const [first] = (await readFile(path, 'utf8')).split('\n');
      assert.equal(first, `{"id":"a",${content},"tags":["odd"],} // one`);
      await file.table.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
