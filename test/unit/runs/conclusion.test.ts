import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import { clusteredRate } from '../../../src/engine/math/written/clusters.ts';
import { outcome } from '../../../src/engine/phases/measuring/validate.ts';
import { Rng } from '../../../src/engine/random.ts';
import { conclude } from '../../../src/runs/facts/conclusion.ts';
import { outcomeTries } from '../../../src/engine/math/paired/taskTries.ts';
import { pairedDifference } from '../../../src/engine/math/paired/proportions.ts';
import { importedOnly, notTrained } from '../../../src/shared/journal/untrained.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf, type EpochScript } from '../../support/journal.ts';

const epochs = (rates: readonly number[], over: Partial<EpochScript> = {}): EpochScript[] =>
  rates.map((p) => ({ successes: Math.round(100 * p), attempts: 100, ...over }));
const outcomes = (solved: number, tasks = 400): string => '1'.repeat(solved) + '0'.repeat(tasks - solved);
const endingWith = (scripts: EpochScript[], validation: string): EpochScript[] =>
  scripts.map((script, index) => (index === scripts.length - 1 ? { ...script, validation } : script));

describe('what a run showed', () => {
  it('tells groups that fell out where a fifth and more did, and may have been longer', () => {
    const journal = journalOf(epochs([0.14, 0.2, 0.3, 0.41, 0.45, 0.5, 0.52, 0.53, 0.52]));
    const withOut = (
      groups: number,
      of: number,
      expected?: { counted: number; dropped: number },
    ): readonly string[] => {
      const dropped = { attempts: groups, tokens: 10 * groups, left: groups, likely: 30 * groups };
      const out = Array.from({ length: groups }, (_, i) => ({ task: `t${i}`, attempts: 1 }));
      const round: JournalEvent = {
        ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch: 1, tasks: of - groups, rollouts: 64, tokens: 640 },
        ...{ truncated: 0, invalid: 0, checkerErrors: 0, answerLength: 8, seconds: 1 },
        dropped: { groups: out, ...dropped, ...(expected && { expected }) },
      };
      return conclude([...journal, round, round]).sentences;
    };
    assert.equal(withOut(1, 5).length, 3);
    assert.equal(withOut(2, 5, { counted: 100, dropped: 110 }).length, 3);
    assert.equal(
      withOut(2, 5)[2],
      '4 of 10 groups of attempts fell out (rollouts.spare), and how long their answers would have been is not known: ' +
        'p̂ and what was learned may lean to tasks that are answered fast.',
    );
    const known = withOut(2, 5, { counted: 100, dropped: 240 });
    assert.equal(
      known[2],
      '4 of 10 groups of attempts fell out (rollouts.spare), with 240 tokens expected an answer where those that count ' +
        'have 100: p̂ and what was learned lean to tasks that are answered fast.',
    );
    assert.match(known[3] ?? '', /^Next: /);
  });

  it('says calibrated and improved when both are shown, with the numbers', () => {
    const rates = [0.14, 0.2, 0.3, 0.41, 0.45, 0.5, 0.52, 0.53, 0.52, 0.49, 0.5, 0.55];
    const shown = conclude(journalOf(endingWith(epochs(rates), outcomes(180)), outcomes(130)));
    assert.equal(shown.calibration, 'held');
    assert.equal(shown.learning, 'improved');
    assert.deepEqual(shown.sentences, [
      'The environment calibrated: p̂ was 0.14 in epoch 1 and lay in the band 0.40–0.60 in 4 of the last 4 epochs ' +
        '(mean p̂ 0.52).',
      'The agent improved on validation: 32.5 % of 400 held-out tasks at the start, 45.0 % after epoch 12: ' +
        '+12.5 points (95 % interval of the paired difference +9.1 to +15.7).',
      'Next: repeat it with other seeds and with mode random at the same budget before crediting the curriculum: ' +
        'one run is one sample.',
    ]);
  });

  it('holds every epoch to the band of its time, and names the bands', () => {
    const before = epochs([0.14, 0.2, 0.3, 0.41, 0.45, 0.5, 0.52, 0.53, 0.52, 0.3]);
    const after = epochs([0.5, 0.3, 0.3], { alpha: 0.3 });
    assert.match(
      conclude(journalOf([...before, ...after])).sentences[0],
      /in part: .* lay in the band in force in 3 of the last 5 epochs \(mean p̂ 0\.38; 0\.40–0\.60 until epoch 10: 1 of 2; 0\.20–0\.40 from epoch 11 on: 2 of 3\)\.$/,
    );
    const within = epochs([0.5, 0.3, 0.3, 0.3], { alpha: 0.3 });
    assert.match(
      conclude(journalOf([...epochs([0.5, 0.5, 0.5, 0.5]), ...within])).sentences[0],
      /^Difficulty stayed in the band 0\.20–0\.40: p̂ was 0\.50 in epoch 1 \(the band was 0\.40–0\.60 then\) and inside in 3 of the last 3 epochs/,
    );
  });

  it('does not credit training when the run began in the band', () => {
    const shown = conclude(journalOf(epochs([0.5, 0.5, 0.48, 0.52, 0.5, 0.51])));
    assert.equal(shown.calibration, 'stayed');
    assert.match(shown.sentences[0], /does not show that training moved it/);
  });

  it('does not credit an environment that was never updated', () => {
    const rates = [0.1, 0.2, 0.3, 0.5, 0.5, 0.5];
    const random = conclude(journalOf(epochs(rates, { environment: 'none' }), undefined, 'random'));
    assert.equal(random.calibration, 'untrained');
    assert.match(random.sentences[0], /not trained \(mode random/);
    assert.match(random.sentences[2], /mode coevolve/);
    const skipped = conclude(journalOf(epochs(rates, { environment: 'skipped' })));
    assert.match(skipped.sentences[0], /all of its 6 updates were skipped/);
    assert.match(skipped.sentences[2], /6 of 6 environment updates were skipped/);
    const because = (reason: string): readonly string[] =>
      conclude(
        journalOf(epochs(rates, { environment: 'skipped' })).map((event) =>
          event.type === 'environment.skipped' ? { ...event, reason } : event,
        ),
      ).sentences;
    const [none = '', , next = ''] = because(notTrained);
    assert.match(none, /^The environment was not trained \(environment\.update none keeps it as it was\)/);
    assert.match(next, /^Next: run the same experiment with environment\.update "rwr"/);
    const [imported = '', , more = ''] = because(importedOnly);
    assert.match(imported, /^The environment was not trained \(the run was imported\)/);
    assert.match(more, /^Next: make seed tasks of the original file/);
  });

  it('says too hard, too easy or both when the band was missed', () => {
    assert.match(conclude(journalOf(epochs([0.1, 0.1, 0.12, 0.1, 0.2, 0.1]))).sentences[0], /were too hard\./);
    assert.match(conclude(journalOf(epochs([0.1, 0.1, 0.12, 0.9, 0.8, 0.9]))).sentences[0], /were too easy\./);
    const swings = conclude(journalOf(epochs([0.1, 0.9, 0.1, 0.9, 0.1, 0.9])));
    assert.equal(swings.calibration, 'missed');
    assert.match(swings.sentences[0], /now too hard, now too easy/);
  });

  it('calls a course that comes and goes partly calibrated', () => {
    assert.equal(conclude(journalOf(epochs([0.1, 0.2, 0.3, 0.5, 0.2, 0.5]))).calibration, 'partly');
  });

  it('claims nothing from few epochs', () => {
    const shown = conclude(journalOf(epochs([0.1, 0.5])));
    assert.equal(shown.calibration, 'unknown');
    assert.match(shown.sentences[0], /0\.10, 0\.50/);
    assert.match(shown.sentences[2], /at least 18 epochs/);
    assert.equal(conclude([]).calibration, 'unknown');
  });

  it('says when no generated task was ever attempted', () => {
    const shown = conclude(journalOf(Array.from({ length: 5 }, () => ({ successes: 0, attempts: 0 }))));
    assert.equal(shown.calibration, 'unknown');
    assert.match(shown.sentences[0], /No generated task was attempted in 5 epochs/);
    assert.match(shown.sentences[2], /rejected/);
  });

  it('tells attempts without a verdict from tasks that were not attempted', () => {
    const journal = journalOf([{ successes: 0, attempts: 0 }]);
    const broken: EventOf<'rollouts.finished'> = {
      ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch: 1, tasks: 6, rollouts: 24, tokens: 90 },
      ...{ truncated: 0, invalid: 24, checkerErrors: 24, answerLength: 4, seconds: 1 },
    };
    const { sentences } = conclude([...journal, broken]);
    assert.match(sentences[0], /^The reward or judge gave no verdict on 24 of 24 attempts/);
    assert.match(sentences[2], /^Next: read the error in a trace/);
  });

  it('names the budget that ended an epoch before its tasks were attempted, and blames no text', () => {
    const journal = journalOf([{ successes: 0, attempts: 0 }]);
    const written = (accepted: number): EventOf<'tasks.generated'> => ({
      ...{ v: 1, seq: 0, at: 0, type: 'tasks.generated', epoch: 1, families: 3, written: 6, accepted },
      ...{ rejected: accepted === 0 ? { schema: 6 } : {}, tokens: 900, taskLength: null, seconds: 1 },
    });
    const cut: EventOf<'rollouts.finished'> = {
      ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch: 1, tasks: 6, rollouts: 0, tokens: 0 },
      ...{ truncated: 0, invalid: 0, checkerErrors: 0, answerLength: null, seconds: 1 },
      cut: { by: 'cost', budget: 1, left: 24 },
    };
    const { sentences } = conclude([...journal, written(6), cut]);
    assert.match(sentences[0], /^No generated task was attempted before budget\.cost was used up/);
    assert.match(sentences[2], /^Next: raise budget\.cost, or lower generation\.families/);
    assert.match(conclude([...journal, written(0)]).sentences[2], /every text .* was rejected/);
    assert.doesNotMatch(conclude([...journal, written(6)]).sentences[2], /rejected/);
  });

  it('claims no improvement whose interval holds zero, and says when the agent got worse', () => {
    const rates = [0.14, 0.3, 0.5, 0.5, 0.5, 0.5];
    // 130 → 136 by 30 gained and 24 lost.
    const shuffled = '0'.repeat(24) + '1'.repeat(106) + '1'.repeat(30) + '0'.repeat(240);
    const unclear = conclude(journalOf(endingWith(epochs(rates), shuffled), outcomes(130)));
    assert.equal(unclear.learning, 'unclear');
    assert.match(unclear.sentences[1], /cannot be told from chance: .*\+1\.5 points/);
    const worse = conclude(journalOf(endingWith(epochs(rates), outcomes(90)), outcomes(130)));
    assert.equal(worse.learning, 'worse');
    assert.match(worse.sentences[1], /−10\.0 points/);
    assert.match(worse.sentences[2], /learningRate/);
  });

  it('says so when learning was not measured or the agent was frozen', () => {
    const rates = [0.14, 0.3, 0.5, 0.5, 0.5, 0.5];
    assert.match(conclude(journalOf(epochs(rates))).sentences[1], /never validated/);
    assert.match(conclude(journalOf(epochs(rates), outcomes(130))).sentences[1], /validated only once/);
    const changed = journalOf(endingWith(epochs(rates), outcomes(90, 200)), outcomes(130));
    assert.match(conclude(changed).sentences[1], /held-out tasks changed/);
    const frozen = journalOf(endingWith(epochs(rates, { agent: 'none' }), outcomes(130)), outcomes(130));
    assert.match(conclude(frozen).sentences[1], /not trained; it solved 32\.5 % of 400/);
  });

  it('follows a band that was changed on the way', () => {
    const rates = epochs([0.14, 0.2, 0.3, 0.3, 0.3, 0.3]);
    const moved = rates.map((script, index) => (index < 3 ? script : { ...script, alpha: 0.3 }));
    const shown = conclude(journalOf(moved));
    assert.equal(shown.calibration, 'held');
    assert.match(shown.sentences[0], /band 0\.20–0\.40/);
  });
});

