import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { successRate } from '../../../src/engine/math/successRate.ts';
import { GuardFold } from '../../../src/runs/facts/guards/guards.ts';
import { droppedLines } from '../../../src/cli/show/dropped.ts';
import { levelRate } from '../../../src/runs/facts/schedule/levelRate.ts';
import { isFieldPath } from '../../../src/shared/experiment/fields.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { importedOnly, notTrained } from '../../../src/shared/journal/untrained.ts';
import { eventSchema, type EventOf, type JournalEvent } from '../../../src/shared/journal/events.ts';
import { experiment } from '../../support/runs/tempRuns.ts';
import { journalOf } from '../../support/journal.ts';
import type { GuardFinding } from '../../../src/runs/facts/guards/guardFinding.ts';

interface Texts {
  written?: number;
  rejected?: Record<string, number>;
}

const sample = {
  updated: journalOf([{ successes: 5, attempts: 10 }]).find((event) => event.type === 'environment.updated'),
  skipped: journalOf([{ successes: 5, attempts: 10, environment: 'skipped' }]).find(
    (event) => event.type === 'environment.skipped',
  ),
  scored: journalOf([{ successes: 5, attempts: 10 }]).find((event) => event.type === 'families.scored'),
};

const updated = (epoch: number, stoppedBy: EventOf<'environment.updated'>['stoppedBy'] = 'end'): JournalEvent => ({
  ...sample.updated!,
  epoch,
  stoppedBy,
});
const skipped = (epoch: number, reason = 'None of 14 families passed.'): JournalEvent => ({
  ...sample.skipped!,
  epoch,
  reason,
});
/** Families with these successes out of 10 attempts each. */
const scored = (epoch: number, ...successes: number[]): JournalEvent => ({
  ...sample.scored!,
  epoch,
  families: successes.map((count, i) => ({
    ...sample.scored!.families[0]!,
    id: `e${epoch}.f${i}`,
    successRate: count < 0 ? successRate(0, 0) : successRate(count, 10),
  })),
});
/** Its families without the last attempts. */
const cut = (event: JournalEvent): JournalEvent =>
  event.type === 'families.scored'
    ? { ...event, families: event.families.map((family) => ({ ...family, cutOff: 3 })) }
    : event;
const written = (epoch: number, { written: texts = 100, rejected = {} }: Texts): JournalEvent => ({
  v: 1,
  seq: 0,
  at: 0,
  type: 'tasks.generated',
  epoch,
  families: 14,
  written: texts,
  accepted: texts - Object.values(rejected).reduce((sum, count) => sum + count, 0),
  rejected,
  tokens: 1000,
  taskLength: 40,
  seconds: 1,
});

/** A run of what ships, or of a person's own functions. */
const guarded = (mode: 'coevolve' | 'random', own = false): Experiment => {
  const { domain, environment } = experiment;
  return {
    ...{ ...experiment, mode, environment: { ...environment, totalKlCap: null } },
    domain: own ? { ...domain, name: 'file', file: 'sums.domain.ts' } : domain,
  };
};

function fold(events: Iterable<JournalEvent>, mode: 'coevolve' | 'random' = 'coevolve', own = false): GuardFinding[] {
  const guards = new GuardFold([{ parent: null, experiment: guarded(mode, own) }]);
  for (const event of events) guards.add(event);
  const findings = guards.findings();
  for (const { message, remedy, field } of findings) {
    assert.ok(isFieldPath(field), field);
    assert.match(message, /[.!]$/);
    assert.match(remedy, /\.$/);
    assert.doesNotMatch(message + remedy, /NaN|undefined|Infinity/);
  }
  return findings;
}
const names = (findings: readonly GuardFinding[]): string[] => findings.map(({ guard, since }) => `${guard}@${since}`);
/** Everything that was ever said on the way through a journal. */
function everSaid(events: Iterable<JournalEvent>): string[] {
  const guards = new GuardFold([{ parent: null, experiment: guarded('coevolve') }]);
  const said = new Set<string>();
  for (const event of events) {
    guards.add(event);
    for (const name of names(guards.findings())) said.add(name);
  }
  return [...said];
}

