/**
 * How much an experiment will do, before it is started: texts, rollouts, tokens. Sized as the loop sizes its phases;
 * tokens are counted as the journal counts them, prompts included.
 */
import { mostHeldOut } from './tasks/heldOut.ts';
import { mayAskAgain, mayPlan } from './tasks/askedFor.ts';
import { domainsOf } from './tasks/domains.ts';
import { trainsEnvironment } from './trains.ts';
import { batchTasks, fillRoom, fillTasks, rankedSeeds, wantedTasks } from './tasks/batchTasks.ts';
import { withSpare } from './tasks/spare.ts';
import { limits } from './limits.ts';
import type { Experiment } from './schema.ts';

/** Mean tokens, as seen on a few tasks. */
export interface Lengths {
  /** One text of the environment, with its prompt, its plan and the independent answers to it. 0 where it writes none. */
  text: number;
  /** One attempt of the agent at a written task, with its prompt. */
  attempt: number;
  /** One attempt at a task that a person wrote: base data, held-out tasks. */
  given: number;
  /** Share of the texts that became tasks. */
  accepted: number;
  /** Tokens billed for each of these, turns sending all before them again. */
  billedPerToken: number;
}

/** The work of one epoch and of the whole run, of a branch after the epochs that it shares. Per epoch is the mean over the run. */
export interface Workload {
  epochs: number;
  /** Before it began. */
  spent: Spent;
  /** Attempts that train the agent, and in mode release those that rank seeds. */
  rollouts: Amount;
  /** Attempts at held-out tasks. */
  validation: Measured;
  /** Attempts at the benchmark's tasks; 0 where all of a split are meant, which is counted when it has been read. */
  evaluation: Measured;
  /** Texts asked of the environment, without those written again. */
  texts: Amount;
  tokens: Amount;
  /** Tokens billed for each of these; 1 of `limits`. */
  billedPerToken: number;
  /**
   * `measured`: at the lengths of tried tasks. `run`: at the tokens an attempt of an earlier run. `limits`: upper bounds with every text and answer at its limit; prompts,
   * still unknown, are left out.
   */
  basis: 'measured' | 'run' | 'limits';
  /** Whether fewer attempts may be made, since families are cut off. */
  mayBeFewer: boolean;
  /** Whether fewer attempts may be made, since base tasks alone cannot fill the batch. */
  fewBase: boolean;
  /** Attempts of an epoch in groups that fall out once enough others are complete. */
  spare: number;
  /** The most attempts of an epoch that count in the next one. */
  late: number;
  /** A budget that is spent before the last epoch, and after how many. */
  ends: Ends | null;
}

/** The budget that ends a run before its last epoch, and after how many; 0 where a branch has spent it before its own first. */
export interface Ends {
  by: keyof Experiment['budget'];
  epochs: number;
}

/** Work of a run that a branch of it does not do again. */
export interface SharedWork {
  epochs: number;
  spent: Spent;
  /** Whether held-out tasks, and those of the benchmark, were attempted before, so that the start is not measured again. */
  validated: boolean;
  evaluated: boolean;
}

/** Of each budget, as far as it is known. */
type Spent = Partial<Record<Ends['by'], number>>;

export const nothingShared: SharedWork = { epochs: 0, spent: {}, validated: false, evaluated: false };

interface Amount {
  epoch: number;
  run: number;
}

/** A measurement that is made once before the first epoch, too, which is not among those of an epoch. */
interface Measured extends Amount {
  start: number;
}

/** Texts over the whole run. */
function textsOf(experiment: Experiment, epochs: number, shared: SharedWork): number {
  const { mode, generation, rollouts } = experiment;
  if (mode === 'offline') return 0;
  // They are written once, in the first epoch.
  if (mode === 'static') return shared.epochs > 0 ? 0 : generation.staticFamilies * generation.staticVariations;
  if (mode === 'release') return wantedTasks(experiment) * epochs;
  return withSpare(generation.families, rollouts.spare) * generation.variations * epochs;
}

/** Attempts at all held-out tasks. */
function validationOf(experiment: Experiment, heldOut: HeldOutTasks | null): number {
  const { validation } = experiment;
  const tasks = domainsOf(experiment).reduce((sum, { name, settings, validationTasks }) => {
    // A file may hold fewer tasks than requested: that shows when it is read.
    const own = heldOut?.get(name) ?? mostHeldOut(experiment, settings);
    return sum + Math.min(validationTasks, own);
  }, 0);
  return tasks * validation.rollouts;
}

/** How often something is measured that is due at the start, every so many epochs, and at the end. */
function timesOf(every: number, from: number, to: number, wasMeasured: boolean): { start: number; after: number } {
  if (every === 0) return { start: 0, after: 0 };
  const after = Math.floor(to / every) - Math.floor(from / every) + (to % every === 0 ? 0 : 1);
  return { start: wasMeasured ? 0 : 1, after };
}