describe('what a branch under another reward showed', () => {
  const note = 'reward.file changed with epoch 5: what was measured before is not compared.';
  const run = (...later: (string | undefined)[]) => {
    const scripts = epochs([0.1, 0.1, 0.1, 0.1, ...later.map(() => 0.5)]);
    const validated = [outcomes(400), outcomes(400), outcomes(400), outcomes(400), ...later];
    return conclude(
      journalOf(
        scripts.map((script, i) => ({
          ...script,
          ...(validated[i] !== undefined && { validation: validated[i] }),
          ...(i === 4 && { changed: ['reward.file'] }),
        })),
        outcomes(400),
      ),
    );
  };

  it('covers only the epochs measured alike', () => {
    const shown = run(outcomes(100), outcomes(120));
    assert.equal(shown.learning, 'improved');
    assert.match(
      shown.sentences[1],
      /: 25\.0 % of 400 held-out tasks after epoch 5, 30\.0 % after epoch 6: \+5\.0 points/,
    );
    assert.equal(
      shown.sentences[0],
      `2 epochs cannot show whether the environment calibrates: p̂ was 0.50, 0.50. ${note}`,
    );
  });

  it('is nothing before it was validated twice', () => {
    assert.equal(run(outcomes(100)).learning, 'unmeasured');
    assert.match(run(outcomes(100)).sentences[1], /validated only once\.$/);
    assert.match(run(undefined).sentences[1], /it was not validated since\.$/);
  });

  it('names everything once that changed at once', () => {
    const scripts = epochs([0.5, 0.5], { validation: outcomes(100) });
    const changed = scripts.map((one) => ({ ...one, changed: ['reward.file', 'validation.rollouts'] }));
    const [calibration, learning] = conclude(journalOf(changed.slice(0, 1), outcomes(400))).sentences;
    assert.match(calibration, / reward\.file, validation\.rollouts changed with epoch 1: what was measured before/);
    assert.match(learning, /validated only once\.$/);
  });

  it('says which of them validations alone were measured by', () => {
    const [before, after] = [epochs([0.5, 0.5, 0.5]), epochs([0.5, 0.5, 0.5], { validation: outcomes(100) })];
    const changed = after.map((script, i) => (i === 0 ? { ...script, changed: ['validation.temperature'] } : script));
    const [calibration, learning] = conclude(journalOf([...before, ...changed], outcomes(400))).sentences;
    assert.match(calibration, /^Difficulty stayed in the band .*moved it\.$/);
    assert.match(
      learning,
      /after epoch 4, .*\. validation\.temperature changed with epoch 4: what was measured before/,
    );
  });
});