describe('guards', () => {
  it('say when the environment is not updated for three epochs, why, and until when', () => {
    const two = [updated(1), skipped(2), skipped(3)];
    assert.deepEqual(fold(two), []);
    const [finding] = fold([...two, skipped(4, 'None of 9 families passed.')]);
    assert.deepEqual([finding?.guard, finding?.since, finding?.field], ['environment-skipped', 2, 'curriculum.kMin']);
    assert.match(finding?.message ?? '', /3 epochs: None of 9 families passed\.$/);
    assert.deepEqual(fold([...two, skipped(4), updated(5)]), []);
    assert.deepEqual(names(fold([...two, updated(4), skipped(5), skipped(6), skipped(7)])), ['environment-skipped@5']);
  });

  it('say nothing of updates that no epoch was due, by a setting or in an imported run', () => {
    for (const reason of [notTrained, importedOnly]) {
      assert.deepEqual(fold([1, 2, 3, 4].map((epoch) => skipped(epoch, reason))), []);
      assert.deepEqual(fold([skipped(1, reason), skipped(2, reason), skipped(3), skipped(4)]), []);
    }
    const experiment = guarded('coevolve');
    const environment = { ...experiment.environment, update: 'none' as const };
    const guards = new GuardFold([{ parent: null, experiment: { ...experiment, environment } }]);
    for (const event of [scored(1, 0, 0), scored(2, 0, 0)]) guards.add(event);
    const [found] = guards.findings();
    assert.equal(found?.field, 'environment.update');
    assert.match(found.remedy, /an environment that is trained adapts them/);
  });

  it('say when every family is solved, or none, for two epochs', () => {
    assert.deepEqual(fold([scored(1, 10, 10)]), []);
    assert.deepEqual(names(fold([scored(1, 10, 9), scored(2, 10, 10), scored(3, 10, 10)])), ['all-solved@2']);
    assert.deepEqual(fold([scored(1, 10, 10), scored(2, 10, 9)]), []);
    assert.deepEqual(names(fold([scored(1, 0, 0), scored(2, 0, 0)])), ['none-solved@1']);
    assert.deepEqual(fold([scored(1, 0, 0), scored(2, 0, 1)]), []);
    // A family without a judged attempt, or an epoch without any, says nothing.
    assert.deepEqual(names(fold([scored(1, 0, -1), scored(2, -1), scored(3, 0)])), ['none-solved@1']);
    assert.equal(fold([scored(1, 0), scored(2, 0)], 'random')[0]?.field, 'mode');
  });

  it('say when the reward or judge fails on half of the attempts for two epochs, not that the filter is too narrow', () => {
    const epoch = (number: number, ...failed: readonly number[]): JournalEvent[] => {
      const finished = journalOf([{ successes: 5, attempts: 10 }]).find((event) => event.type === 'epoch.finished')!;
      return [
        ...failed.map((checkerErrors): JournalEvent => ({
          ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch: number, tasks: 5, rollouts: 20, tokens: 200 },
          ...{ truncated: 0, invalid: checkerErrors, checkerErrors, answerLength: 8, seconds: 1 },
        })),
        scored(number, -1, -1),
        skipped(number),
        { ...finished, epoch: number },
      ];
    };
    assert.deepEqual(fold(epoch(1, 40)), []);
    // Two rounds an epoch: 20 of 40 are half, 19 are fewer.
    assert.deepEqual(names(fold([...epoch(1, 20, 0), ...epoch(2, 20, 0), ...epoch(3, 20, 20)])), ['judge-fails@1']);
    assert.deepEqual(fold([...epoch(1, 20, 20), ...epoch(2, 19, 0), ...epoch(3, 20, 20)]), []);
    const [found] = fold([...epoch(1, 5, 20), ...epoch(2, 20, 11)]);
    assert.match(found?.message ?? '', /failed on 31 of 40 attempts, now for 2 epochs/);
    assert.equal(found?.field, 'domain.file');
  });

  it('count no epochs that another judge measured, as those that a branch shares', () => {
    const change: JournalEvent = {
      ...{ v: 1, seq: 0, at: 0, type: 'settings.changed', epoch: 3, author: 'ada' },
      changes: [{ field: 'reward.file', from: null, to: 'mine.reward.ts' }],
    };
    const solved = [1, 2].map((epoch) => scored(epoch, 10, 10));
    assert.deepEqual(names(fold(solved)), ['all-solved@1']);
    assert.deepEqual(names(fold([...solved, change])), []);
    assert.deepEqual(names(fold([...solved, change, scored(3, 10, 10)])), []);
    assert.deepEqual(names(fold([...solved, change, ...[3, 4].map((epoch) => scored(epoch, 10, 10))])), [
      'all-solved@3',
    ]);
    const finished = journalOf([{ successes: 5, attempts: 10 }]).find((event) => event.type === 'epoch.finished')!;
    const failing = [1, 2].flatMap((epoch): JournalEvent[] => [
      {
        ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch, tasks: 5, rollouts: 20, tokens: 200 },
        ...{ truncated: 0, invalid: 20, checkerErrors: 20, answerLength: 8, seconds: 1 },
      },
      { ...finished, epoch },
    ]);
    assert.deepEqual(names(fold(failing)), ['judge-fails@1']);
    assert.deepEqual(names(fold([...failing, change])), []);
  });

  it('say when a KL cap stops three updates in a row, and which', () => {
    assert.deepEqual(fold([updated(1, 'update-cap'), updated(2, 'update-cap'), updated(3)]), []);
    const capped = [updated(1), updated(2, 'update-cap'), updated(3, 'update-cap'), updated(4, 'update-cap')];
    assert.deepEqual(names(fold(capped)), ['kl-cap@2']);
    assert.equal(fold(capped)[0]?.field, 'environment.updateKlCap');
    assert.equal(fold([...capped, updated(5, 'total-cap')])[0]?.field, 'environment.totalKlCap');
    assert.deepEqual(fold([...capped, skipped(5)]), []);
  });

  it('say when fewer and fewer texts are tasks, not when they never were or only once', () => {
    const good = [1, 2, 3].map((epoch) => written(epoch, { rejected: { schema: 10 } }));
    const bad = (epoch: number) => written(epoch, { rejected: { schema: 40, unparseable: 20 } });
    assert.deepEqual(fold([...good, bad(4)]), []);
    assert.deepEqual(names(fold([...good, bad(4), bad(5)])), ['parse-rate@4']);
    assert.match(fold([...good, bad(4), bad(5)])[0]?.message ?? '', /Only 40 % .* at its best it was 90 %/);
    assert.deepEqual(fold([...good, bad(4), bad(5), written(6, { rejected: { schema: 30 } })]), []);
    assert.deepEqual(fold([1, 2, 3, 4].map(bad)), [], 'bad from the start is no collapse');
    const repeats = [4, 5].map((epoch) => written(epoch, { rejected: { duplicate: 15, schema: 30 } }));
    assert.deepEqual(fold([...good, ...repeats]), [], 'a duplicate is a task');
    const few = [4, 5].map((epoch) => written(epoch, { written: 4, rejected: { schema: 4 } }));
    assert.deepEqual(fold([...good, ...few]), [], 'four texts say nothing');
  });

  it('say when a job judges otherwise than the scorer, until it does not', () => {
    const attempted = (epoch: number, count: number): JournalEvent => {
      const example = `e${epoch}/base.1/r0: the job's reward is 1, the scorer's 0`;
      return {
        ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch, tasks: 8, rollouts: 64, tokens: 640, truncated: 0 },
        ...{ invalid: 0, checkerErrors: 0, answerLength: 8, seconds: 1 },
        ...(count === 0 ? {} : { disagreements: { count, example } }),
      };
    };
    const found = fold([attempted(1, 0), attempted(2, 3), attempted(3, 5)]);
    assert.deepEqual(names(found), ['disagreements@2']);
    assert.match(found[0]?.message ?? '', /judged 5 of 64 attempts .* e3\/base\.1\/r0: the job's reward is 1/);
    assert.deepEqual(fold([attempted(2, 3), attempted(3, 0)]), []);
  });

  it('say when long answers fall out of epochs with spare groups', () => {
    const attempted = (epoch: number, expected: { counted: number; dropped: number }): JournalEvent => ({
      ...{ v: 1, seq: 0, at: 0, type: 'rollouts.finished', epoch, tasks: 8, rollouts: 64, tokens: 640, truncated: 0 },
      ...{ invalid: 0, checkerErrors: 0, answerLength: 8, seconds: 1 },
      dropped: {
        ...{ groups: [{ task: 'e1.f1.v0', attempts: 2, expected: expected.dropped }], attempts: 2, tokens: 60 },
        ...{ left: 6, likely: 180, expected },
      },
    });
    const slow = (epoch: number) => attempted(epoch, { counted: 100, dropped: 140 });
    const events = [slow(1), slow(2)];
    const found = fold(events);
    assert.deepEqual(names(found), ['fast-groups@1']);
    assert.match(found[0]?.message ?? '', /1 of 9 groups .* 140 tokens expected .* have 100/);
    assert.deepEqual(fold([slow(1), attempted(2, { counted: 100, dropped: 110 })]), []);
    const lines = droppedLines(events.filter((event) => event.type === 'rollouts.finished'));
    assert.deepEqual(lines, [
      'fell out   2 groups of 18, 27.3 % of the tokens of attempts; last expected 140 tokens an answer, 100 in those that count: short answers are favoured',
    ]);
    assert.deepEqual(droppedLines([]), []);
  });

  it('take every family alike where some are cut off, and say how many were', () => {
    const none = fold([scored(1, 0, 0), cut(scored(2, 0, 0))]);
    assert.deepEqual(names(none), ['none-solved@1']);
    assert.match(none[0]?.message ?? '', /In the newest epoch 2 of them were cut off \(rollouts\.cutOff\)/);
    assert.doesNotMatch(fold([scored(1, 0, 0), scored(2, 0, 0)])[0]?.message ?? '', /cut off/);
    const uneven = cut(scored(1, 0, 10));
    assert.equal(uneven.type === 'families.scored' && levelRate(uneven), 0.5);
  });

  it('say when duplicates rise, and go on until they are rare again', () => {
    const share = (epoch: number, duplicate: number) => written(epoch, { rejected: { duplicate } });
    const few = [1, 2, 3, 4].map((epoch) => share(epoch, 5));
    const many = [5, 6, 7].map((epoch) => share(epoch, 30));
    assert.deepEqual(fold([...few, ...many.slice(0, 2)]), []);
    assert.deepEqual(names(fold([...few, ...many])), ['duplicates@5']);
    assert.match(fold([...few, ...many])[0]?.message ?? '', /^30 % .* 3 epochs; before that it was 5 %\.$/);
    const on = [8, 9, 10, 11, 12, 13].map((epoch) => share(epoch, 30));
    assert.deepEqual(names(fold([...few, ...many, ...on])), ['duplicates@5']);
    assert.deepEqual(fold([...few, ...many, ...on, share(14, 10)]), []);
    const steady = Array.from({ length: 12 }, (_, i) => share(i + 1, 30));
    assert.deepEqual(fold(steady), [], 'many from the start, and no more than that, is no rise');
    assert.deepEqual(names(fold(Array.from({ length: 3 }, (_, i) => share(i + 1, 60)))), ['duplicates@1']);
  });

  it('say when no text becomes a task, and which function to look at', () => {
    const none = (epoch: number, cause: string) => written(epoch, { written: 40, rejected: { [cause]: 40 } });
    assert.deepEqual(fold([none(1, 'gold')]), [], 'one epoch may be chance');
    const [found] = fold([none(1, 'gold'), none(2, 'gold')]);
    assert.deepEqual([found?.guard, found?.since, found?.field], ['nothing-accepted', 1, 'domain.file']);
    assert.match(found?.message ?? '', /for 2 epochs \(the last one: gold 40\)\.$/);
    assert.match(found?.remedy ?? '', /correct verify of the domain/);
    assert.match(fold([none(1, 'unparseable'), none(2, 'unparseable')])[0]?.remedy ?? '', /correct parse or/);
    assert.deepEqual(fold([none(1, 'gold'), none(2, 'gold'), written(3, { rejected: { gold: 99 } })]), []);
    const few = [1, 2, 3].map((epoch) => written(epoch, { written: 4, rejected: { gold: 4 } }));
    assert.deepEqual(fold(few), [], 'four texts say nothing');
  });

  it('say when a domain of one’s own rejects nothing, or judges all alike, and never of one that ships', () => {
    const all = [1, 2, 3].map((epoch) => written(epoch, {}));
    assert.deepEqual(fold(all), []);
    assert.deepEqual(fold(all.slice(1), 'random', true), [], '200 texts may all be good');
    assert.deepEqual(names(fold(all, 'random', true)), ['nothing-rejected@1']);
    assert.deepEqual(fold([...all, written(4, { rejected: { duplicate: 1 } })], 'random', true), []);
    const rated = (epoch: number, successes: number): JournalEvent => ({
      ...scored(epoch, successes),
      ...{ successRate: successRate(4 * successes, 40), baseSuccessRate: successRate(0, 0) },
    });
    for (const [successes, verb] of [
      [0, 'refuse'],
      [10, 'accept'],
    ] as const) {
      const same = [1, 2].map((epoch) => rated(epoch, successes));
      assert.ok(!names(fold(same)).includes('one-verdict@1'));
      const found = fold(same, 'random', true).find(({ guard }) => guard === 'one-verdict');
      assert.match(found?.message ?? '', new RegExp(`^All 80 judged attempts .* judge may ${verb} every answer\\.$`));
      assert.ok(!names(fold(same.slice(1), 'random', true)).includes('one-verdict@2'), '40 attempts');
      assert.deepEqual(fold([...same, rated(3, 5)], 'random', true), []);
    }
  });

  for (const golden of ['../engine/golden/coevolve.jsonl', '../../cli/golden/embedded.jsonl']) {
    it(`are silent on a run that goes as it should: ${golden}`, () => {
      const text = readFileSync(new URL(golden, import.meta.url), 'utf8');
      const events = text
        .trim()
        .split('\n')
        .map((line) => eventSchema.parse({ at: 0, ...JSON.parse(line) }));
      assert.deepEqual(everSaid(events), []);
    });
  }

  it('says that p̂ in the band may be a mixture of tasks that teach nothing', () => {
    const started = journalOf([{ successes: 5, attempts: 10 }]).find((event) => event.type === 'epoch.started');
    assert.ok(started !== undefined && sample.scored !== undefined);
    const scoredEvent = sample.scored;
    /** 16 tasks of 10 attempts: half of them solved `high` times, half `low` times. */
    const halves = (epoch: number, high: number, low: number): JournalEvent => ({
      ...scoredEvent,
      epoch,
      successRate: successRate(8 * (high + low), 160),
      families: scoredEvent.families.slice(0, 1).map((family) => ({
        ...family,
        successRate: successRate(8 * (high + low), 160),
        tasks: Array.from({ length: 16 }, (_, i) => ({
          ...{ id: `t${i}`, successes: i % 2 === 0 ? high : low, attempts: 10, environmentReward: 1, weight: 0 },
        })),
      })),
    });
    const partly = (event: JournalEvent): JournalEvent =>
      event.type !== 'families.scored'
        ? event
        : {
            ...event,
            families: event.families.map((family) => ({
              ...family,
              tasks: family.tasks.map((task, i) => (i % 4 === 0 ? { ...task, teaches: true } : task)),
            })),
          };
    const three = (high: number, low: number) => [1, 2, 3].map((epoch) => halves(epoch, high, low));
    assert.deepEqual(names(fold([started, ...three(10, 0)])), ['nothing-learnable@1']);
    assert.match(fold([started, ...three(10, 0)])[0]?.message ?? '', /only 0 % of 16 tasks .* 0\.000/);
    assert.deepEqual(names(fold([started, ...three(6, 4)])), [], 'tasks that teach');
    assert.deepEqual(names(fold([started, ...three(10, 0).map(partly)])), [], 'tasks that teach by partial rewards');
    assert.deepEqual(
      names(fold([started, ...three(10, 10)])),
      ['all-solved@1'],
      'out of the band it is another matter',
    );
    assert.deepEqual(names(fold([started, ...three(10, 0).slice(1)])), [], 'two epochs may be chance');
  });
});
