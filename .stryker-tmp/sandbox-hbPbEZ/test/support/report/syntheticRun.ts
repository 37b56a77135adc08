/**
 * A made-up run with a plausible course, for the report's tests and for looking at it: an agent that gets better, an
 * environment that starts too hard and follows it, in the storekeeper's own words. Every number is derived from its own
 * attempts, every event is checked by its schema, everything follows from the seed.
 */
import { draftOf } from '../../../src/benchmarks/storekeeper/task.ts';
import { execute } from '../../../src/benchmarks/storekeeper/execute.ts';
import { randomBody } from '../../../src/benchmarks/storekeeper/randomBody.ts';
import { scoreFamilies } from '../../../src/engine/phases/score.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';

export interface SyntheticOptions {
  seed?: number;
  /** Epochs that happened. */
  epochs?: number;
  families?: number;
  variations?: number;
  group?: number;
  experiment?: Partial<Experiment>;
}

/** One epoch's records and how its families fared. */
export interface SyntheticEpoch {
  epoch: number;
  tasks: Task[];
  traces: Trace[];
  outcome: ReturnType<typeof scoreFamilies>;
}

export interface Course {
  experiment: Experiment;
  epochs: number;
  /** The agent's skill before an epoch: steps of a task it solves half of the time. */
  skill(epoch: number): number;
  /** Mean steps that the environment writes in an epoch. */
  difficulty(epoch: number): number;
  epoch(epoch: number): SyntheticEpoch;
}

const wrongWords: Record<string, string> = { increase: 'set', decrease: 'clear', set: 'increase', get: 'double' };

/** How a synthetic run goes; records are drawn per epoch, so that none need be held. */
export function syntheticCourse(options: SyntheticOptions = {}): Course {
  const { seed = 7, epochs = 40, families = 14, variations = 4, group = 8 } = options;
  const base = presets.embedded;
  const experiment: Experiment = {
    ...base,
    name: 'storekeeper, small models',
    seed,
    epochs,
    generation: { ...base.generation, families, variations },
    rollouts: { ...base.rollouts, group },
    curriculum: { ...base.curriculum, beta: 10 },
    ...options.experiment,
  };
  const follows = experiment.mode === 'coevolve';
  const skill = (epoch: number): number => 3 + 2.6 * (1 - Math.exp(-epoch / 22));
  const difficulty = (epoch: number): number =>
    follows ? skill(epoch) + 1.9 * Math.exp(-(epoch - 1) / 7) + 0.25 * Math.sin(epoch / 3) : 5.1;
  const draw = (epoch: number): SyntheticEpoch => {
    const groups = Array.from({ length: families }, (_, f) => {
      const rng = Rng.from(seed, 'synthetic-family', epoch, f);
      const steps = clamp(Math.round(difficulty(epoch) + 2.4 * (rng.next() + rng.next() - 1)), 1, 12);
      const menu = clamp(2 + rng.int(4), 1, 6);
      const fillers = rng.int(3);
      const plan = `steps ${steps} tools ${menu} fillers ${fillers}`;
      return Array.from({ length: variations }, (_, v) => {
        const body = randomBody(rng, { steps, menu, fillers, expressions: 0.2 });
        const task: Task = {
          v: 1,
          id: `e${epoch}.f${f}.v${v}`,
          family: `e${epoch}.f${f}`,
          epoch,
          origin: 'generated',
          seed: `base.${rng.int(544)}`,
          status: 'accepted',
          ...draftOf(body, execute(body), plan, 'CALLS'),
        };
        const ease = skill(epoch) - steps - 0.15 * (menu - 3) - 0.25 * fillers + 0.4 * (rng.next() - 0.5);
        const chance = 1 / (1 + Math.exp(-1.3 * ease));
        return { task, traces: attempts(task, group, chance, rng) };
      });
    }).flat();
    return {
      epoch,
      tasks: groups.map(({ task }) => task),
      traces: groups.flatMap(({ traces }) => traces),
      outcome: scoreFamilies(groups, [], experiment.curriculum, epoch <= experiment.curriculum.warmupEpochs),
    };
  };
  const drawn = new Map<number, SyntheticEpoch>();
  return {
    experiment,
    epochs,
    skill,
    difficulty,
    epoch(epoch) {
      const known = drawn.get(epoch) ?? draw(epoch);
      drawn.set(epoch, known);
      return known;
    },
  };
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

function attempts(task: Task, group: number, chance: number, rng: Rng): Trace[] {
  const gold = task.gold ?? '';
  return Array.from({ length: group }, (_, r) => {
    const success = rng.next() < chance;
    const answer = success ? gold : spoiled(gold, rng);
    const solved = answer === gold;
    return {
      v: 1,
      id: `e${task.epoch}/${task.id}/r${r}`,
      purpose: 'train',
      task: task.id,
      family: task.family,
      epoch: task.epoch,
      version: `agent@${task.epoch - 1}`,
      messages: [{ role: 'assistant', content: answer }],
      sequences: [],
      stopReason: 'stop',
      verdict: {
        success: solved,
        reward: solved ? 1 : 0,
        valid: true,
        ...(solved ? {} : { note: 'the calls differ from the gold' }),
      },
    };
  });
}

/** A plausible mistake: a word confused, a word left out, or one call too many. */
function spoiled(gold: string, rng: Rng): string {
  const words = gold.split(' ');
  const at = rng.int(words.length);
  switch (rng.int(3)) {
    case 0:
      words[at] = wrongWords[words[at] ?? ''] ?? `f${rng.int(10)}`;
      break;
    case 1:
      words.splice(at, 1);
      break;
    default:
      words.push('next', 'get', `f${rng.int(10)}`, 'rice');
  }
  return words.join(' ');
}