describe('what several attempts a task showed', () => {
  const validated = (epoch: number, k: number, n: number, told: boolean): JournalEvent => ({
    ...{ v: 1, seq: 100 + epoch, at: 0, type: 'validated', epoch, version: `agent@${epoch}` },
    successRate: clusteredRate(new Array(40).fill({ successes: k, attempts: n }), 0.7),
    outcomes: outcome(k, n).repeat(40),
    ...(told && { tries: Array.from({ length: 40 }, (): [number, number] => [k, n]) }),
    ...{ truncated: 0, answerLength: 10, tokens: 1, seconds: 1 },
  });
  const run = (from: number, to: number, n: number, told = true) => {
    const events = journalOf(epochs([0.5]));
    const both = [validated(0, from, n, told), validated(1, to, n, told)];
    const fold = new EpochFold();
    for (const event of [...events, ...both]) fold.add(event);
    return { shown: conclude([...events, ...both]), row: fold.validation(1) };
  };

  it('counts attempts, not what most of them did', () => {
    // From 0 of 4 to 2 of 4: by the majority nothing is learned. From 1 of 2 to 2 of 2: twice as much.
    for (const [from, to, n, then] of [
      [0, 2, 4, '0.0'],
      [1, 2, 2, '50.0'],
    ] as const) {
      const { shown, row } = run(from, to, n);
      assert.equal(shown.learning, 'improved');
      assert.match(shown.sentences[1], new RegExp(`: ${then} % of the attempts at 40 .*: \\+50\\.0 points`));
      assert.deepEqual([row?.change?.difference, row?.change?.gained, row?.change?.single], [0.5, 40, false]);
    }
  });

  it('is no change where an older version journaled the majority alone', () => {
    const { shown, row } = run(0, 2, 4, false);
    assert.equal(shown.learning, 'unmeasured');
    assert.match(shown.sentences[1], /of an older version, does not tell how often each held-out task was solved\.$/);
    assert.deepEqual([row?.change, row?.unpaired, row?.against], [null, 'attempts', 0]);
    assert.equal(run(0, 1, 1, false).shown.learning, 'improved', 'one attempt a task was always told');
  });
});

