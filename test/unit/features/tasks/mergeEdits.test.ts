/** Three versions of a task: as it was, as it is here, as it is on the disk. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeEdit, placesNow } from '../../../../src/features/tasks/node/unsaved/mergeEdits.ts';
import {
  isSame,
  pick,
  valueNames,
  type TaskPart,
  type TaskValues,
} from '../../../../src/features/tasks/node/taskValues.ts';

const values: fc.Arbitrary<TaskValues> = fc.record({
  prompt: fc.constantFrom('one', 'two', 'three').map((content) => [{ role: 'user' as const, content }]),
  tools: fc.constant(null),
  evaluation: fc.constantFrom('exact', 'storekeeper').map((kind) => ({ kind })),
  gold: fc.constantFrom('a', 'b', 'c', null),
  plan: fc.constantFrom('', 'steps 3'),
  excluded: fc.constantFrom(null, 'dull', 'wrong'),
  tags: fc.subarray(['odd', 'old', 'new']),
});
/** The edits that lead from one to the other: a changed prompt takes its plan with it. */
function edited(base: TaskValues, mine: TaskValues): { before: TaskPart; after: TaskPart } {
  const names = valueNames.filter((name) => !isSame(base[name], mine[name]) && name !== 'plan');
  const all = names.includes('prompt') ? ([...names, 'plan'] as const) : names;
  return { before: pick(base, all), after: pick(mine, all) };
}

describe('three versions of a task', () => {
  it('lose no edit: what only one side changed is as that side left it, and what both changed is to be decided', () => {
    fc.assert(
      fc.property(values, values, values, (base, mine, theirs) => {
        const edit = edited(base, mine);
        const { before, after, undecided } = mergeEdit({ ...edit, undecided: [] }, theirs);
        const merged = { ...theirs, ...after };
        for (const name of ['prompt', 'evaluation', 'gold', 'excluded'] as const) {
          const [here, there] = [!isSame(base[name], mine[name]), !isSame(base[name], theirs[name])];
          const apart = here && there && !isSame(mine[name], theirs[name]);
          assert.equal(undecided.includes(name), apart, name);
          // Mine is shown until it is decided.
          assert.deepEqual(merged[name], here ? mine[name] : theirs[name], name);
        }
        for (const name of Object.keys(after)) assert(name in before, 'each step can be taken back');
        assert.deepEqual(
          before,
          pick(
            theirs,
            valueNames.filter((name) => name in before),
          ),
        );
      }),
    );
  });

  it('are no conflict where both made the same edit', () => {
    fc.assert(
      fc.property(values, values, (base, mine) => {
        const { after, undecided } = mergeEdit({ ...edited(base, mine), undecided: [] }, mine);
        assert.deepEqual([after, undecided], [{}, []]);
      }),
    );
  });

  it('merge to mine over an unchanged disk', () => {
    fc.assert(
      fc.property(values, values, (base, mine) => {
        const edit = edited(base, mine);
        const merged = mergeEdit({ ...edit, undecided: [] }, base);
        assert.deepEqual(merged.undecided, []);
        assert.deepEqual({ ...base, ...merged.after }, { ...base, ...edit.after });
      }),
    );
  });

  it('merge tags one by one, never to be decided', () => {
    const theirs = (tags: string[]): TaskValues => ({
      ...{ prompt: [], tools: null, evaluation: { kind: 'exact' }, gold: null, plan: '', excluded: null, tags },
    });
    const edit = { before: { tags: ['a', 'b'] }, after: { tags: ['b', 'mine'] }, undecided: [] };
    assert.deepEqual(mergeEdit(edit, theirs(['a', 'b', 'theirs'])).after, { tags: ['b', 'theirs', 'mine'] });
    assert.deepEqual(mergeEdit(edit, theirs(['b', 'mine'])).after, {});
  });

  it('stay to be decided when the disk changes once more, until both are the same', () => {
    const theirs: TaskValues = {
      ...{ prompt: [], tools: null, evaluation: { kind: 'exact' }, gold: 'theirs', plan: '', excluded: null, tags: [] },
    };
    const edit = { before: { gold: 'theirs' }, after: { gold: 'mine' }, undecided: ['gold' as const] };
    assert.deepEqual(mergeEdit(edit, theirs).undecided, ['gold']);
    assert.deepEqual(mergeEdit(edit, { ...theirs, gold: 'mine' }).undecided, []);
  });
});

describe('the places of edited tasks in a file written anew', () => {
  it('are found by id, at the same line first, each once', () => {
    const edit = (row: number, key: string) => ({ row, key });
    const rows = (...keys: string[]) => ({ count: keys.length, keyOf: (row: number) => keys[row] });
    assert.deepEqual(placesNow([edit(0, 'a'), edit(2, 'c')], rows('new', 'a', 'c')), [1, 2]);
    assert.deepEqual(placesNow([edit(0, 'a'), edit(1, 'a')], rows('a', 'x', 'a')), [0, 2], 'two of one id');
    assert.deepEqual(placesNow([edit(0, 'a'), edit(1, 'a')], rows('x', 'a')), [null, 1]);
    assert.deepEqual(placesNow([edit(1, 'b')], rows('a')), [null]);
  });
});
