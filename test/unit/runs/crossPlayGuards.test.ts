/** The guards over compared versions, on simulated runs: how often they are silent on healthy ones, how often they speak. */
import assert from 'node:assert/strict';
import { planCheck } from '../../../src/engine/crossPlay/plan.ts';
import { Rng } from '../../../src/engine/random.ts';
import { CrossPlayGuards } from '../../../src/runs/facts/guards/crossPlayGuards.ts';
import type { GuardFinding } from '../../../src/runs/facts/guards/guardFinding.ts';
import { isFieldPath } from '../../../src/shared/experiment/fields.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';
import { normal } from '../../support/normal.ts';

/** The logit of an agent's success at an epoch's task: of the agent after epoch j, at a task of epoch i and of one skill. */
type Truth = (agent: number, tasks: number) => number;

const epochs = 100;
const every = 5;
/** Tasks differ by this many logits; tasks of a family by less: half of the variance is the family's. */
const spread = 2;
const families = 14;

/** The checks of a simulated run: each task has its own difficulty, the same at every check. */
function* checksOf(truth: Truth, run: number, budget: number): Generator<EventOf<'cross.played'>> {
  const rng = Rng.from('cross-play', run, budget);
  const tasks = new Map<number, { id: string; hard: number }[]>();
  const tasksOf = (epoch: number): { id: string; hard: number }[] => {
    const known = tasks.get(epoch);
    if (known !== undefined) return known;
    const own = Array.from({ length: families }, () => normal(rng) * Math.SQRT1_2);
    const made = Array.from({ length: 56 }, (_, i) => ({
      id: `e${epoch}.${i}`,
      hard: spread * ((own[i % families] ?? 0) + normal(rng) * Math.SQRT1_2),
    }));
    tasks.set(epoch, made);
    return made;
  };
  const checks: number[] = [];
  for (let epoch = every; epoch <= epochs; epoch += every) {
    const plan = planCheck(epoch, checks, budget);
    const play = (row: number, agent: number) => ({
      ...{ tasks: row, agent, version: `agent@${agent}` },
      outcomes: tasksOf(row)
        .slice(0, plan.tasks)
        .map(({ hard }) => (rng.next() < 1 / (1 + Math.exp(hard - truth(agent, row))) ? '1' : '0'))
        .join(''),
    });
    yield {
      ...{ v: 1, seq: 0, at: 0, type: 'cross.played', epoch, version: `agent@${epoch}` },
      rows: plan.rows.map((row) => ({
        tasks: row,
        families: Math.min(families, plan.tasks),
        ids: tasksOf(row)
          .slice(0, plan.tasks)
          .map(({ id }) => id),
      })),
      cells: [...plan.rows.map((row) => play(row, epoch)), ...plan.agents.map((agent) => play(epoch, agent))],
      ...{ rollouts: budget, tokens: 0, seconds: 0 },
    };
    checks.push(epoch);
  }
}

/** First findings of a run, by guard. */
function said(truth: Truth, run: number, budget = 256): Map<string, GuardFinding> {
  const guards = new CrossPlayGuards();
  const first = new Map<string, GuardFinding>();
  for (const check of checksOf(truth, run, budget)) {
    guards.add(check);
    for (const finding of guards.findings()) {
      if (finding !== null && !first.has(finding.guard)) first.set(finding.guard, finding);
    }
  }
  return first;
}

const runs = 100;
const spoke = (truth: Truth, budget?: number): Record<string, number> => {
  const counts: Record<string, number> = { forgetting: 0, cycling: 0, 'environment-alone': 0 };
  for (let run = 0; run < runs; run++) {
    for (const guard of said(truth, run, budget).keys()) counts[guard] = (counts[guard] ?? 0) + 1 / runs;
  }
  return counts;
};

const healthy: Record<string, Truth> = {
  'nothing moves': () => 0,
  'nothing moves, tasks are hard': () => -2,
  'both move: p̂ stays': (agent, tasks) => (3 * (agent - tasks)) / epochs,
  'the agent moves': (agent) => -1.5 + (3 * agent) / epochs,
  'tasks become easier while the agent moves': (agent, tasks) => -2 + (1.5 * agent + 2 * tasks) / epochs,
};

describe('guards over compared versions', function () {
  this.timeout(120_000);

  for (const [name, truth] of Object.entries(healthy)) {
    for (const budget of [64, 512]) {
      it(`hardly speak where nothing is wrong: ${name}, ${budget} attempts a check`, () => {
        const { forgetting = 1, cycling = 1, 'environment-alone': alone = 1 } = spoke(truth, budget);
        assert.ok(forgetting <= 0.05, `forgetting ${forgetting}`);
        assert.ok(cycling <= 0.05, `cycling ${cycling}`);
        assert.ok(alone <= 0.05, `environment-alone ${alone}`);
      });
    }
  }

  it('an agent that loses what it knew is told', () => {
    const forgets: Truth = (agent, tasks) => 1 - (3 * Math.max(0, agent - tasks)) / 40;
    assert.ok((spoke(forgets)['forgetting'] ?? 0) >= 0.95);
  });

  it('a branch whose reward solves nothing is no agent that forgets', () => {
    const told = (changed: boolean): boolean => {
      const guards = new CrossPlayGuards();
      for (const check of checksOf(() => 1, 0, 256)) {
        if (check.epoch === 55 && changed) {
          const changes = [{ field: 'reward.file', from: null, to: 'strict.reward.ts' }];
          guards.add({ ...{ v: 1, seq: 0, at: 0, type: 'settings.changed', epoch: 51, author: 'ada' }, changes });
        }
        const none = check.cells.map((cell) => ({ ...cell, outcomes: cell.outcomes.replaceAll('1', '0') }));
        guards.add(check.epoch < 55 ? check : { ...check, cells: none });
      }
      return guards.findings().some((finding) => finding?.guard === 'forgetting');
    };
    assert.deepEqual([told(true), told(false)], [false, true]);
  });

  it('versions in a circle are told', () => {
    // Demands come round every 40 epochs; each agent is good at those of its own epoch.
    const circle: Truth = (agent, tasks) => 2 * Math.cos((2 * Math.PI * (agent - tasks - 10)) / 40);
    const counts = spoke(circle, 512);
    assert.ok((counts['cycling'] ?? 0) >= 0.8, JSON.stringify(counts));
  });

  it('an environment that alone moves is told, easier and harder', () => {
    for (const by of [3, -3]) {
      const moves: Truth = (_, tasks) => -by / 2 + (by * tasks) / 40;
      const counts = spoke(moves);
      assert.ok((counts['environment-alone'] ?? 0) >= 0.8, JSON.stringify(counts));
    }
    const easier = said((_, tasks) => -1.5 + (3 * tasks) / 40, 1, 512).get('environment-alone');
    assert.match(easier?.message ?? '', /which became easier/);
  });

  it('what they say names versions and figures, and a setting that there is', () => {
    const forgets: Truth = (agent, tasks) => 1 - (3 * Math.max(0, agent - tasks)) / 40;
    const { message = '', remedy = '', field = '' } = said(forgets, 1).get('forgetting') ?? {};
    assert.match(
      message,
      /^The agent forgets: agent@\d+ solves \d+ % of \d+ tasks of earlier epochs, .* \d+ % of the same tasks\.$/,
    );
    assert.match(remedy, /\.$/);
    assert.ok(isFieldPath(field));
  });
});
