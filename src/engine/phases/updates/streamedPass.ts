/**
 * The first pass of the agent's update while its tasks are still attempted (`agent.stream`): as soon as the groups that
 * are complete fill a minibatch, it is trained. Samplers keep the version that they have until the update is published.
 * Minibatches follow the order in which groups were complete, which is the order of the records, so that a resumed run
 * makes the same ones. tinker-cookbook trains so with its `StreamMinibatchConfig`.
 */
import { append } from '../../../shared/append.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { trainable, type Loop } from '../../loop.ts';
import { packSequences } from '../../math/packed/packedSequence.ts';
import { traceId, type Group } from '../attempts/attemptPlan.ts';
import { batchTrainer } from '../byJob/jobs.ts';
import { sortGroups } from '../groups.ts';
import { AgentSteps } from './agentSteps.ts';
import { examplesOf, shapedByReference, unitsOf, type Example } from './examples.ts';
import { Reference } from './reference.ts';

type Units = readonly (readonly Example[])[];

export interface Streamed {
  steps: AgentSteps;
  /** The examples learned from, in the order of training. */
  units: Units;
  /** When the first minibatch was begun, in milliseconds since the Unix epoch; null: nothing teaches. */
  from: number | null;
}

export class StreamedPass {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly reference: Reference;
  readonly #steps: AgentSteps;
  /** Attempts of tasks that are not complete, by task, then by trace. */
  readonly #open = new Map<string, Map<string, Trace>>();
  readonly #complete = new Set<string>();
  /** Units of complete groups that fill no minibatch yet. */
  #waiting: Units = [];
  /** Minibatches, trained or not. */
  #begun = 0;
  readonly #learned: (readonly Example[])[] = [];
  /** Rejects with the failure of a step; later minibatches are not trained then. */
  #training: Promise<void> = Promise.resolve();
  #from: number | null = null;
  /** Of all passes; null while the attempts' progress is shown. */
  #total: number | null = null;
  #isStopped = false;

  /** @param experiment the settings at the epoch's start: a change in the middle of it holds from the next epoch on */
  constructor(loop: Loop, experiment: Loop['experiment'], epoch: number) {
    this.#loop = { ...loop, experiment };
    this.#epoch = epoch;
    const policy = trainable(loop.agent, 'agent');
    this.reference = new Reference(loop);
    this.#steps = new AgentSteps(this.#loop, policy);
  }

  /** The settings that it trains by. */
  get experiment(): Loop['experiment'] {
    return this.#loop.experiment;
  }

  /** An attempt counts; told twice, it counts once. */
  recorded(trace: Trace): void {
    const { purpose, task } = trace;
    if (purpose !== 'train' || this.#complete.has(task)) return;
    const traces = this.#open.get(task) ?? new Map<string, Trace>();
    this.#open.set(task, traces.set(trace.id, trace));
    const { group } = this.experiment.rollouts;
    if (traces.size < group) return;
    const ids = Array.from({ length: group }, (_, i) => traceId({ purpose, epoch: this.#epoch }, task, i));
    this.#add(
      task,
      ids.map((id) => traces.get(id) ?? outOfRange()),
    );
    while (this.#waiting.length >= this.experiment.agent.minibatch) this.#begin();
  }

  /** Trains on what is left, when no further attempt is made. @param groups all of the round */
  async finish(groups: readonly Group[]): Promise<Streamed> {
    const own = new Set(groups.map(({ task }) => task.id));
    const other = [...this.#complete].find((id) => !own.has(id));
    if (other !== undefined) throw new Error(`Task ${other} was learned from, and is not of the round.`);
    for (const { task, traces } of groups) if (!this.#complete.has(task.id)) this.#add(task.id, traces);
    while (this.#waiting.length > 0) this.#begin();
    this.#total = this.#begun * this.experiment.agent.passes;
    await this.#training;
    return { steps: this.#steps, units: this.#learned, from: this.#from };
  }

  /** Gives up what is not trained yet. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled([this.#training]);
  }

  #add(task: Task['id'], traces: readonly Trace[]): void {
    this.#complete.add(task);
    this.#open.delete(task);
    const examples = sortGroups([{ traces }]).teachable.flatMap((judged) => examplesOf(judged, this.experiment));
    if (examples.length > 0) this.#waiting = [...this.#waiting, ...unitsOf([examples], this.experiment.agent)];
  }

  #begin(): void {
    const { minibatch } = this.experiment.agent;
    const units = this.#waiting.slice(0, minibatch);
    this.#waiting = this.#waiting.slice(minibatch);
    this.#begun += 1;
    this.#training = this.#training.then(() => this.#train(units));
    // Told by `finish`.
    this.#training.catch(() => undefined);
  }

  async #train(units: Units): Promise<void> {
    if (this.#isStopped) return;
    this.#from ??= this.#loop.ports.clock.now();
    const shaped = await shapedByReference(this.#loop, this.reference, units);
    await this.#steps.take(shaped.flat());
    append(this.#learned, shaped);
    if (this.#total === null) return;
    this.#loop.ports.onProgress?.({
      ...{ phase: 'update agent', epoch: this.#epoch, done: this.#steps.count, total: this.#total, tokens: 0 },
    });
  }
}

/**
 * A round's pass; null where the agent's update waits for all attempts.
 * @param experiment the settings at the epoch's start
 * @param recorded the epoch's traces that are there already, in the order of the disk: that order decides, whatever order the rest
 *   is asked for in
 * @param tasks of the round; null where all of the epoch's attempts belong to it
 */
export function streamed(
  loop: Loop,
  experiment: Loop['experiment'],
  epoch: number,
  recorded: readonly Trace[],
  tasks: readonly Task[] | null,
): StreamedPass | null {
  const { train, stream } = experiment.agent;
  if (!train || !stream || batchTrainer(loop.agent, 'agent') !== null) return null;
  const pass = new StreamedPass(loop, experiment, epoch);
  const own = tasks && new Set(tasks.map(({ id }) => id));
  for (const trace of recorded) {
    if (own === null || own.has(trace.task)) pass.recorded({ ...trace, sequences: packSequences(trace.sequences) });
  }
  return pass;
}