/** Lengths at their longest. */
function longest(experiment: Experiment): Lengths {
  const { generation, rollouts, endpoints, mode } = experiment;
  const within = (tokens: number, role: 'agent' | 'environment'): number =>
    Math.min(tokens, limits.context(endpoints[role]) ?? tokens);
  const written = (mayPlan(experiment) ? 2 : 1) * within(generation.maxTokens, 'environment');
  const answers = mayAskAgain(experiment) ? generation.agreementAnswers : 0;
  const text = written + answers * within(rollouts.maxTokens, generation.agreementBy);
  const attempt = within(rollouts.maxTokens, 'agent') * rollouts.maxTurns;
  return {
    text: mode === 'offline' ? 0 : text,
    attempt,
    given: attempt,
    accepted: 1 / generation.attempts,
    billedPerToken: 1,
  };
}

/** How many held-out tasks a validation attempts, by the domain's name. */
export type HeldOutTasks = ReadonlyMap<string, number>;

/**
 * The expected work of an experiment. Without `seen` lengths the tokens are an upper bound, and without `heldOut`, counted
 * in the files, validations are.
 *
 * @param shared what a branch does not do again
 */
export function expectedWork(
  experiment: Experiment,
  seen: Lengths | null = null,
  heldOut: HeldOutTasks | null = null,
  shared: SharedWork = nothingShared,
): Workload {
  const { rollouts, generation, mode } = experiment;
  const epochs = Math.max(1, experiment.epochs - shared.epochs);
  const { text, attempt, given, accepted, billedPerToken } = seen ?? longest(experiment);
  const amount = (run: number): Amount => ({ epoch: Math.round(run / epochs), run: Math.round(run) });
  const measured = (attempts: number, every: number, wasMeasured: boolean): Measured => {
    const times = timesOf(every, shared.epochs, shared.epochs + epochs, wasMeasured);
    const [start, after] = [attempts * times.start, attempts * times.after];
    return { ...amount(start + after), epoch: Math.round(after / epochs), start };
  };
  const texts = textsOf(experiment, epochs, shared);
  const batch = batchTasks(experiment);
  const ranked = rankedSeeds(experiment) * generation.rankRollouts * epochs;
  const wanted = Math.min(batch, wantedTasks(experiment));
  const begun = withSpare(wanted / generation.variations, rollouts.spare) * generation.variations;
  const written = (rollouts.spare === 0 ? wanted : begun) * rollouts.group * epochs;
  const filled = mode === 'release' ? batch - wanted : fillTasks(experiment, rollouts.spare);
  const mixed = filled * rollouts.group * epochs;
  const trained = written + mixed + ranked;
  const { every, sample, attempts } = experiment.evaluation;
  const validation = measured(validationOf(experiment, heldOut), experiment.validation.every, shared.validated);
  const evaluation = measured((sample ?? 0) * attempts, every, shared.evaluated);
  const ofPeople = trained - written + validation.run + evaluation.run;
  // A rejected text is written again, so many times at most.
  const tries = Math.min(generation.attempts, 1 / Math.max(accepted, 1 / generation.attempts));
  const work: Omit<Workload, 'ends'> = {
    ...{ epochs, spent: shared.spent },
    rollouts: amount(trained),
    ...{ validation, evaluation },
    texts: amount(texts),
    tokens: amount(texts * tries * text + written * attempt + ofPeople * given),
    billedPerToken,
    basis: seen === null ? 'limits' : 'measured',
    spare: Math.round((written + mixed) / epochs - batch * rollouts.group),
    late: epochs === 1 || rollouts.staleness === 0 ? 0 : Math.floor(batch * rollouts.late + 1e-9) * rollouts.group,
    fewBase: mode !== 'release' && fillRoom(experiment).base < fillRoom(experiment).asked,
    mayBeFewer: rollouts.cutOff !== 'off' && trainsEnvironment(experiment),
  };
  const inEpoch = { tokens: work.tokens.epoch, rollouts: work.rollouts.epoch };
  return { ...work, ends: spentBefore(experiment, work, inEpoch) };
}

/** @param inEpoch what an epoch uses, as far as it is known */
export function spentBefore(
  { budget }: Pick<Experiment, 'budget'>,
  { epochs, spent }: Pick<Workload, 'epochs' | 'spent'>,
  inEpoch: Spent,
): Ends | null {
  const ends = (['tokens', 'rollouts', 'seconds', 'cost', 'hours'] as const).flatMap((by) => {
    const [most, used, before] = [budget[by], inEpoch[by] ?? 0, spent[by] ?? 0];
    if (most === null) return [];
    const left = Math.max(0, most - before);
    const after = left === 0 ? 0 : used === 0 ? Infinity : Math.ceil(left / used - 1e-9);
    return after < epochs ? [{ by, epochs: after }] : [];
  });
  return ends.toSorted((a, b) => a.epochs - b.epochs)[0] ?? null;
}
