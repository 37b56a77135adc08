/** The guards over a run's course, on simulated runs: how often they are silent on healthy ones, how often they speak. */
import assert from 'node:assert/strict';
import { betaBinomial } from '../../../src/engine/math/betaBinomial.ts';
import { epochRates } from '../../../src/engine/math/written/clusters.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { GuardFinding } from '../../../src/runs/facts/guards/guardFinding.ts';
import { GuardFold } from '../../../src/runs/facts/guards/guards.ts';
import { isFieldPath } from '../../../src/shared/experiment/fields.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import { journalOf } from '../../support/journal.ts';
import { normal } from '../../support/normal.ts';
import { experiment } from '../../support/runs/tempRuns.ts';

/** A run that trains its environment under this cap of the KL. */
const capped = (totalKlCap: number | null): Experiment => ({
  ...experiment,
  ...{ mode: 'coevolve', environment: { ...experiment.environment, totalKlCap } },
});

const guardsOf = (cap: number | null): GuardFold => new GuardFold([{ parent: null, experiment: capped(cap) }]);

/** The truth of an epoch. */
interface Truth {
  p: number;
  /** Mean steps of its tasks. */
  steps: number;
  kl: number;
  agent: number;
  environment: number;
}

interface World {
  families: number;
  epochs: number;
  cap: number | null;
  truth: (epoch: number, rng: Rng) => Truth;
}

const [template] = [journalOf([{ successes: 5, attempts: 10 }])];
const of = <T extends JournalEvent['type']>(type: T): EventOf<T> => {
  const found = template.find((event): event is EventOf<T> => event.type === type);
  assert.ok(found !== undefined);
  return found;
};
const started = of('epoch.started');
const scored = of('families.scored');
const agent = of('agent.updated');
const environment = of('environment.updated');
const finished = of('epoch.finished');
const [family] = scored.families;

const attempts = 8;
const variations = 4;
/** Steps of an epoch's families differ by this. */
const deviation = 1.5;

/** A number 0 … n that is drawn with these weights. */
function drawn(weights: readonly number[], rng: Rng): number {
  let left = rng.next();
  for (let at = 0; at < weights.length; at++) if ((left -= weights[at] ?? 0) < 0) return at;
  return weights.length - 1;
}

/** Of a task's successes, where its family's rate is so many fortieths. */
const withinFamilies = Array.from({ length: 41 }, (_, k) =>
  betaBinomial(attempts, Math.min(0.98, Math.max(0.02, k / 40)), 0.5),
);

/** One epoch: families differ by a correlation of 0.25, their tasks by one of 0.5. */
function eventsOf(epoch: number, truth: Truth, { families, cap }: World, rng: Rng): JournalEvent[] {
  assert.ok(family !== undefined);
  const between = betaBinomial(40, truth.p, 0.25);
  const counts = Array.from({ length: families }, () => {
    const within = withinFamilies[drawn(between, rng)] ?? [];
    return Array.from({ length: variations }, () => ({ successes: drawn(within, rng), attempts }));
  });
  const rates = epochRates(counts);
  const at = { epoch };
  return [
    { ...started, ...at, settings: { alpha: 0.5, beta: 10, lambda: 3, kMin: 0.25 } },
    {
      ...{ ...scored, ...at, successRate: rates.epoch },
      families: counts.map((tasks, i) => ({
        ...{ ...family, id: `e${epoch}.f${i}` },
        successRate: rates.families[i] ?? family.successRate,
        complexity: { steps: Math.max(1, Math.round(truth.steps + deviation * normal(rng))) },
        tasks: tasks.map((task, j) => ({ ...task, id: `e${epoch}.f${i}.v${j}`, environmentReward: 1, weight: 0 })),
      })),
    },
    { ...agent, ...at, entropy: truth.agent },
    {
      ...{ ...environment, ...at, entropy: truth.environment, kl: { update: 0.01, initial: truth.kl } },
      stoppedBy: cap !== null && truth.kl > cap ? 'total-cap' : 'end',
    },
    { ...finished, ...at },
  ];
}

