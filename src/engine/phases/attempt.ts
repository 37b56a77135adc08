/**
 * Rollouts: the agent attempts every task of a batch G times. A trace is recorded the moment it is finished and judged;
 * what a resumed run already has is not sampled again.
 */
import type { Message } from '../../shared/records/message.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import type { Loop } from '../loop.ts';
import { appendTurn, recordedLogprobs } from '../math/sequence.ts';
import type { Completion, Environment, SampleRequest } from '../ports.ts';
import { seedFrom } from '../random.ts';

export interface AttemptPlan {
  purpose: Trace['purpose'];
  epoch: number;
  tasks: readonly Task[];
  /** G, attempts per task. */
  group: number;
  temperature: number;
  /** Whether traces keep token ids and logprobs: only what is trained on needs them. */
  keepSequences: boolean;
}

/** Traces of one task, in attempt order. */
export interface Group {
  task: Task;
  traces: Trace[];
}

export interface Attempts {
  groups: Group[];
  tokens: number;
}

const prefixes: Record<Trace['purpose'], string> = { train: 'e', validation: 'v', rank: 'k' };

interface Episode {
  task: Task;
  index: number;
  environment: Environment | null;
  messages: Message[];
  sequences: Trace['sequences'];
  turns: number;
}

/** Attempts every task of the plan `group` times under the agent's newest version. */
export async function attempt(loop: Loop, plan: AttemptPlan): Promise<Attempts> {
  return new Attempting(loop, plan).run();
}

class Attempting {
  readonly #loop: Loop;
  readonly #plan: AttemptPlan;
  readonly #done = new Map<string, Trace>();
  readonly #total: number;
  #tokens = 0;
  #finished = 0;
  #successes = 0;

  constructor(loop: Loop, plan: AttemptPlan) {
    this.#loop = loop;
    this.#plan = plan;
    this.#total = plan.tasks.length * plan.group;
  }

