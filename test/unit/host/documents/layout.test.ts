import assert from 'node:assert/strict';
import { writeLines, writeSection } from '../../../../src/host/documents/layout/layout.ts';
import { columns, marked, setIn, written } from '../../../../src/host/documents/layout/line.ts';
import { answerOf, startOf } from '../../../../src/host/documents/layout/messages.ts';
import { sampledTurns } from '../../../../src/host/documents/layout/surprise.ts';
import { marksOf, Page } from '../../../../src/host/documents/layout/page.ts';

const writeMessages = (page: Page, messages: readonly { role: string; content: string }[]): void => {
  for (const [at, { role, content }] of messages.entries()) {
    if (at > 0) page.write('');
    page.part({ kind: 'message', title: role, detail: startOf(content) }, () => page.write(role, setIn(content)));
  }
};

describe('documents: layout', () => {
  it('puts what is known under its name and leaves out what is not', () => {
    const page = new Page();
    page.write(
      'Task t',
      ...columns([
        ['plan', ''],
        ['status', 'accepted'],
        ['seed task', null],
      ]),
    );
    writeSection(page, 'Prompt', () =>
      writeMessages(page, [
        { role: 'system', content: 'a\nb' },
        { role: 'user', content: 'c' },
      ]),
    );
    writeLines(page, 'Gold', []);
    const [name, status, gap, heading, ...rest] = page.done().text.split('\n');
    assert.deepEqual([name, status, gap], ['Task t', 'status   accepted', '']);
    assert.match(heading ?? '', /^── Prompt ─+$/);
    assert.deepEqual(rest, ['system', '  a', '  b', '', 'user', '  c', '']);
  });

  it('sets names in one column', () => {
    const lines = columns([
      ['a', '1'],
      ['long', '2'],
      ['none', undefined],
    ]);
    assert.deepEqual(
      lines.map(({ text }) => text),
      ['a      1', 'long   2'],
    );
  });

  it('holds any number of lines, of marks and of tokens', () => {
    const page = new Page();
    const lines = 400_000;
    const words = 'f3 \n'.repeat(lines);
    const marks = Array.from({ length: lines }, (_, i) => ({
      start: 4 * i,
      end: 4 * i + 2,
      means: { kind: 'run' } as const,
    }));
    page.write('Trace', setIn({ text: words, marks }));
    page.write('a', [marked('b', { kind: 'run' }), 'c']);
    const laidOut = page.done();
    assert.equal(marksOf(laidOut, 'run').length, lines + 1);
    assert.deepEqual(laidOut.marks.at(-2), { line: lines, start: 2, end: 4, means: { kind: 'run' } });
    assert.deepEqual(laidOut.text.split('\n').slice(-4), ['a', 'b', 'c', '']);
    const [turn] = sampledTurns({
      sequences: [{ tokens: [], spans: [[0, lines]], logprobs: Array<number>(lines).fill(-2) }],
    });
    assert.equal(turn?.surprise?.most, 2);
  });

  it('says several turns of an answer on one line', () => {
    const answer = answerOf([
      { role: 'assistant', content: 'get f0\n rice' },
      { role: 'tool', name: 'shop', content: '3' },
      { role: 'assistant', content: 'done' },
    ]);
    assert.equal(answer, 'get f0 rice ⏎ done');
  });

  it('knows the lines of every part, one inside another', () => {
    const page = new Page();
    page.write('name');
    writeSection(page, 'Prompt', () =>
      writeMessages(page, [
        { role: 'system', content: 'a\nb' },
        { role: 'user', content: 'c' },
      ]),
    );
    page.write('end');
    const [prompt] = page.done().parts;
    const [first, second] = prompt?.parts ?? [];
    assert.deepEqual([prompt?.title, prompt?.first, prompt?.last], ['Prompt', 2, 8]);
    assert.deepEqual([first?.title, first?.detail, first?.first, first?.last], ['system', 'a b', 3, 5]);
    assert.deepEqual([second?.title, second?.first, second?.last], ['user', 7, 8]);
  });

  it('finds what is marked where it stands, however it was put together', () => {
    const link = marked('base.17', { kind: 'task', task: 'base.17', epoch: 3 });
    const run = { start: 2, end: 3, means: { kind: 'run' } } as const;
    const page = new Page();
    page.write(
      'name',
      ...columns([['task', written('is ', link, ' · plan')]]),
      ...setIn({ text: 'a\r\n\nb', marks: [] }),
    );
    page.write(...setIn({ text: 'x\nyz', marks: [run] }));
    const laidOut = page.done();
    const lines = laidOut.text.split('\n');
    assert.deepEqual(lines, ['name', 'task   is base.17 · plan', '  a', '', '  b', '  x', '  yz', '']);
    const [task] = marksOf(laidOut, 'task');
    assert.equal(lines[task?.line ?? 0]?.slice(task?.start, task?.end), 'base.17');
    const [found] = marksOf(laidOut, 'run');
    assert.equal(lines[found?.line ?? 0]?.slice(found?.start, found?.end), 'y');
  });
});
