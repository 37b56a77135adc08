/** A domain that a person wrote as a file: the loop's port, answered by the file's functions (docs/domains.md). */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { DomainBase } from '../benchmarks/recipes/recipe.ts';
import { EpisodeError } from '../engine/errors.ts';
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
import { defined } from '../shared/defined.ts';
import type { DomainFunctions } from './domainFunctions.ts';
import { FileEpisode } from './fileEpisode.ts';
import { OpenenvEpisode } from './openenv/episode.ts';
import { judgedByFile, judgedByRewards, playedOf } from './openenv/judged.ts';
import type { Server } from './openenv/port.ts';
import { textKey } from './textKey.ts';
import type { ScorerRule } from '../benchmarks/scorerRule.ts';

/** The tasks that a run passes to its domain: seed tasks and held-out tasks, as of its start. */
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

/** The parts that complete a domain file. */
interface Behind {
  /** The recipe that the file names: it provides the functions that the file lacks. */
  base?: DomainBase | null;
  /** Programs, where they are started here. */
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
  readonly #base: DomainBase | null;
  readonly planPrompt?: (context: GenerationContext) => Promise<readonly Message[]> | readonly Message[] | null;
  readonly leaderOf?: () => Leader;

  /** @param by a maker of attempts that replaces the file's, if any, and its recipe */
  constructor(file: string, host: DomainFunctions, tasks: DomainTasks, rules: ScorerRule, by: Behind = {}) {
    this.name = domainName(file);
    this.#file = basename(file);
    this.#host = host;
    this.#tasks = tasks;
    this.#rules = rules;
    const { leader } = by;
    if (leader !== undefined) this.leaderOf = () => leader;
    this.#played = by.played ?? null;
    const base = by.base ?? null;
    this.#base = base;
    if (host.has('planPrompt')) this.planPrompt = (context) => this.#prompt('planPrompt', this.#told(context));
    else if (base?.planPrompt !== undefined) this.planPrompt = (context) => base.planPrompt?.(context) ?? null;
  }

  /** Whether a recipe provides the functions that the file lacks. */
  get hasRecipe(): boolean {
    return this.#base !== null;
  }

  seeds(split: 'base' | 'validation'): readonly Task[] {
    return split === 'base' ? this.#tasks.base : this.#tasks.heldOut;
  }

  /** @throws EpisodeError */
  async environmentPrompt(context: GenerationContext, plan: Message | null): Promise<readonly Message[]> {
    if (this.#base !== null && !this.#host.has('environmentPrompt')) return this.#base.environmentPrompt(context, plan);
    const prompt = await this.#prompt('environmentPrompt', { ...this.#told(context), plan: plan?.content ?? '' });
    // An unchanged plan keeps the token ids it was sampled with.
    return prompt.map((one) => (one.role === 'assistant' && one.content === plan?.content ? plan : one));
  }

  async parseTask(text: string, plan: string, seed: Task): Promise<ParsedTask> {
    const base = this.#base?.parseTask(text, plan, seed) ?? null;
    if (base !== null && !this.#host.has('parse')) return base;
    const read = base === null ? {} : { base: base.ok ? givenDraft(base.draft) : { reject: base.note } };
    const given = await this.#asked('parse', readDraft, text, { plan, seed: rewardTask(seed), ...read });
    if ('fault' in given) return { ok: false, cause: 'unparseable', note: given.fault };
    if ('reject' in given.value) {
      // A file that passes on its recipe's refusal keeps the recipe's reason.
      const same = base?.ok === false && base.note === given.value.reject;
      return same ? base : { ok: false, cause: 'unparseable', note: given.value.reject };
    }
    return { ok: true, draft: { ...given.value.draft, plan } };
  }

  async verify(task: TaskDraft): Promise<Verification> {
    const base = this.#base?.verify(task) ?? null;
    if (base?.ok === false) return base;
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

  verifies(): boolean {
    return this.#base !== null || this.#host.has('verify');
  }

  fingerprint(task: Pick<Task, 'prompt' | 'evaluation'>): string {
    return this.#base?.fingerprint(task) ?? textKey(task.prompt, task.evaluation);
  }

  wording(task: Pick<Task, 'prompt'>): string | undefined {
    return this.#base?.wording?.(task);
  }

  likeness(task: TaskDraft): Verification {
    return this.#base?.likeness?.(task) ?? { ok: true };
  }

  needsAgreement(task: Pick<Task, 'domain'>): boolean {
    return this.#base?.needsAgreement?.(task) === true;
  }

  goldFollows(task: Pick<Task, 'domain'>): boolean {
    return this.#base?.goldFollows?.(task) === true;
  }

  environmentExample(task: Task, context: GenerationContext): readonly Message[] | null {
    return this.#base?.environmentExample?.(task, context) ?? null;
  }

  agentPrompt(task: Task): readonly Message[] | Promise<readonly Message[]> {
    if (this.#host.has('agentPrompt')) return this.#prompt('agentPrompt', rewardTask(task));
    return this.#base?.agentPrompt(task) ?? task.prompt;
  }

  environment(task: Task): Environment | null {
    if (this.leaderOf !== undefined) return null;
    if (this.#played !== null) return new OpenenvEpisode(this.#file, this.#host, this.#played.server);
    if (this.#host.has('step')) return new FileEpisode(this.#file, this.#host);
    const episode = this.#base?.environment(task) ?? null;
    if (episode !== null) return episode;
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
        if (played === null) return errorVerdict(l10n.t('The attempt has no rewards of a server.'));
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

  #told(context: GenerationContext) {
    const about = this.#base?.about(context);
    return { ...contextOf(context), ...defined({ about }) };
  }

  async #prompt(call: string, given: unknown): Promise<readonly Message[]> {
    const prompt = await this.#asked(call, readPrompt, given);
    if ('fault' in prompt) throw new EpisodeError(unasked(this.#file, call, prompt.fault));
    return prompt.value;
  }

  async #asked<T>(call: string, read: (value: unknown) => Read<T>, ...given: readonly unknown[]): Promise<Read<T>> {
    const reply = await this.#host.call(call, ...given);
    return 'fault' in reply ? { fault: faultSentence(reply.fault) } : read(reply.written);
  }
}

const unasked = (file: string, call: string, why: string): string =>
  l10n.t(
    '“{0}” of {1} failed: {2}. Correct the file, then start a run: this one asks its own copy.',
    call,
    file,
    why.replace(/[.]$/, ''),
  );

const contextOf = ({ seed, recentSuccess, target, lineage = [], rejected = [] }: GenerationContext) => ({
  seed: rewardTask(seed),
  ...{ recentSuccess, target, lineage, rejected },
});

/** A task as a file gives one. */
const givenDraft = ({ prompt, tools, evaluation, gold, complexity }: TaskDraft) => ({
  ...{ prompt, evaluation, gold, difficulty: complexity },
  ...defined({ tools }),
});
