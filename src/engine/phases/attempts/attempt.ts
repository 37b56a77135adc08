/**
 * Rollouts: the agent attempts every task of a batch G times. A trace is recorded as soon as it is finished and judged,
 * with those that wait for the same; a resumed run does not sample recorded traces again.
 */
import * as l10n from '@vscode/l10n';
import { append } from '../../../shared/append.ts';
import { smallest } from '../../../shared/extremes.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import { EpisodeError, LoopError } from '../../errors.ts';
import { appendTurn, recordedLogprobs } from '../../math/sequence.ts';
import { Merge } from '../../merge.ts';
import type { Leader } from '../../leader.ts';
import { completionsOf, Pace, type Gate } from '../../spending/pace.ts';
import { longestFirst } from '../../order/expectedLength.ts';
import { urgencyOf } from '../../order/urgency.ts';
import type { Environment, FailedCompletion, SampleRequest } from '../../ports.ts';
import { seedFrom } from '../../random.ts';
import { countedWith, turnOf } from '../../turn.ts';
import { UnansweredCount, hasFailed } from '../../unanswered.ts';
import type { AttemptUnderWay } from '../../ports/underWay.ts';
import { LedAttempt, inParallel } from './ledAttempt.ts';
import { armed, asked, silence, type Episode, type Read } from './episode.ts';
import { replay, withEdit } from './replay.ts';
import { isBudgeted, type AttemptPlan, type Attempters, type Attempts, type Group } from './attemptPlan.ts';
import type { AttemptTraces } from './attemptTraces.ts';
import { Stages } from './stages.ts';
import type { Completion } from '../../completion.ts';

/** Attempts every task of the plan `group` times under the agent's newest version. */
export async function attempt(loop: Attempters, plan: AttemptPlan): Promise<Attempts> {
  return new Attempting(loop, plan).run();
}

class Attempting {
  readonly #loop: Attempters;
  readonly #plan: AttemptPlan;
  readonly #stages: Stages;
  readonly #traces: AttemptTraces;
  readonly #unanswered: UnansweredCount;
  /** Tasks whose attempts begin, with their prompts, and episodes under way, by the ids of their requests. */
  readonly #starts = new Map<string, { task: Task; prompt: readonly Message[] }>();
  readonly #episodes = new Map<string, Episode>();
  /** Attempts that programs lead, by the ids of their traces. */
  readonly #leading = new Map<string, { task: Task; led: LedAttempt }>();
  /** Tasks whose attempts are led, each in its own way. */
  readonly #toLead: Task[] = [];
  /** Tasks whose attempts hold a session each. */
  readonly #held: Task[] = [];
  /** Closes once a budget is used up; null without one. */
  readonly #gate: Gate | null;
  /** Of the phase; aborted as well when records cannot be written. */
  readonly #signal: AbortSignal;

  constructor(loop: Attempters, plan: AttemptPlan) {
    this.#loop = loop;
    this.#plan = plan;
    this.#stages = new Stages(loop, plan);
    this.#traces = this.#stages.traces;
    this.#signal = AbortSignal.any([loop.ports.signal, this.#traces.failed]);
    this.#gate = isBudgeted(plan.purpose) ? (loop.meter?.gate('attempted') ?? null) : null;
    this.#unanswered = plan.begun?.unanswered ?? new UnansweredCount();
  }