const course = ['oscillation', 'drift', 'plateau', 'agent-entropy', 'environment-entropy'];

/** Which guards over the course ever spoke, and in which epoch first. */
function said(world: World, run: number): Map<string, { epoch: number; finding: GuardFinding }> {
  const rng = Rng.from('course', run, world.families, world.epochs);
  const guards = guardsOf(world.cap);
  const first = new Map<string, { epoch: number; finding: GuardFinding }>();
  for (let epoch = 1; epoch <= world.epochs; epoch++) {
    for (const event of eventsOf(epoch, world.truth(epoch, rng), world, rng)) guards.add(event);
    for (const finding of guards.findings()) {
      if (course.includes(finding.guard) && !first.has(finding.guard)) first.set(finding.guard, { epoch, finding });
    }
  }
  return first;
}

/** A guard's first finding, and its finding at the end. */
function lastSaid(world: World, guard: string): { first: GuardFinding | null; now: GuardFinding | null } {
  const rng = Rng.from('course', 'last');
  const guards = guardsOf(world.cap);
  let first: GuardFinding | null = null;
  let now: GuardFinding | null = null;
  for (let epoch = 1; epoch <= world.epochs; epoch++) {
    for (const event of eventsOf(epoch, world.truth(epoch, rng), world, rng)) guards.add(event);
    now = guards.findings().find((finding) => finding.guard === guard) ?? null;
    first ??= now;
  }
  if (first !== null) {
    assert.ok(isFieldPath(first.field), first.field);
    assert.match(first.message, /[.!]$/);
    assert.match(first.remedy, /\.$/);
    assert.doesNotMatch(first.message + first.remedy, /NaN|undefined|Infinity/);
  }
  return { first, now };
}

const runs = 40;
/** Of so many runs, the share in which a guard spoke. */
const share = (guard: string, world: World): number =>
  Array.from({ length: runs }, (_, run) => said(world, run)).filter((first) => first.has(guard)).length / runs;

/** Both policies get better: difficulty grows, p̂ wanders around α, entropies fall to a third, the KL levels off. */
const healthy =
  (growth: number, wander: number) =>
  (epoch: number, rng: Rng): Truth => ({
    p: 0.5 + wander * Math.sin(epoch / 15) + 0.03 * normal(rng),
    steps: 3 + growth * epoch,
    kl: 0.03 * (1 - Math.exp(-epoch / 10)) + 0.002 * normal(rng),
    agent: 0.5 * Math.exp(-epoch / 50),
    environment: 0.9 * Math.exp(-epoch / 60),
  });
const world = (families: number, truth: World['truth'], cap: number | null = 0.06, epochs = 60): World => ({
  ...{ families, epochs, cap, truth },
});