describe('paired difference', () => {
  it('is the Bonett–Price interval', () => {
    // 50 gained, 0 lost of 400: (51/402 − 1/402) ± 1.96 √((52/402 − (50/402)²)/402).
    const paired = pairedDifference(outcomeTries(outcomes(130)), outcomeTries(outcomes(180)));
    assert.ok(paired);
    assert.equal(paired.difference, 0.125);
    assert.ok(Math.abs(paired.low - 0.0914) < 1e-4, `${paired.low}`);
    assert.ok(Math.abs(paired.high - 0.1574) < 1e-4, `${paired.high}`);
  });

  it('of shares of attempts is as wide as they differ, and never without width', () => {
    const tries = (...solved: number[]) => solved.map((successes) => ({ successes, attempts: 4 }));
    const alike = pairedDifference(tries(...new Array<number>(40).fill(0)), tries(...new Array<number>(40).fill(2)));
    assert.ok(alike);
    assert.deepEqual([alike.difference, alike.gained, alike.lost, alike.single], [0.5, 40, 0, false]);
    assert.ok(
      alike.low > 0.4 && alike.low < 0.49 && alike.high >= 0.5 && alike.high < 0.56,
      `${alike.low} ${alike.high}`,
    );
    // 1/4 more at one of two tasks, as much less at the other: ±1.96 √((2/16 + 2/4)/4/4).
    const spread = pairedDifference(tries(1, 2), tries(2, 1));
    assert.deepEqual([spread?.difference, spread?.gained, spread?.lost], [0, 1, 1]);
    assert.ok(Math.abs((spread?.high ?? 0) - 1.96 * Math.sqrt(0.625 / 16)) < 1e-4, `${spread?.high}`);
  });

  it('covers the true difference of noisy attempts, at small sets too', () => {
    const rng = Rng.from(7, 'coverage');
    const drawn = (p: number): number => [0, 0, 0, 0].filter(() => rng.next() < p).length;
    for (const tasks of [10, 40]) {
      let covered = 0;
      for (let run = 0; run < 400; run++) {
        const rates = Array.from({ length: tasks }, () => rng.next());
        const of = (by: number) => rates.map((p) => ({ successes: drawn(by * p), attempts: 4 }));
        const paired = pairedDifference(of(1), of(0.6));
        // E(0.6p − p) = −0.2.
        covered += Number(paired !== null && paired.low <= -0.2 && -0.2 <= paired.high);
      }
      assert.ok(covered >= 372, `${covered} of 400 at ${tasks} tasks`);
    }
  });

  it('is null for sets that differ and for empty ones', () => {
    assert.equal(pairedDifference(outcomeTries('11'), outcomeTries('1')), null);
    assert.equal(pairedDifference(outcomeTries(''), outcomeTries('')), null);
  });

  it('is antisymmetric and holds what it measured', () => {
    const bits = fc.integer({ min: 1, max: 60 }).chain((length) => {
      const side = fc.array(fc.constantFrom('0', '1'), { minLength: length, maxLength: length });
      return fc.tuple(side, side).map(([a, b]) => [a.join(''), b.join('')] as const);
    });
    fc.assert(
      fc.property(bits, ([a, b]) => {
        const there = pairedDifference(outcomeTries(a), outcomeTries(b));
        const back = pairedDifference(outcomeTries(b), outcomeTries(a));
        assert.ok(there && back);
        assert.ok(Math.abs(there.difference + back.difference) < 1e-12 && Math.abs(there.low + back.high) < 1e-12);
        assert.ok(there.low <= there.difference && there.difference <= there.high);
        assert.equal(there.after - there.before, there.gained - there.lost);
      }),
    );
  });
});
