/**
 * Rollouts: the agent attempts every task of a batch G times. A trace is recorded the moment it is finished and judged;
 * what a resumed run already has is not sampled again.
 */
import { append } from '../../../shared/append.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import type { Disagreements, Unanswered } from '../../../shared/journal/events.ts';
import { EpisodeError, LoopError } from '../../errors.ts';
import { InOrder } from '../../inOrder.ts';
import type { Learner, Loop } from '../../loop.ts';
import { appendTurn, recordedLogprobs } from '../../math/sequence.ts';
import { Merge } from '../../merge.ts';
import type { Leader } from '../../leader.ts';
import type { Environment, FailedCompletion, Ports, SampleRequest } from '../../ports.ts';
import { seedFrom } from '../../random.ts';
import { countedWith, turnOf } from '../../turn.ts';
import { UnansweredCount, hasFailed } from '../../unanswered.ts';
import { LedAttempt, inParallel } from './ledAttempt.ts';
import { armed, asked, silence, type Episode, type Read } from './episode.ts';
import { tokensOf } from './traceTokens.ts';
import type { Completion } from '../../completion.ts';

export interface AttemptPlan {
  purpose: Trace['purpose'];
  epoch: number;
  tasks: readonly Task[];
  /** G, attempts per task. */
  group: number;
  /** Attempts a task must have to count; fewer are a failure of the endpoint that ends the phase. */
  minimum: number;
  /** Its outcome is journaled: what is recorded is all there is. */
  closed: boolean;
  temperature: number;
  /** Whether traces keep token ids and logprobs: only what is trained on needs them. */
  keepSequences: boolean;
  /** Traces of the epoch that lie in the records; read there when absent. */
  recorded?: readonly Trace[];
}

/** Traces of one task, in attempt order. */
export interface Group {
  task: Task;
  traces: Trace[];
}

export interface Attempts {
  groups: Group[];
  tokens: number;
  unanswered?: Unanswered;
  /** Where a job made and judged the attempts, too. */
  disagreements?: Disagreements;
}

const prefixes: Record<Trace['purpose'], string> = { train: 'e', validation: 'v', rank: 'k', benchmark: 'b' };

/** What a person who watches is told of each. */
const phases: Record<Trace['purpose'], string> = {
  train: 'attempt',
  validation: 'validate',
  rank: 'rank',
  benchmark: 'evaluate',
};

/** `e5/base.17/r0`: what an attempt's trace is called. */
export const traceId = (
  { purpose, epoch }: Pick<AttemptPlan, 'purpose' | 'epoch'>,
  task: string,
  index: number,
): string => `${prefixes[purpose]}${epoch}/${task}/r${index}`;

/**
 * Attempts of `group` that must be answered, where `rollouts.minGroup` of `rollouts.group` are enough in training. What
 * only measures may go without one task; what trains or ranks may not.
 */
export function smallestGroup(
  loop: { experiment: Pick<Loop['experiment'], 'rollouts'> },
  group: number,
  least: 0 | 1,
): number {
  const { minGroup, group: usual } = loop.experiment.rollouts;
  return minGroup === null ? group : Math.max(least, Math.floor((group * Math.min(minGroup, usual)) / usual));
}

/** What attempts need of a loop. */
export interface Attempters {
  experiment: Pick<Loop['experiment'], 'seed' | 'rollouts'>;
  agent: Pick<Learner, 'policy' | 'version'>;
  ports: Pick<Ports, 'domain' | 'scorer' | 'judge' | 'signal' | 'onProgress'> & {
    records: Pick<Ports['records'], 'appendTraces' | 'tracesOf'>;
  };
}

/** Attempts every task of the plan `group` times under the agent's newest version. */
export async function attempt(loop: Attempters, plan: AttemptPlan): Promise<Attempts> {
  return new Attempting(loop, plan).run();
}

/** Attempts that are judged at once, while others are sampled. */
const judgedAtOnce = 256;

class Attempting {
  readonly #loop: Attempters;
  readonly #plan: AttemptPlan;
  readonly #done = new Map<string, Trace>();
  readonly #total: number;
  readonly #unanswered = new UnansweredCount();
  /** Tasks whose attempts begin, and episodes under way, by the ids of their requests. */
  readonly #starts = new Map<string, Task>();
  readonly #episodes = new Map<string, Episode>();
  /** Tasks whose attempts hold a session each. */
  readonly #held: Task[] = [];
  readonly #judging = new InOrder<Verdict>(judgedAtOnce);
  #tokens = 0;
  #finished = 0;
  #successes = 0;

  constructor(loop: Attempters, plan: AttemptPlan) {
    this.#loop = loop;
    this.#plan = plan;
    this.#total = plan.tasks.length * plan.group;
  }

