/** A task's fields as texts, and what of them is not in the task yet. */
import assert from 'node:assert/strict';
import { prose, reworded, sameText, textOf, turnsOf } from '../../../webview/tasks/detail/fieldText.ts';
import { PendingTexts } from '../../../webview/tasks/pendingTexts.ts';
import { Selection } from '../../../webview/tasks/selection.ts';

const draft = {
  prompt: [
    { role: 'user' as const, content: 'Set rice to 4.' },
    { role: 'assistant' as const, content: 'f3 rice 4', tokens: [1, 2, 3], reasoning: 'f3 sets' },
  ],
  evaluation: { kind: 'calls', inOrder: true },
  gold: null,
};

describe('fields of a task', () => {
  it('are JSON to be read, the gold itself, and nothing where there is none', () => {
    assert.equal(textOf('evaluation', draft), '{\n  "kind": "calls",\n  "inOrder": true\n}');
    assert.equal(textOf('gold', draft), '');
    assert.equal(textOf('tools', draft), '');
    assert.deepEqual(turnsOf(textOf('prompt', draft)), draft.prompt);
    assert.equal(turnsOf('[{"role":"user"}]'), null);
    assert.equal(prose('prompt', textOf('prompt', draft)), 'user: Set rice to 4.\n\nassistant: f3 rice 4');
  });

  it('mean the same in whatever order and layout', () => {
    const text = '{"inOrder":true,"kind":"calls"}';
    assert.ok(sameText('evaluation', text, textOf('evaluation', draft)));
    assert.ok(!sameText('evaluation', '{"inOrder":false,"kind":"calls"}', textOf('evaluation', draft)));
    assert.ok(!sameText('evaluation', '{"inOrder":', '{"inOrder": '), 'what cannot be read is only its text');
    assert.ok(!sameText('tools', '[1,2]', '[2,1]'), 'the order of a list counts');
    assert.ok(!sameText('gold', '{"a":1}', '{ "a":1}'), 'a gold is a text');
  });

  it('lose the sampled ids of a turn that says something else', () => {
    const [, turn] = draft.prompt;
    assert.ok(turn !== undefined);
    assert.equal(reworded(turn, 'f3 rice 4'), turn);
    assert.deepEqual(reworded(turn, 'f3 rice 5'), { role: 'assistant', content: 'f3 rice 5', reasoning: 'f3 sets' });
  });

  it('that are typed and not taken over are kept by task and field', () => {
    const pending = new PendingTexts();
    pending.set('a', 'gold', 'x');
    pending.set('a', 'evaluation', '{');
    const again = new PendingTexts(pending.kept);
    assert.equal(again.get('a', 'gold'), 'x');
    again.drop('a', 'gold');
    assert.ok(again.has('a'));
    again.drop('a', 'evaluation');
    assert.ok(!again.has('a'));
    assert.deepEqual(again.kept, []);
  });
});

describe('a selection of tasks', () => {
  it('is some by their ids, or everything that matches', () => {
    const selection = new Selection();
    selection.only(['a', 'b']);
    selection.toggle('a');
    selection.toggle('c');
    assert.deepEqual(selection.wanted, ['b', 'c']);
    assert.equal(selection.size(1_000_000), 2);
    selection.all();
    selection.toggle('a');
    assert.equal(selection.wanted, 'all');
    assert.ok(selection.has('a'));
    assert.equal(selection.size(1_000_000), 1_000_000);
  });
});