describe('the guards over a run’s course', function () {
  this.timeout(120_000);

  it('are silent on healthy runs: 160 simulated ones of 60 epochs, at most 2 alarms', () => {
    const worlds = [14, 64].flatMap((families) => [0, 0.1].map((wander) => world(families, healthy(0.08, wander))));
    const alarms = worlds.flatMap((one) =>
      Array.from({ length: runs }, (_, run) => said(one, run)).flatMap((first) => [...first.keys()]),
    );
    assert.ok(alarms.length <= 2, alarms.join(', '));
  });

  describe('oscillation', () => {
    const swinging = (families: number, size: number, period: number): World =>
      world(
        families,
        (epoch, rng) => ({
          ...healthy(0.08, 0)(epoch, rng),
          p: 0.5 + size * Math.sin((2 * Math.PI * epoch) / period),
        }),
        0.06,
        36,
      );

    it('is told of swings beyond half of the band: by 0.25 in 95 of 100 runs, by 0.2 in 80', () => {
      for (const families of [14, 64]) {
        for (const period of [6, 10]) {
          assert.ok(share('oscillation', swinging(families, 0.25, period)) >= 0.95, `0.25, ${families}, ${period}`);
          assert.ok(share('oscillation', swinging(families, 0.2, period)) >= 0.8, `0.2, ${families}, ${period}`);
        }
      }
    });

    it('is not told of swings within half of the band, nor of one climb', () => {
      assert.ok(share('oscillation', swinging(64, 0.08, 8)) <= 0.05);
      const climb = world(64, (epoch, rng) => ({ ...healthy(0.08, 0)(epoch, rng), p: 0.1 + (0.8 * epoch) / 60 }));
      assert.equal(share('oscillation', climb), 0);
    });

    it('is over when the swings are, and says what to change', () => {
      const calm = world(64, (epoch, rng) => ({
        ...healthy(0.08, 0)(epoch, rng),
        p: epoch > 24 ? 0.5 : 0.5 + 0.3 * Math.sin((2 * Math.PI * epoch) / 6),
      }));
      const { now, first } = lastSaid({ ...calm, epochs: 45 }, 'oscillation');
      assert.equal(now, null);
      assert.ok(first !== null);
      assert.equal(first.field, 'environment.learningRate');
      assert.match(first.message, /^p̂ swings around α = 0\.5: within 16 epochs it went 3 times from clearly above/);
    });
  });

  describe('drift', () => {
    const drifting = (pace: number, noise: number): World =>
      world(14, (epoch, rng) => ({ ...healthy(0.08, 0)(epoch, rng), kl: pace * epoch + noise * normal(rng) }));
    const levelling = (level: number, noise: number): World =>
      world(14, (epoch, rng) => ({
        ...healthy(0.08, 0)(epoch, rng),
        kl: 0.06 * (level * (1 - Math.exp(-epoch / 8)) + noise * normal(rng)),
      }));

    it('is told before the cap of 0.06 is reached, in 8 of 10 runs and more', () => {
      for (const [pace, noise] of [
        [0.001, 0],
        [0.001, 0.001],
        [0.002, 0.002],
        [0.004, 0.001],
      ] as const) {
        const firsts = Array.from({ length: runs }, (_, run) => said(drifting(pace, noise), run).get('drift'));
        const before = firsts.filter((first) => first !== undefined && first.epoch * pace <= 0.06 + 2 * noise);
        assert.ok(before.length >= 0.8 * runs, `${pace} ± ${noise}: ${before.length} of ${runs}`);
      }
    });

    it('is not told where the KL levels off at 60 % of the cap, nor without a cap', () => {
      for (const noise of [0.02, 0.05]) assert.ok(share('drift', levelling(0.6, noise)) <= 0.05);
      assert.equal(share('drift', { ...drifting(0.002, 0), cap: null }), 0);
    });

    it('says how far it is and when it is there, and ends where the cap stops updates', () => {
      const { now, first } = lastSaid({ ...drifting(0.002, 0), epochs: 40 }, 'drift');
      assert.equal(now, null);
      assert.match(
        first?.message ?? '',
        /rises steadily and is 0\.046 nats per token, 77 % of environment\.totalKlCap\. At this pace it is there in 7 updates/,
      );
    });

    it('follows a cap that a person sets', () => {
      const guards = guardsOf(null);
      const rng = Rng.from('course', 'cap');
      const one = drifting(0.002, 0);
      const add = (epoch: number): void => {
        for (const event of eventsOf(epoch, one.truth(epoch, rng), one, rng)) guards.add(event);
      };
      for (let epoch = 1; epoch <= 24; epoch++) add(epoch);
      assert.ok(!guards.findings().some(({ guard }) => guard === 'drift'));
      const changes = [{ field: 'environment.totalKlCap', from: null, to: 0.06 }];
      guards.add({ v: 1, seq: 0, at: 0, type: 'settings.changed', epoch: 25, changes, author: 'a person' });
      add(25);
      assert.ok(guards.findings().some(({ guard }) => guard === 'drift'));
    });

    it('uses the branch’s own cap, not one that its parent was given', () => {
      for (const [cap, told] of [
        [0.06, true],
        [null, false],
      ] as const) {
        const parent = { run: 'before', epoch: 20 };
        const guards = new GuardFold([
          { parent, experiment: capped(cap) },
          { parent: null, experiment: capped(0.06) },
        ]);
        const rng = Rng.from('course', 'branch');
        const one = drifting(0.002, 0);
        const changes = [{ field: 'environment.totalKlCap', from: 0.06, to: cap === null ? 0.05 : null }];
        guards.add({ v: 1, seq: 0, at: 0, type: 'settings.changed', epoch: 10, changes, author: 'a person' });
        for (let epoch = 1; epoch <= 25; epoch++) {
          for (const event of eventsOf(epoch, one.truth(epoch, rng), one, rng)) guards.add(event);
        }
        assert.equal(
          guards.findings().some(({ guard }) => guard === 'drift'),
          told,
        );
      }
    });
  });

  describe('plateau', () => {
    it('is told of difficulty that stands still or falls, in 95 of 100 runs', () => {
      for (const families of [14, 64]) {
        for (const growth of [-0.02, 0]) {
          assert.ok(share('plateau', world(families, healthy(growth, 0))) >= 0.95, `${families}, ${growth}`);
        }
      }
    });

    it('is not told of difficulty that grows by a deviation of its families in 20 epochs, nor out of the band', () => {
      for (const families of [14, 64]) assert.ok(share('plateau', world(families, healthy(0.08, 0.1))) <= 0.05);
      const easy = world(14, (epoch, rng) => ({ ...healthy(0, 0)(epoch, rng), p: 0.95 }));
      assert.equal(share('plateau', easy), 0);
    });

    it('is not told of a measure that never changes', () => {
      const guards = guardsOf(null);
      const rng = Rng.from('course', 'same');
      const one = world(14, healthy(0, 0));
      for (let epoch = 1; epoch <= 30; epoch++) {
        for (const event of eventsOf(epoch, one.truth(epoch, rng), one, rng)) {
          if (event.type !== 'families.scored') guards.add(event);
          else {
            const families = event.families.map((own) => ({ ...own, complexity: { questions: 1 } }));
            guards.add({ ...event, families });
          }
        }
      }
      assert.ok(!guards.findings().some(({ guard }) => guard === 'plateau'));
    });

    it('says by how much tasks changed, and of which measure', () => {
      const { first } = lastSaid(world(14, healthy(0, 0)), 'plateau');
      assert.match(
        first?.message ?? '',
        /^p̂ stays in the band \(0\.\d\d over 20 epochs\), but tasks do not get harder: steps \d.* on average; at the same success/,
      );
      assert.equal(first?.field, 'agent.learningRate');
    });
  });

  describe('entropy', () => {
    const falling = (policy: 'agent' | 'environment', to: number): World =>
      world(14, (epoch, rng) => ({
        ...healthy(0.08, 0)(epoch, rng),
        [policy]: Math.max(to, 0.5 * Math.exp(-epoch / 4)) * (1 + 0.05 * normal(rng)),
      }));

    it('is told of either policy whose entropy is gone, three updates after', () => {
      for (const policy of ['agent', 'environment'] as const) {
        const world = falling(policy, 0.005);
        assert.equal(share(`${policy}-entropy`, world), 1);
        const { first } = lastSaid(world, `${policy}-entropy`);
        assert.match(
          first?.message ?? '',
          new RegExp(`^The ${policy}’s entropy has fallen to 0\\.0\\d+ nats per token, from 0\\.\\d+`),
        );
      }
    });

    it('is not told of one that falls to a twentieth and stays there', () => {
      for (const policy of ['agent', 'environment'] as const) {
        assert.equal(share(`${policy}-entropy`, falling(policy, 0.03)), 0);
      }
    });
  });
});