  async run(): Promise<Attempts> {
    await this.#traces.recall();
    if (!this.#plan.closed) {
      try {
        await this.#watched(async () => {
          this.#stages.next();
          do await this.#allThatMayBegin();
          while (await this.#stages.another(this.#gate));
        });
      } finally {
        await this.#traces.settle();
      }
    }
    const groups = this.#traces.groups();
    // A budget that is used up leaves tasks with fewer attempts, or none; of spare groups not all are needed.
    if (!this.#plan.closed && this.#plan.race === undefined && this.#gate?.isClosed() !== true) this.#insist(groups);
    return { groups, tokens: this.#traces.tokens, ...this.#unanswered.event, ...this.#stages.outcome };
  }

  #watched(work: () => Promise<void>): Promise<void> {
    const { underWay } = this.#loop.ports;
    return underWay === undefined ? work() : underWay.while((task) => this.#underWayAt(task), work);
  }

  *#underWayAt(asked: string): Generator<AttemptUnderWay> {
    for (const { task, index, messages } of this.#episodes.values())
      if (task.id === asked) yield { id: this.#traces.idOf(task.id, index), messages };
    for (const [id, { task, led }] of this.#leading) if (task.id === asked) yield { id, messages: led.record.messages };
  }

  async #allThatMayBegin(): Promise<void> {
    if (this.#loop.agent.policy.capabilities.deterministic) await this.#inWaves();
    else await this.#asTheyCome();
    await this.#led();
    await this.#inSessions();
  }

  /** Turn by turn, all episodes at once: the order of completion does not depend on chance. */
  async #inWaves(): Promise<void> {
    const pace = await this.#paced();
    for (let requests = pace.next(); requests.length > 0; requests = pace.next()) {
      try {
        while (requests.length > 0) {
          const next: SampleRequest[] = [];
          for await (const answer of this.#sample(requests)) append(next, await this.#take(answer));
          requests = next;
        }
      } finally {
        pace.settled();
      }
    }
  }

  /** Requests an episode's next turn as soon as its answer arrives. */
  async #asTheyCome(): Promise<void> {
    const pace = await this.#paced();
    for (let begun = pace.next(); begun.length > 0; begun = pace.next()) {
      const answers = new Merge<Completion | FailedCompletion>();
      answers.add(this.#sample(begun));
      try {
        for await (const answer of answers) {
          const next = await this.#take(answer);
          if (next.length === 0) pace.ended();
          const more = this.#stages.next();
          if (more.length > 0) pace.add(await this.#firstTurns(more));
          answers.add(this.#sample([...next, ...pace.next()]));
        }
      } finally {
        pace.settled();
      }
    }
  }

  async #paced(): Promise<Pace> {
    return new Pace(await this.#firstTurns(this.#plan.tasks), this.#gate, this.#loop.agent.policy.capabilities);
  }

  /** Each attempt sends its own requests; an error that ends the phase ends all of them. */
  async #led(): Promise<void> {
    const { agent, experiment } = this.#loop;
    const tasks = this.#toLead.splice(0);
    const missing = this.#stages.beginAll(tasks);
    const most = tasks.map((task) => this.#leaderOf(task)?.atOnce ?? Infinity);
    const atOnce = smallest([agent.policy.capabilities.concurrency, ...most]);
    await inParallel(missing, atOnce, this.#signal, this.#gate, async ({ task, index }, signal) => {
      const leader = this.#leaderOf(task);
      if (leader === null) return;
      const id = this.#traces.idOf(task.id, index);
      const key = `${task.id}/${index}`;
      const led = new LedAttempt(agent, experiment.rollouts.maxTurns, {
        id,
        sampling: (turn) => ({ ...this.#urgency(task), ...this.#sampling(key, ...turn) }),
        signal,
      });
      this.#leading.set(id, { task, led });
      try {
        const { verdict } = await leader.lead(task, id, (question) => led.ask(question), led.signal);
        led.signal.throwIfAborted();
        await this.#traces.finish({ task, index, ...led.record }, verdict);
      } catch (error) {
        this.#ended(error, task);
      } finally {
        this.#leading.delete(id);
      }
    });
  }

  #leaderOf(task: Task): Leader | null {
    return this.#loop.ports.domain.leaderOf?.(task) ?? null;
  }

  /**
   * Where all attempts must be answered, those whose episodes died are not missed.
   * @throws LoopError `endpoint` when a task has too few attempts; those that finished are recorded
   */
  #insist(groups: readonly Group[]): void {
    const { minimum, group } = this.#plan;
    const cause = this.#unanswered.first ?? l10n.t('The endpoint gave fewer completions than were asked for.');
    const all = this.#loop.experiment.rollouts.minGroup === null;
    const excused = (task: Task): number => (all ? this.#unanswered.diedAt(task) : 0) + this.#stages.leftOut(task);
    const short = groups.find(({ task, traces }) => traces.length + excused(task) < minimum);
    if (short !== undefined) {
      throw new LoopError(
        'endpoint',
        l10n.t(
          'Task {0} has {1} of {2} attempts, and {3} must be there (rollouts.minGroup): {4}',
          short.task.id,
          short.traces.length,
          group,
          minimum,
          cause,
        ),
      );
    }
    if (groups.length > 0 && groups.every(({ traces }) => traces.length === 0)) {
      throw new LoopError('endpoint', l10n.t('Not one attempt was answered: {0}', cause));
    }
  }

  /** An episode that died costs only its own attempt. @throws any other error */
  #ended(error: unknown, task: Task | undefined): void {
    if (!EpisodeError.is(error)) throw error;
    this.#unanswered.add(error.message, task);
  }

  /** All groups at once: one request a task, so that its G attempts share one prefill. */
  async #firstTurns(tasks: readonly Task[]): Promise<SampleRequest[]> {
    const { group } = this.#plan;
    const requests: SampleRequest[] = [];
    for (const task of longestFirst(tasks, this.#plan.expected)) {
      const { domain } = this.#loop.ports;
      const only = this.#stages.missing(task);
      if (only.length === 0) continue;
      if (this.#leaderOf(task) !== null) {
        this.#toLead.push(task);
        continue;
      }
      const environment = domain.environment(task);
      if (environment?.close !== undefined) {
        this.#held.push(task);
        continue;
      }
      this.#stages.begin(task);
      if (this.#plan.given !== undefined) {
        append(requests, await this.#continued(task, only));
        continue;
      }
      const opening = await this.#opened(task, environment, only.length);
      if (opening === null) continue;
      const prompt = await this.#posed(task, only.length);
      if (prompt === null) continue;
      const messages = asked(prompt, opening);
      requests.push({
        id: task.id,
        messages,
        n: group,
        only,
        ...armed(opening.tools ?? task.tools),
        ...this.#urgency(task),
        ...this.#sampling(task.id, 0),
      });
      this.#starts.set(task.id, { task, prompt });
    }
    return requests;
  }

  /** Attempts that begin with the plan's turns: each has an episode of its own from the start. */
  async #continued(task: Task, only: readonly number[]): Promise<SampleRequest[]> {
    const requests: SampleRequest[] = [];
    for (const index of only) {
      const id = this.#traces.idOf(task.id, index);
      const environment = this.#loop.ports.domain.environment(task);
      const opening = await this.#opened(task, environment, 1);
      if (opening === null) continue;
      try {
        const prompt = await this.#loop.ports.domain.agentPrompt(task);
        const episode = await this.#begun({ task, index, environment, prompt }, opening);
        this.#episodes.set(id, episode);
        requests.push(this.#nextTurn(id, episode));
      } catch (error) {
        this.#ended(error, task);
      }
    }
    return requests;
  }

  /**
   * Episodes that hold a session, each by itself from its reset to its end: no session waits for the turn of another. How
   * many there are at once is the server's matter; a failure of one ends the waits of the others.
   */
  async #inSessions(): Promise<void> {
    const sessions = this.#stages.beginAll(this.#held.splice(0));
    const atOnce = this.#gate === null ? sessions.length : this.#loop.agent.policy.capabilities.concurrency;
    await inParallel(sessions, atOnce, this.#signal, this.#gate, async ({ task, index }, signal) => {
      const environment = this.#loop.ports.domain.environment(task);
      if (environment?.close === undefined) return;
      try {
        await this.#session(task, index, environment, signal);
      } finally {
        await environment.close();
      }
    });
  }

  async #session(task: Task, index: number, environment: Environment, signal: AbortSignal): Promise<void> {
    const id = this.#traces.idOf(task.id, index);
    try {
      const opening = await environment.reset(task, signal);
      const prompt = await this.#loop.ports.domain.agentPrompt(task);
      const episode = await this.#begun({ task, index, environment, prompt }, opening);
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

  /** A task's prompt; null when its domain cannot write it, which leaves `attempts` unanswered. */
  async #posed(task: Task, attempts: number): Promise<readonly Message[] | null> {
    try {
      return await this.#loop.ports.domain.agentPrompt(task);
    } catch (error) {
      for (let i = 0; i < attempts; i++) this.#ended(error, task);
      return null;
    }
  }

  /** The episode that an answer belongs to; a first turn begins one. */
  async #episodeOf({ requestId, index }: Completion): Promise<Episode | null> {
    const open = this.#episodes.get(requestId);
    if (open !== undefined) return open;
    const start = this.#starts.get(requestId);
    if (start === undefined) return null;
    const environment = this.#loop.ports.domain.environment(start.task);
    return this.#begun({ ...start, index, environment }, (await environment?.reset(start.task)) ?? silence);
  }

  async #begun(start: Pick<Episode, 'task' | 'index' | 'environment' | 'prompt'>, first: Read): Promise<Episode> {
    const { given } = this.#plan;
    const { task, prompt } = start;
    const opening = given === undefined ? first : withEdit(first, 0, given);
    const { messages, tools = task.tools, steps = [] } = opening;
    const episode: Episode = {
      ...{ ...start, asked: asked(prompt, opening), messages: [...messages] },
      ...{ sequences: [], counted: undefined, turns: 0 },
      ...{ tools, steps: [...steps] },
    };
    const { maxTurns } = this.#loop.experiment.rollouts;
    if (given !== undefined) await replay(episode, given, maxTurns);
    return episode;
  }

  /** Takes an answer; gives the request for the episode's next turn, if it has one. */
  async #take(answer: Completion | FailedCompletion): Promise<SampleRequest[]> {
    this.#plan.race?.signal.throwIfAborted();
    if (hasFailed(answer)) {
      this.#unanswered.add(answer.failure);
      return [];
    }
    try {
      return await this.#answered(answer);
    } catch (error) {
      const task = this.#episodes.get(answer.requestId)?.task ?? this.#starts.get(answer.requestId)?.task;
      this.#ended(error, task);
      this.#episodes.delete(answer.requestId);
      return [];
    }
  }