  #traceId(task: string, index: number): string {
    return `${prefixes[this.#plan.purpose]}${this.#plan.epoch}/${task}/r${index}`;
  }

  async run(): Promise<Attempts> {
    const { purpose, epoch, tasks, group } = this.#plan;
    for (const trace of await this.#loop.ports.records.tracesOf(epoch)) {
      if (trace.purpose !== purpose) continue;
      this.#done.set(trace.id, trace);
      this.#count(trace);
    }
    let episodes = await this.#firstTurns();
    while (episodes.length > 0) episodes = await this.#nextTurns(episodes);
    const groups = tasks.map((task) => ({
      task,
      traces: Array.from({ length: group }, (_, i) => this.#done.get(this.#traceId(task.id, i))).filter(
        (trace) => trace !== undefined,
      ),
    }));
    return { groups, tokens: this.#tokens };
  }

  /** All groups at once: one request a task, so that its G attempts share one prefill. */
  async #firstTurns(): Promise<Episode[]> {
    const { tasks, group } = this.#plan;
    const byId = new Map(tasks.map((task) => [task.id, task]));
    const opening = new Map<string, Message[]>();
    const requests: SampleRequest[] = [];
    for (const task of tasks) {
      const only = Array.from({ length: group }, (_, i) => i).filter((i) => !this.#done.has(this.#traceId(task.id, i)));
      if (only.length === 0) continue;
      const observation = this.#loop.ports.domain.environment(task)?.reset(task);
      const messages = [...this.#loop.ports.domain.agentPrompt(task), ...(observation?.messages ?? [])];
      opening.set(task.id, [...(observation?.messages ?? [])]);
      requests.push({ id: task.id, messages, n: group, only, ...this.#sampling(task.id, 0) });
    }
    const open: Episode[] = [];
    for await (const completion of this.#sample(requests)) {
      const task = byId.get(completion.requestId);
      if (task === undefined) continue;
      const environment = this.#loop.ports.domain.environment(task);
      environment?.reset(task);
      const messages = [...(opening.get(task.id) ?? [])];
      const episode: Episode = { task, index: completion.index, environment, messages, sequences: [], turns: 0 };
      if (!(await this.#turn(episode, completion))) open.push(episode);
    }
    return open;
  }

  /** One more turn of every episode that goes on. */
  async #nextTurns(episodes: readonly Episode[]): Promise<Episode[]> {
    const byId = new Map(episodes.map((episode) => [this.#traceId(episode.task.id, episode.index), episode]));
    const requests = [...byId].map(([id, { task, index, messages, turns }]) => ({
      id,
      messages: [...this.#loop.ports.domain.agentPrompt(task), ...messages],
      n: 1,
      ...this.#sampling(`${task.id}/${index}`, turns),
    }));
    const open: Episode[] = [];
    for await (const completion of this.#sample(requests)) {
      const episode = byId.get(completion.requestId);
      if (episode !== undefined && !(await this.#turn(episode, completion))) open.push(episode);
    }
    return open;
  }

  #sampling(key: string, turn: number): Pick<SampleRequest, 'seed' | 'maxTokens' | 'temperature'> {
    const { seed, rollouts } = this.#loop.experiment;
    const { purpose, epoch, temperature } = this.#plan;
    return { seed: seedFrom(seed, purpose, epoch, key, turn), maxTokens: rollouts.maxTokens, temperature };
  }

  async *#sample(requests: readonly SampleRequest[]): AsyncIterable<Completion> {
    if (requests.length === 0) return;
    const { agent, ports } = this.#loop;
    for await (const completion of agent.policy.sample(agent.version, requests, ports.signal)) yield completion;
  }

  /** Takes one turn of an episode; true when that ended it and its trace is on disk. */
  async #turn(episode: Episode, completion: Completion): Promise<boolean> {
    const { content, tokens } = { content: completion.text, tokens: [...completion.tokens] };
    episode.messages.push({ role: 'assistant', content, tokens });
    episode.turns += 1;
    appendTurn(episode.sequences, { ...completion, logprobs: recordedLogprobs(completion.logprobs) });
    if (episode.environment === null || completion.stopReason === 'length') {
      await this.#finish(episode, completion.stopReason);
      return true;
    }
    const observation = episode.environment.step(completion.text);
    episode.messages.push(...observation.messages);
    if (observation.done) await this.#finish(episode, 'stop');
    else if (episode.turns >= this.#loop.experiment.rollouts.maxTurns) await this.#finish(episode, 'turns');
    else return false;
    return true;
  }

  async #finish(episode: Episode, stopReason: Trace['stopReason']): Promise<void> {
    const { purpose, epoch, keepSequences } = this.#plan;
    const { ports, agent } = this.#loop;
    const { task, index, messages, sequences } = episode;
    const trace: Trace = {
      v: 1,
      id: this.#traceId(task.id, index),
      purpose,
      task: task.id,
      family: task.family,
      epoch,
      version: agent.version.name,
      messages,
      sequences: keepSequences ? sequences : sequences.map((sequence) => ({ ...sequence, tokens: [], logprobs: [] })),
      stopReason,
      verdict: ports.scorer.score(task, { messages, stopReason }),
    };
    await ports.records.appendTraces([trace]);
    this.#done.set(trace.id, trace);
    this.#count(trace);
  }

  #count(trace: Trace): void {
    const { purpose, epoch } = this.#plan;
    this.#finished += 1;
    this.#tokens += tokensOf(trace);
    if (trace.verdict.success) this.#successes += 1;
    this.#loop.ports.onProgress?.({
      phase: purpose === 'train' ? 'attempt' : purpose === 'rank' ? 'rank' : 'validate',
      epoch,
      done: this.#finished,
      total: this.#total,
      tokens: this.#tokens,
      successes: this.#successes,
    });
  }
}

/** Tokens processed for a trace: prompt and answer. Counted from spans, which every trace keeps. */
export function tokensOf(trace: Trace): number {
  return trace.sequences.reduce((sum, { spans }) => sum + (spans.at(-1)?.[1] ?? 0), 0);
}

/** Sampled tokens of a trace. */
export function answerTokens(trace: Trace): number {
  return trace.sequences.reduce((sum, { spans }) => sum + spans.reduce((n, [start, end]) => n + end - start, 0), 0);
}
