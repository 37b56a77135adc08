/** A domain that a person wrote as a file: the loop's port, answered by the file's functions (docs/domains.md). */
import { basename } from 'node:path';
import type { ScorerRule } from '../benchmarks/scorerTable.ts';
import type { Leader } from '../engine/leader.ts';
import type { Domain, Environment, GenerationContext, Judge, ParsedTask, Verification } from '../engine/ports.ts';
import { failed, faultSentence } from '../rewards/processes/answer.ts';
import { domainName, judgedByDomain } from '../shared/domains/domainFile.ts';
import { readDraft, readPrompt, readVerified, type Read } from '../shared/domains/given.ts';
import type { Message } from '../shared/records/message.ts';
import type { Task, TaskDraft } from '../shared/records/task.ts';
import type { Trace, Verdict } from '../shared/records/trace.ts';
import { rewardCall, rewardTask } from '../shared/rewards/given.ts';
import { recordedVerdict } from '../shared/rewards/outcome.ts';
import { errorVerdict } from '../shared/rewards/result.ts';
import { DomainError } from './domainError.ts';
import type { DomainFunctions } from './domainFunctions.ts';
import { FileEpisode } from './fileEpisode.ts';
import { OpenenvEpisode } from './openenv/episode.ts';
import { judgedByFile, judgedByRewards, playedOf } from './openenv/judged.ts';
import type { Server } from './openenv/port.ts';
import { textKey } from './textKey.ts';

/** What a run gives its domain: seed tasks and held-out tasks, as they were when it began. */
export interface DomainTasks {
  base: readonly Task[];
  heldOut: readonly Task[];
}

/** The OpenEnv server that plays the episodes. */
export interface DomainServer {
  server: Server;
  /** A last reward from which on an episode is solved. */
  solvedAt: number;
}

/** Programs, where they are started here; a server. */
interface AttemptedBy {
  leader?: Leader;
  played?: DomainServer;
}

/** Tasks that name a built-in rule are judged by it, the others by the file. */
export class FileDomain implements Domain {
  readonly name: string;
  readonly #host: DomainFunctions;
  readonly #file: string;
  readonly #tasks: DomainTasks;
  readonly #rules: ScorerRule;
  readonly #played: DomainServer | null;
  readonly planPrompt?: (context: GenerationContext) => Promise<readonly Message[]>;
  readonly leader?: Leader;

  /** @param by what makes attempts in the file's place, where something does */
  constructor(file: string, host: DomainFunctions, tasks: DomainTasks, rules: ScorerRule, by: AttemptedBy = {}) {
    this.name = domainName(file);
    this.#file = basename(file);
    this.#host = host;
    this.#tasks = tasks;
    this.#rules = rules;
    if (by.leader !== undefined) this.leader = by.leader;
    this.#played = by.played ?? null;
    if (host.has('planPrompt')) this.planPrompt = (context) => this.#prompt('planPrompt', contextOf(context));
  }

  seeds(split: 'base' | 'validation'): readonly Task[] {
    return split === 'base' ? this.#tasks.base : this.#tasks.heldOut;
  }

  /** @throws DomainError */
  environmentPrompt(context: GenerationContext, plan: Message | null): Promise<readonly Message[]> {
    return this.#prompt('environmentPrompt', { ...contextOf(context), plan: plan?.content ?? '' });
  }

  async parseTask(text: string, plan: string, seed: Task): Promise<ParsedTask> {
    const given = await this.#asked('parse', readDraft, text, { plan, seed: rewardTask(seed) });
    if ('fault' in given) return { ok: false, cause: 'unparseable', note: given.fault };
    if ('reject' in given.value) return { ok: false, cause: 'unparseable', note: given.value.reject };
    return { ok: true, draft: { ...given.value.draft, plan } };
  }

  async verify(task: TaskDraft): Promise<Verification> {
    if (task.evaluation.kind !== judgedByDomain) {
      const fault = this.#rules.fault(task);
      if (fault !== null) return { ok: false, cause: 'gold', note: fault };
    }
    if (!this.#host.has('verify')) return { ok: true };
    const { prompt, tools, evaluation, gold, plan } = task;
    const given = await this.#asked('verify', readVerified, { prompt, tools, evaluation, gold, plan });
    if ('fault' in given) return { ok: false, cause: 'gold', note: given.fault };
    return given.value === true ? { ok: true } : { ok: false, cause: 'gold', note: given.value };
  }

  fingerprint({ prompt, evaluation }: Pick<Task, 'prompt' | 'evaluation'>): string {
    return textKey(prompt, evaluation);
  }

  agentPrompt(task: Task): readonly Message[] | Promise<readonly Message[]> {
    return this.#host.has('agentPrompt') ? this.#prompt('agentPrompt', rewardTask(task)) : task.prompt;
  }

  environment(task: Task): Environment | null {
    if (this.leader !== undefined) return null;
    if (this.#played !== null) return new OpenenvEpisode(this.#file, this.#host, this.#played.server);
    if (this.#host.has('step')) return new FileEpisode(this.#file, this.#host);
    return task.evaluation.kind === judgedByDomain ? null : (this.#rules.episode?.(task) ?? null);
  }

  /** The file's own judge; null where it has none, and every task names a rule. */
  get judge(): Judge | null {
    if (!this.#host.has('judge') && this.#played === null) return null;
    return {
      judge: async (task, trace) => {
        if (task.evaluation.kind !== judgedByDomain) return this.#rules.score(task, trace);
        const { task: about, trace: attempt } = rewardCall(task, trace);
        if (this.#host.has('judge')) return this.#verdict(trace, 'judge', about, attempt);
        const played = playedOf(trace);
        if (played === null) return errorVerdict('The attempt has no rewards of a server.');
        if (this.#host.has('solved')) return this.#verdict(trace, 'solved', played, about);
        return judgedByRewards(played, this.#played?.solvedAt ?? 1, trace.stopReason);
      },
    };
  }

  async #verdict({ stopReason }: Pick<Trace, 'stopReason'>, call: string, ...given: unknown[]): Promise<Verdict> {
    const reply = await this.#host.call(call, ...given);
    const { output } = reply;
    if ('fault' in reply) return recordedVerdict(failed(reply.fault, output));
    return recordedVerdict({ verdict: judgedByFile(reply.value, stopReason), fault: null, output });
  }

  async #prompt(call: string, given: unknown): Promise<readonly Message[]> {
    const prompt = await this.#asked(call, readPrompt, given);
    if ('fault' in prompt) throw new DomainError(this.#file, call, prompt.fault);
    return prompt.value;
  }

  async #asked<T>(call: string, read: (value: unknown) => Read<T>, ...given: readonly unknown[]): Promise<Read<T>> {
    const reply = await this.#host.call(call, ...given);
    return 'fault' in reply ? { fault: faultSentence(reply.fault) } : read(reply.value);
  }
}

const contextOf = ({ seed, recentSuccess, target }: GenerationContext) => ({
  seed: rewardTask(seed),
  recentSuccess,
  target,
});