  async #answered(answer: Completion): Promise<SampleRequest[]> {
    const episode = await this.#episodeOf(answer);
    if (episode === null) return [];
    const { task, index } = episode;
    const id = this.#traces.idOf(task.id, index);
    if (await this.#turn(episode, answer)) {
      this.#episodes.delete(id);
      return [];
    }
    this.#episodes.set(id, episode);
    return [this.#nextTurn(id, episode)];
  }

  #nextTurn(id: string, { task, index, asked: messages, turns, tools }: Episode): SampleRequest {
    return {
      id,
      messages,
      n: 1,
      ...armed(tools),
      ...this.#urgency(task),
      ...this.#sampling(`${task.id}/${index}`, turns),
    };
  }

  #urgency(task: Task): Pick<SampleRequest, 'urgency'> {
    return urgencyOf(this.#loop.experiment.rollouts, this.#plan.epoch, this.#plan.expected?.(task));
  }

  #sampling(key: string, ...turn: readonly number[]): Omit<SampleRequest, 'id' | 'messages' | 'tools' | 'n' | 'only'> {
    const { seed, rollouts } = this.#loop.experiment;
    const { purpose, epoch, temperature, keepSequences } = this.#plan;
    return {
      seed: seedFrom(seed, purpose, epoch, key, ...turn),
      maxTokens: rollouts.maxTokens,
      ...defined({ maxSequence: rollouts.maxSequence ?? undefined }),
      temperature,
      ...(!keepSequences && { logprobs: false }),
    };
  }

  async *#sample(requests: readonly SampleRequest[]): AsyncIterable<Completion | FailedCompletion> {
    if (requests.length === 0) return;
    const { agent } = this.#loop;
    let left = requests.reduce((sum, request) => sum + completionsOf(request), 0);
    for await (const answer of agent.policy.sample(agent.version, requests, this.#signal)) {
      yield answer;
      left -= 1;
      // An endpoint may forget its requests once it has no more of them to answer.
      if (left === 0) await this.#traces.recorded();
    }
  }

  /** Takes one turn of an episode; true when that ended it and its trace is handed over to be judged and recorded. */
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
    const before = observation.alone === true ? episode.prompt : [...episode.asked, said];
    episode.asked = asked(before, observation);
    if (observation.done) await this.#finish(episode, 'stop');
    else if (episode.turns >= this.#loop.experiment.rollouts.maxTurns) await this.#finish(episode, 'turns');
    else return false;
    return true;
  }

  async #finish(episode: Episode, stopReason: Trace['stopReason']): Promise<void> {
    await this.#traces.finish({ ...episode, stopReason }, null);
  }
}