  #traceId(task: string, index: number): string {
    return traceId(this.#plan, task, index);
  }

  async run(): Promise<Attempts> {
    const { purpose, epoch, tasks, group } = this.#plan;
    const own = new Set(tasks.map(({ id }) => id));
    for (const trace of this.#plan.recorded ?? (await this.#loop.ports.records.tracesOf(epoch))) {
      if (trace.purpose !== purpose || !own.has(trace.task)) continue;
      this.#done.set(trace.id, trace);
      this.#count(trace);
    }
    if (!this.#plan.closed) {
      try {
        const { leader } = this.#loop.ports.domain;
        if (leader !== undefined) await this.#led(leader);
        else if (this.#loop.agent.policy.capabilities.deterministic) await this.#inWaves();
        else await this.#asTheyCome();
        await this.#inSessions();
      } finally {
        await this.#judging.finish();
      }
    }
    const groups = tasks.map((task) => ({
      task,
      traces: Array.from({ length: group }, (_, i) => this.#done.get(this.#traceId(task.id, i))).filter(
        (trace) => trace !== undefined,
      ),
    }));
    if (!this.#plan.closed) this.#insist(groups);
    return { groups, tokens: this.#tokens, ...this.#unanswered.event };
  }

  /** Turn by turn, all episodes at once: what finishes first does not depend on chance. */
  async #inWaves(): Promise<void> {
    let requests = await this.#firstTurns();
    while (requests.length > 0) {
      const next: SampleRequest[] = [];
      for await (const answer of this.#sample(requests)) append(next, await this.#take(answer));
      requests = next;
    }
  }

  /** An episode's next turn is asked for as soon as its answer is there. */
  async #asTheyCome(): Promise<void> {
    const answers = new Merge<Completion | FailedCompletion>();
    answers.add(this.#sample(await this.#firstTurns()));
    for await (const answer of answers) answers.add(this.#sample(await this.#take(answer)));
  }

  /** Each attempt asks for itself; what ends the phase ends all of them. */
  async #led(leader: Leader): Promise<void> {
    const { tasks } = this.#plan;
    const { agent, ports, experiment } = this.#loop;
    const missing = tasks.flatMap((task) => this.#missing(task).map((index) => ({ task, index })));
    const atOnce = Math.min(leader.atOnce, agent.policy.capabilities.concurrency);
    await inParallel(missing, atOnce, ports.signal, async ({ task, index }, signal) => {
      const id = this.#traceId(task.id, index);
      const key = `${task.id}/${index}`;
      const led = new LedAttempt(agent, experiment.rollouts.maxTurns, {
        id,
        sampling: (turn) => this.#sampling(key, ...turn),
        signal,
      });
      try {
        const { verdict } = await leader.lead(task, id, (question) => led.ask(question), led.signal);
        led.signal.throwIfAborted();
        await this.#judge(task, this.#attempted({ task, index, ...led.record }), verdict);
      } catch (error) {
        this.#ended(error, task);
      }
    });
  }

  /**
   * Where all attempts must be answered, those whose episodes died are not missed.
   * @throws LoopError `endpoint` when a task has too few attempts; those that finished are recorded
   */
  #insist(groups: readonly Group[]): void {
    const { minimum, group } = this.#plan;
    const cause = this.#unanswered.first ?? 'The endpoint gave fewer completions than were asked for.';
    const all = this.#loop.experiment.rollouts.minGroup === null;
    const excused = (task: Task): number => (all ? this.#unanswered.diedAt(task) : 0);
    const short = groups.find(({ task, traces }) => traces.length + excused(task) < minimum);
    if (short !== undefined) {
      throw new LoopError(
        'endpoint',
        `Task ${short.task.id} has ${short.traces.length} of ${group} attempts, and ${minimum} must be there ` +
          `(rollouts.minGroup): ${cause}`,
      );
    }
    if (groups.length > 0 && groups.every(({ traces }) => traces.length === 0)) {
      throw new LoopError('endpoint', `Not one attempt was answered: ${cause}`);
    }
  }

  /** An episode that died costs its own attempt. @throws whatever else ended it */
  #ended(error: unknown, task: Task | undefined): void {
    if (!EpisodeError.is(error)) throw error;
    this.#unanswered.add(error.message, task);
  }

  /** All groups at once: one request a task, so that its G attempts share one prefill. */
  async #firstTurns(): Promise<SampleRequest[]> {
    const { tasks, group } = this.#plan;
    const requests: SampleRequest[] = [];
    for (const task of tasks) {
      const { domain } = this.#loop.ports;
      const only = this.#missing(task);
      if (only.length === 0) continue;
      const environment = domain.environment(task);
      if (environment?.close !== undefined) {
        this.#held.push(task);
        continue;
      }
      const opening = await this.#opened(task, environment, only.length);
      if (opening === null) continue;
      const messages = asked(await domain.agentPrompt(task), opening);
      requests.push({
        id: task.id,
        messages,
        n: group,
        only,
        ...armed(opening.tools ?? task.tools),
        ...this.#sampling(task.id, 0),
      });
      this.#starts.set(task.id, task);
    }
    return requests;
  }

  /** Indices of the attempts that are not recorded yet. */
  #missing(task: Task): number[] {
    const all = Array.from({ length: this.#plan.group }, (_, i) => i);
    return all.filter((i) => !this.#done.has(this.#traceId(task.id, i)));
  }

  /**
   * Episodes that hold a session, each by itself from its reset to its end: no session waits for the turn of another. How
   * many there are at once is the server's matter; a failure of one ends the waits of the others.
   */
  async #inSessions(): Promise<void> {
    const failed = new AbortController();
    const signal = AbortSignal.any([this.#loop.ports.signal, failed.signal]);
    const sessions = this.#held.flatMap((task) =>
      this.#missing(task).map(async (index) => {
        const environment = this.#loop.ports.domain.environment(task);
        if (environment?.close === undefined) return;
        try {
          await this.#session(task, index, environment, signal);
        } catch (error) {
          if (!failed.signal.aborted) failed.abort(error);
        } finally {
          await environment.close();
        }
      }),
    );
    await Promise.all(sessions);
    failed.signal.throwIfAborted();
  }

  async #session(task: Task, index: number, environment: Environment, signal: AbortSignal): Promise<void> {
    const id = this.#traceId(task.id, index);
    try {
      const episode = await this.#begun(task, index, environment, await environment.reset(task, signal));
      this.#episodes.set(id, episode);
      let requests = [this.#nextTurn(id, episode)];
      while (requests.length > 0) {
        signal.throwIfAborted();
        const next: SampleRequest[] = [];
        for await (const answer of this.#sample(requests)) append(next, await this.#take(answer));
        requests = next;
      }
    } catch (error) {
      this.#ended(error, task);
    } finally {
      this.#episodes.delete(id);
    }
  }

  /** An episode's first observation; null when it fails at once, which leaves `attempts` unanswered. */
  async #opened(task: Task, environment: Environment | null, attempts: number): Promise<Read | null> {
    try {
      return (await environment?.reset(task)) ?? silence;
    } catch (error) {
      for (let i = 0; i < attempts; i++) this.#ended(error, task);
      return null;
    }
  }

  /** The episode that an answer belongs to; a first turn begins one. */
  async #episodeOf({ requestId, index }: Completion): Promise<Episode | null> {
    const open = this.#episodes.get(requestId);
    if (open !== undefined) return open;
    const task = this.#starts.get(requestId);
    if (task === undefined) return null;
    const environment = this.#loop.ports.domain.environment(task);
    return this.#begun(task, index, environment, (await environment?.reset(task)) ?? silence);
  }

  async #begun(task: Task, index: number, environment: Environment | null, opening: Read): Promise<Episode> {
    const read = asked(await this.#loop.ports.domain.agentPrompt(task), opening);
    const { messages, tools = task.tools, steps = [] } = opening;
    return {
      ...{ task, index, environment, asked: read, messages: [...messages] },
      ...{ sequences: [], counted: undefined, turns: 0 },
      ...{ tools, steps: [...steps] },
    };
  }

  /** Takes an answer; gives the request for the episode's next turn, if it has one. */
  async #take(answer: Completion | FailedCompletion): Promise<SampleRequest[]> {
    if (hasFailed(answer)) {
      this.#unanswered.add(answer.failure);
      return [];
    }
    try {
      return await this.#answered(answer);
    } catch (error) {
      const task = this.#episodes.get(answer.requestId)?.task ?? this.#starts.get(answer.requestId);
      this.#ended(error, task);
      this.#episodes.delete(answer.requestId);
      return [];
    }
  }

