import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendNote, readNotes } from '../../../src/runs/records/notesFile.ts';
import { RunError } from '../../../src/runs/store/runError.ts';
import { foldNotes, type NoteEntry, type NoteEvent } from '../../../src/shared/records/note.ts';

let at = 0;
const stamped = (entry: NoteEntry, author = 'ada'): NoteEvent => ({ v: 1, at: ++at, author, ...entry });
const written = (id: string, more: { thread?: string; turn?: number; trace?: string } = {}): NoteEvent =>
  stamped({
    ...{ type: 'written', id, thread: more.thread ?? id, trace: more.trace ?? 'e1/t/r0', turn: more.turn ?? 0 },
    text: `text of ${id}`,
  });

describe('notes on turns', () => {
  it('are threads of what was written, edited, deleted and resolved', () => {
    const threads = foldNotes([
      written('a'),
      written('b', { thread: 'a' }),
      written('c', { turn: 2 }),
      written('d', { turn: 3 }),
      stamped({ type: 'edited', id: 'b', text: 'better' }),
      stamped({ type: 'resolved', thread: 'c', resolved: true }),
      stamped({ type: 'deleted', id: 'd' }),
      stamped({ type: 'edited', id: 'nobody', text: 'nothing' }),
      stamped({ type: 'resolved', thread: 'nobody', resolved: true }),
    ]);
    assert.deepEqual(
      threads.map(({ id, turn, resolved, notes }) => [
        id,
        turn,
        resolved,
        notes.map(({ text, edited }) => [text, edited]),
      ]),
      [
        [
          'a',
          0,
          false,
          [
            ['text of a', false],
            ['better', true],
          ],
        ],
        ['c', 2, true, [['text of c', false]]],
      ],
    );
  });

  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-notes-'));
    path = join(folder, 'notes.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are none where nobody wrote any', async () => {
    assert.deepEqual(await readNotes(path), { threads: [], damaged: [] });
  });

  it('outlive lines that cannot be read, which are told and kept', async () => {
    await appendNote(path, written('a'));
    await appendFile(path, '{"v":1,"type":"written","id":"torn');
    await appendNote(path, written('b'));
    await appendFile(path, `${JSON.stringify({ ...written('n'), v: 2 })}\n`);
    await appendNote(path, written('c'));
    const { threads, damaged } = await readNotes(path);
    assert.deepEqual(
      threads.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(
      damaged.map(({ line, reason }) => [line, reason]),
      [
        [2, 'format'],
        [4, 'version'],
      ],
    );
    assert.match(await readFile(path, 'utf8'), /"torn\n/);
  });

  it('say why they cannot be kept', async () => {
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(appendNote(join(folder, 'file', 'notes.jsonl'), written('a')), (error) =>
      RunError.is(error, 'unwritable'),
    );
  });
});
