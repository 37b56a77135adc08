/** Writes so many notes into a file: one of several processes that do. */
import { appendNote } from '../../../src/runs/records/notesFile.ts';

const [path = '', writer = '', notes = '0'] = process.argv.slice(2);
for (let note = 0; note < Number(notes); note++) {
  const id = `${writer}.${note}`;
  const text = 'long enough that a torn line would show '.repeat(200);
  await appendNote(path, {
    v: 1,
    at: note,
    author: writer,
    type: 'written',
    id,
    thread: id,
    trace: 't',
    turn: 0,
    text,
  });
}
