import assert from 'node:assert/strict';
import { lineOfPlace, placeAt } from '../../../../src/host/documents/keptPlace.ts';
import { writeSection } from '../../../../src/host/documents/layout/layout.ts';
import { marked, setIn } from '../../../../src/host/documents/layout/line.ts';
import { Page, type LaidOut } from '../../../../src/host/documents/layout/page.ts';

/** Turns of these texts; the last section holds one line. */
function attempt(head: string[], turns: string[]): LaidOut {
  const page = new Page();
  page.part({ kind: 'document', title: 'Trace' }, () => page.write('Trace', head));
  writeSection(page, 'Attempt', () => {
    for (const [turn, text] of turns.entries()) {
      const means = { kind: 'turn', turn, final: false, tokens: 0, surprise: null } as const;
      page.part({ kind: 'turn', title: `turn ${turn + 1}` }, () =>
        page.write(marked(`turn ${turn + 1}`, means), setIn(text)),
      );
    }
  });
  writeSection(page, 'Evaluation', () => page.write('rule'));
  return page.done();
}

const at = (laidOut: LaidOut, line: number): string | undefined => laidOut.text.split('\n')[line];

describe('a reader’s place', () => {
  const here = attempt(['a'], ['one', 'two\nthree\nfour', 'five']);
  const there = attempt(['a', 'b', 'c'], ['one\nmore\nand more', 'other\nthree more']);
  const led = (line: number): string | undefined => at(there, lineOfPlace(there, placeAt(here, line)));

  it('is the same line of the same turn in another attempt, however long those before it are', () => {
    const line = here.text.split('\n').indexOf('  three');
    assert.deepEqual(placeAt(here, line), { section: 'Attempt', turn: 1, below: 2 });
    assert.equal(led(line), '  three more');
  });

  it('is the nearest one where the other attempt is shorter', () => {
    const lines = here.text.split('\n');
    assert.equal(led(lines.indexOf('  four')), '  three more');
    assert.equal(led(lines.indexOf('  five')), '  other');
  });

  it('is a section of the same name, or the head', () => {
    const lines = here.text.split('\n');
    assert.equal(led(lines.indexOf('rule')), 'rule');
    assert.equal(led(1), 'a');
    assert.equal(lineOfPlace(there, { section: 'Forks', turn: null, below: 3 }), 0);
  });
});
