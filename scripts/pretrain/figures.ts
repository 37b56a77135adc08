import type { EmbeddedTrainer } from '../../src/endpoints/embedded/model/trainer.ts';
import { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import type { Task } from '../../src/shared/records/task.ts';
import { isAboutHint, stepwiseSuccess, successRates, writeFamilies, type WrittenFamily } from './measure.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (value: number): string => value.toFixed(3);

/** `name: a b c`, for shares by number of steps. */
function bySteps(tasks: readonly Task[], rates: readonly number[]): string {
  const groups = new Map<number, number[]>();
  for (const [i, task] of tasks.entries()) {
    const steps = task.complexity['steps'] ?? 0;
    groups.set(steps, [...(groups.get(steps) ?? []), rates[i] ?? outOfRange()]);
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([steps, values]) => `${steps}: ${mean(values).toFixed(2)}`)
    .join('  ');
}

function tally(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([value, n]) => `${value} ${n}`)
    .join(', ');
}

/** How the agent does on base and validation tasks, greedy and sampled at temperature 1. */
export function agentFigures(agent: EmbeddedTrainer): string[] {
  const domain = new StorekeeperDomain();
  const lines = (['base', 'validation'] as const).flatMap((split) => {
    const tasks = domain.seeds(split);
    const sampled = successRates(agent, tasks, 8, 1);
    const greedy = successRates(agent, tasks, 1, 0);
    return [
      `${split}: greedy ${share(mean(greedy))}, sampled ${share(mean(sampled))} (${tasks.length} tasks)`,
      `  sampled by steps  ${bySteps(tasks, sampled)}`,
    ];
  });
  const multiTurn = new StorekeeperDomain({ multiTurn: true });
  lines.push(
    `validation, turn by turn: greedy ${share(stepwiseSuccess(agent, multiTurn, multiTurn.seeds('validation')))}`,
  );
  return lines;
}

function distribution(values: readonly number[]): string {
  const counts = new Array<number>(10).fill(0);
  for (const value of values) {
    const bin = Math.min(9, Math.floor(value * 10));
    counts[bin] = (counts[bin] ?? outOfRange()) + 1;
  }
  return counts.map((n, i) => `.${i}–${i === 9 ? '1' : `.${i + 1}`}: ${n}`).join('  ');
}

function familyRates(agent: EmbeddedTrainer, families: readonly WrittenFamily[]): number[] {
  const tasks = families.flatMap((family) => family.tasks);
  const rates = successRates(agent, tasks, 8, 1);
  const groups = new Map<string, number[]>();
  for (const [i, { family }] of tasks.entries())
    groups.set(family, [...(groups.get(family) ?? []), rates[i] ?? outOfRange()]);
  return [...groups.values()].map(mean);
}

/** The environment's texts, and their difficulty for the agent. */
export function environmentFigures(environment: EmbeddedTrainer, agent: EmbeddedTrainer): string[] {
  const domain = new StorekeeperDomain();
  const sample = { families: 64, variations: 4, recentSuccess: null };
  const few = writeFamilies(environment, domain, sample);
  const many = writeFamilies(environment, domain, { ...sample, families: 400 });
  const outcomes = many.flatMap((family) => family.outcomes);
  const rates = familyRates(agent, few);
  const inBand = rates.filter((rate) => Math.abs(rate - 0.5) <= 0.25 + 1e-9).length;
  const tasks = many.flatMap((family) => family.tasks);
  const aboutHint = many.flatMap((family) => family.tasks.filter((task) => isAboutHint(family, task))).length;
  const prints = new Set(tasks.map((task) => domain.fingerprint(task)));
  const steps = many.map(({ plan }) => plan.split(' ')[1] ?? '?').sort((a, b) => Number(a) - Number(b));
  const plans = new Set(many.map(({ plan }) => plan));
  return [
    `verified: ${share(outcomes.filter((o) => o === 'accepted').length / outcomes.length)} of ${outcomes.length} (${tally(outcomes)})`,
    `different: ${prints.size} of ${tasks.length} tasks, ${plans.size} of ${many.length} plans`,
    `about their seed’s items: ${share(aboutHint / tasks.length)}`,
    `steps planned  ${[...new Set(steps)].map((k) => `${k}: ${steps.filter((s) => s === k).length}`).join('  ')}`,
    `agent on ${rates.length} families × 4 variations × 8 attempts: p̂ ${share(mean(rates))}, in band 0.5 ± 0.25: ${inBand}`,
    `families by p̂  ${distribution(rates)}`,
  ];
}