  async #answered(answer: Completion): Promise<SampleRequest[]> {
    const episode = await this.#episodeOf(answer);
    if (episode === null) return [];
    const { task, index } = episode;
    const id = this.#traceId(task.id, index);
    if (await this.#turn(episode, answer)) {
      this.#episodes.delete(id);
      return [];
    }
    this.#episodes.set(id, episode);
    return [this.#nextTurn(id, episode)];
  }

  #nextTurn(id: string, { task, index, asked: messages, turns, tools }: Episode): SampleRequest {
    return { id, messages, n: 1, ...armed(tools), ...this.#sampling(`${task.id}/${index}`, turns) };
  }

  #sampling(key: string, ...turn: readonly number[]): Omit<SampleRequest, 'id' | 'messages' | 'tools' | 'n' | 'only'> {
    const { seed, rollouts } = this.#loop.experiment;
    const { purpose, epoch, temperature, keepSequences } = this.#plan;
    return {
      seed: seedFrom(seed, purpose, epoch, key, ...turn),
      maxTokens: rollouts.maxTokens,
      ...(rollouts.maxSequence === null ? {} : { maxSequence: rollouts.maxSequence }),
      temperature,
      ...(keepSequences ? {} : { logprobs: false }),
    };
  }

  async *#sample(requests: readonly SampleRequest[]): AsyncIterable<Completion | FailedCompletion> {
    if (requests.length === 0) return;
    const { agent, ports } = this.#loop;
    yield* agent.policy.sample(agent.version, requests, ports.signal);
  }

  /** Takes one turn of an episode; true when that ended it and its trace is on disk, or being judged. */
  async #turn(episode: Episode, completion: Completion): Promise<boolean> {
    const said = turnOf(completion);
    episode.messages.push(said);
    episode.turns += 1;
    episode.counted = countedWith(episode.counted, completion);
    appendTurn(episode.sequences, { ...completion, logprobs: recordedLogprobs(completion.logprobs) });
    if (episode.environment === null || completion.stopReason === 'length') {
      await this.#finish(episode, completion.stopReason);
      return true;
    }
    const observation = await episode.environment.step(completion.text, completion.reasoning);
    append(episode.messages, observation.messages);
    append(episode.steps, observation.steps ?? []);
    episode.tools = observation.tools ?? episode.tools;
    const before =
      observation.alone === true ? await this.#loop.ports.domain.agentPrompt(episode.task) : [...episode.asked, said];
    episode.asked = asked(before, observation);
    if (observation.done) await this.#finish(episode, 'stop');
    else if (episode.turns >= this.#loop.experiment.rollouts.maxTurns) await this.#finish(episode, 'turns');
    else return false;
    return true;
  }

  async #finish(episode: Episode, stopReason: Trace['stopReason']): Promise<void> {
    await this.#judge(episode.task, this.#attempted({ ...episode, stopReason }), null);
  }

  #attempted({
    task,
    index,
    messages,
    branches,
    sequences,
    counted,
    stopReason,
    steps = [],
  }: Pick<Trace, 'messages' | 'branches' | 'sequences' | 'counted' | 'stopReason' | 'steps'> & {
    task: Task;
    index: number;
  }): Omit<Trace, 'verdict'> {
    const { purpose, epoch, keepSequences } = this.#plan;
    return {
      v: 1,
      id: this.#traceId(task.id, index),
      purpose,
      task: task.id,
      family: task.family,
      ...(task.domain === undefined ? {} : { domain: task.domain }),
      epoch,
      version: this.#loop.agent.version.name,
      messages,
      ...(branches === undefined ? {} : { branches }),
      sequences: keepSequences ? sequences : sequences.map((sequence) => ({ ...sequence, tokens: [], logprobs: [] })),
      ...(counted === undefined ? {} : { counted }),
      stopReason,
      ...(steps.length === 0 ? {} : { steps }),
    };
  }

  /** @param own what the attempt was judged with by itself; null where that is left to us */
  async #judge(task: Task, attempted: Omit<Trace, 'verdict'>, own: Verdict | null): Promise<void> {
    const { judge, scorer } = this.#loop.ports;
    // What an attempt says of itself counts only where nothing else judges, or where it could not be made.
    if (own !== null && (judge === undefined || own.error !== undefined)) {
      await this.#record({ ...attempted, verdict: own });
    } else if (judge === undefined) await this.#record({ ...attempted, verdict: scorer.score(task, attempted) });
    else await this.#judging.add(judge.judge(task, attempted), (verdict) => this.#record({ ...attempted, verdict }));
  }

  async #record(trace: Trace): Promise<void> {
    await this.#loop.ports.records.appendTraces([trace]);
    this.#done.set(trace.id, trace);
    this.#count(trace);
  }

  #count(trace: Trace): void {
    const { purpose, epoch } = this.#plan;
    this.#finished += 1;
    this.#tokens += tokensOf(trace);
    if (trace.verdict.success) this.#successes += 1;
    this.#loop.ports.onProgress?.({
      phase: phases[purpose],
      epoch,
      done: this.#finished,
      total: this.#total,
      tokens: this.#tokens,
      successes: this.#successes,
    });
  }
}
