/** A plan of attempts and its outcome. */
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { Disagreements, Unanswered } from '../../../shared/journal/events.ts';
import type { Learner, Loop } from '../../loop.ts';
import type { CutFamily } from '../../../shared/journal/cutFamily.ts';
import type { CutOffPlan } from '../../cutOff/cutOff.ts';
import type { ExpectedLength } from '../../order/expectedLength.ts';
import type { Meter } from '../../spending/meter.ts';
import type { Ports } from '../../ports.ts';
import type { UnansweredCount } from '../../unanswered.ts';
import type { Race } from '../../spare/race.ts';
import type { GivenTurns } from './replay.ts';

export interface AttemptPlan {
  purpose: Trace['purpose'];
  epoch: number;
  tasks: readonly Task[];
  /** G, attempts per task. */
  group: number;
  /** Attempts a task must have to count; fewer are a failure of the endpoint that ends the phase. */
  minimum: number;
  /** The outcome is journaled: no further traces will be recorded. */
  closed: boolean;
  temperature: number;
  /** Whether traces keep token ids and logprobs: only traces for training need them. */
  keepSequences: boolean;
  /** The epoch's recorded traces; read from the records when absent. */
  recorded?: readonly Trace[];
  /** Attempts that began before the others. */
  begun?: Begun | null;
  /** Attempts of each task that begin now; absent: all of `group`. */
  first?: number;
  /** Families that are cut off once their place outside the band is certain; undefined for none. */
  cutOff?: CutOffPlan | undefined;
  /** The longest expected begin first; undefined: in the order of `tasks`. */
  expected?: ExpectedLength | undefined;
  /** Ends the attempts once enough groups are complete; undefined: all are made. */
  race?: Race | undefined;
  /** Told of attempts in the order of the records, once they are on disk; all continue when it is over. */
  onTime?: Race | undefined;
  /** Learns from attempts in the order of the records; null where learning waits for all. */
  stream?: { recorded(trace: Trace): void } | null;
  /** Turns that every attempt begins with; of no domain whose programs lead the attempts. */
  given?: GivenTurns;
}

/** Tasks that have been attempted already: attempts that they lack were not answered, and are not asked for again. */
export interface Begun {
  /** When the first began, in milliseconds since the Unix epoch. */
  at: number;
  tasks: ReadonlySet<string>;
  /** The first attempts of each, where not all began. */
  first?: number | undefined;
  unanswered: UnansweredCount;
  /** Where the first complete groups count: these are under way still. */
  race?: Race | undefined;
  /** Where the first complete groups are waited for alone: these are under way still. */
  onTime?: Race | undefined;
  /** Resolves once none of them is under way. */
  finish?: () => Promise<void>;
}

/** Traces of one task, in attempt order. */
export interface Group {
  task: Task;
  traces: Trace[];
  /** The epoch that attempted it, where it counts in the next one (`rollouts.late`). */
  attemptedIn?: number;
}

/** @template Tokens `number | null` where a job may not tell those of some attempts */
export interface Attempts<Tokens extends number | null = number> {
  groups: Group[];
  tokens: Tokens;
  unanswered?: Unanswered;
  /** Families that were cut off; absent where none was. */
  cutOff?: CutFamily[];
  /** Where a job made and judged the attempts, too. */
  disagreements?: Disagreements;
}

const prefixes: Record<Trace['purpose'], string> = { train: 'e', validation: 'v', rank: 'k', benchmark: 'b' };

/** Attempts that stop being begun once a budget is used up; a measurement is whole or not at all. */
export const isBudgeted = (purpose: Trace['purpose']): boolean => purpose === 'train' || purpose === 'rank';

/** The id of an attempt's trace: `e5/base.17/r0`. */
export const traceId = (
  { purpose, epoch }: Pick<AttemptPlan, 'purpose' | 'epoch'>,
  task: string,
  index: number,
): string => `${prefixes[purpose]}${epoch}/${task}/r${index}`;

/**
 * Attempts of `group` that must be answered, where `rollouts.minGroup` of `rollouts.group` are enough in training.
 * Measurements may miss all attempts of a task; training and ranking may not.
 */
export function smallestGroup(
  loop: { experiment: Pick<Loop['experiment'], 'rollouts'> },
  group: number,
  least: 0 | 1,
): number {
  const { minGroup, group: usual } = loop.experiment.rollouts;
  return minGroup === null ? group : Math.max(least, Math.floor((group * Math.min(minGroup, usual)) / usual));
}

/** The parts of a loop that attempts use. */
export interface Attempters {
  experiment: Pick<Loop['experiment'], 'seed' | 'rollouts'>;
  agent: Pick<Learner, 'policy' | 'version'>;
  /** Absent where nothing is paid for by a budget. */
  meter?: Meter;
  ports: Pick<Ports, 'domain' | 'scorer' | 'judge' | 'signal' | 'onProgress' | 'underWay'> & {
    records: Pick<Ports['records'], 'appendTraces' | 'tracesOf'>;
  };
}
