import assert from 'node:assert/strict';
import { columns, layOut } from '../../../../src/host/documents/layout.ts';
import { answerOf, conversation } from '../../../../src/host/documents/messages.ts';
import { count, figures, measured, percent } from '../../../../src/host/trees/figures.ts';
import { successRate } from '../../../../src/engine/math/successRate.ts';

describe('documents: layout', () => {
  it('puts what is known under its name and leaves out what is not', () => {
    const text = layOut(
      'Task t',
      columns([
        ['plan', ''],
        ['status', 'accepted'],
        ['seed task', null],
      ]),
      [
        {
          title: 'Prompt',
          lines: conversation([
            { role: 'system', content: 'a\nb' },
            { role: 'user', content: 'c' },
          ]),
        },
        { title: 'Gold', lines: [] },
      ],
    );
    const [name, status, gap, heading, ...rest] = text.split('\n');
    assert.deepEqual([name, status, gap], ['Task t', 'status   accepted', '']);
    assert.match(heading ?? '', /^── Prompt ─+$/);
    assert.deepEqual(rest, ['system', '  a', '  b', '', 'user', '  c', '']);
  });

  it('sets names in one column', () => {
    assert.deepEqual(
      columns([
        ['a', '1'],
        ['long', '2'],
        ['none', undefined],
      ]),
      ['a      1', 'long   2'],
    );
  });

  it('says several turns of an answer on one line', () => {
    const answer = answerOf([
      { role: 'assistant', content: 'get f0\n rice' },
      { role: 'tool', name: 'shop', content: '3' },
      { role: 'assistant', content: 'done' },
    ]);
    assert.equal(answer, 'get f0 rice ⏎ done');
  });
});

describe('trees: figures', () => {
  it('say a rate with its interval, and nothing where nothing was measured', () => {
    assert.equal(measured(successRate(48, 100)), 'p̂ 0.48 [0.38, 0.58]');
    assert.equal(measured(successRate(0, 0)), 'p̂ –');
  });

  it('are as long as their size asks for', () => {
    assert.deepEqual([0, 0.004, 0.071, 0.5, 1].map(percent), ['0 %', '0.4 %', '7 %', '50 %', '100 %']);
    assert.deepEqual([0, 0.01234, 8.123, 512.4, 15_785.2, -0.5].map(figures), [
      '0',
      '0.0123',
      '8.12',
      '512',
      '15,785',
      '−0.5',
    ]);
    assert.deepEqual([7, 1234, 1_000_000].map(count), ['7', '1,234', '1,000,000']);
  });
});
