/** Written texts that repeat what is only measured on. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { SharedRuns } from '../../../../src/engine/math/sharedRuns.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import { LadderDomain } from '../../../support/scripted/ladder.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const words = (from: number, length: number): string => Array.from({ length }, (_, i) => `w${from + i}`).join(' ');
const held = { id: 'test.1', text: words(0, 30) };

describe('shared runs of words', () => {
  it('are found wherever they stand, whatever the case and the punctuation', () => {
    const runs = new SharedRuns([held], [], 13);
    assert.deepEqual(runs.find(`before ${words(9, 13).toUpperCase().replaceAll(' ', ', ')}! after`), {
      ...{ id: 'test.1', words: 13 },
    });
    assert.equal(runs.find(`before ${words(9, 12)} after`), null, 'one word less');
    assert.equal(runs.find(words(0, 6) + words(20, 7)), null, 'not in a row');
  });

  it('of a short text are all its words, and of a very short one nothing else may be said', () => {
    const runs = new SharedRuns(
      [
        { id: 'short', text: words(100, 8) },
        { id: 'shorter', text: words(200, 7) },
      ],
      [],
      13,
    );
    assert.deepEqual(runs.find(`now ${words(100, 8)} please`), { id: 'short', words: 8 });
    assert.equal(runs.find(words(100, 7)), null);
    assert.deepEqual(runs.find(words(200, 7)), { id: 'shorter', words: 7 });
    assert.equal(runs.find(`now ${words(200, 7)}`), null);
    assert.equal(runs.find(''), null);
  });

  it('prove nothing where a seed has them, or more than ten measured texts', () => {
    assert.equal(new SharedRuns([held], [`any ${words(9, 13)}`], 13).find(words(9, 13)), null);
    const alike = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ id: `test.${i}`, text: `${words(0, 13)} own${i} ${words(50 + i, 13)}` }));
    assert.equal(new SharedRuns(alike(11), [], 13).find(words(0, 13)), null);
    assert.equal(new SharedRuns(alike(10), [], 13).find(words(0, 13))?.id, 'test.0');
  });

  it('are found exactly where an exhaustive search finds them', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (measured, written) => {
        const runs = new SharedRuns(
          measured.map((all, i) => ({ id: String(i), text: all.join(' ') })),
          [],
          9,
        );
        const spaced = ` ${written.join(' ')} `;
        const shares = measured.some((all) => {
          const size = Math.min(9, all.length);
          if (size < 8) return all.join(' ') === written.join(' ');
          return all.some(
            (_, at) => at + size <= all.length && spaced.includes(` ${all.slice(at, at + size).join(' ')} `),
          );
        });
        assert.equal(runs.find(written.join(' ')) !== null, shares);
      }),
    );
  });
});

describe('what the environment writes and the run measures with', () => {
  const question = words(0, 20);

  /** Written tasks are worded like the first held-out task, with another fingerprint. */
  class Worded extends LadderDomain {
    wording({ prompt }: Pick<Task, 'prompt'>): string {
      const said = JSON.stringify(prompt);
      const [first, ...others] = this.seeds('validation');
      const given = [...this.seeds('base'), ...others].some((task) => JSON.stringify(task.prompt) === said);
      return given || first === undefined ? said : question;
    }
  }

  async function causes(heldOutRun: number | null): Promise<Set<string>> {
    const run = new MemoryRun();
    const experiment = smallExperiment({
      ...{ mode: 'random', epochs: 1, validation: { every: 0 } },
      generation: { families: 2, variations: 2, attempts: 1, heldOutRun },
    });
    await runScripted(experiment, run, { ports: { domain: new Worded() } });
    return new Set(run.tasks.map(({ status, cause = status, note = '' }) => `${cause} ${note}`));
  }

  it('is refused with the task that it repeats, unless the setting is off', async () => {
    const refused = [...(await causes(13))];
    assert.ok(refused.some((cause) => cause.startsWith('held-out It shares 13 words in a row with the held-out task')));
    assert.ok(!refused.some((cause) => cause.startsWith('accepted')), refused.join('\n'));
    const allowed = [...(await causes(null))];
    assert.ok(
      allowed.some((cause) => cause.startsWith('accepted')),
      allowed.join('\n'),
    );
  });
});
