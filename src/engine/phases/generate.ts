/**
 * Phase 1 of an epoch: the environment policy writes tasks (paper §2.3, Algorithm 1). Every text is recorded, with the
 * reason where it did not become a task; a resumed run reuses the texts that were paid for before a crash.
 */
import * as l10n from '@vscode/l10n';
import type { EventOf } from '../../shared/journal/events.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Agreement, Task, TaskDraft } from '../../shared/records/task.ts';
import { defined } from '../../shared/defined.ts';
import { figuresOf, tasksOfDomain } from '../byDomain.ts';
import { LoopError } from '../errors.ts';
import { timed, type Loop } from '../loop.ts';
import { sum } from '../../shared/sum.ts';
import { Merge } from '../merge.ts';
import { expectedChain, type ExpectedLength } from '../order/expectedLength.ts';
import { taskId } from '../order/textOrder.ts';
import { urgencyOf } from '../order/urgency.ts';
import { completionsOf, Pace } from '../spending/pace.ts';
import { billedForTexts, usesOfText } from '../spending/billed.ts';
import { KeptCompletions, type About } from './written/keptCompletions.ts';
import { plansAlone, planTokens } from './written/planTokens.ts';
import { countsOf } from './written/countsOf.ts';
import { samplingOf } from './written/samplingOf.ts';
import { textTokens } from './written/textTokens.ts';
import type { FailedCompletion, GenerationContext, RejectedTexts, SampleRequest, Verification } from '../ports.ts';
import { seedFrom } from '../random.ts';
import { countOf } from '../turn.ts';
import { UnansweredCount, hasFailed, unlessUnasked } from '../unanswered.ts';
import { wordingOf } from '../wording.ts';
import { qualitiesOf } from './quality.ts';
import { agreed, agreements, asksForAgreement } from './agreement.ts';
import { generationOf, planFrom, planOf, type Plan } from './written/plan.ts';
import type { Completion } from '../completion.ts';

/** One family to be written: its seed, the environment's context, and its plan once written. */
export interface FamilyRequest {
  id: string;
  context: GenerationContext;
  variations: number;
}

/** One text of the environment, and the check's findings. */
interface Written {
  family: FamilyRequest;
  /** The environment’s prompt. */
  asked: readonly Message[];
  completion: Completion;
  draft: TaskDraft;
  verification: Verification;
  agreement?: Agreement;
}

export type Generated = Omit<EventOf<'tasks.generated'>, 'v' | 'seq' | 'at' | 'type' | 'epoch'>;

const emptyDraft: TaskDraft = { prompt: [], evaluation: { kind: 'none' }, gold: null, complexity: {}, plan: '' };

/** Writes the families of one epoch. @param onAccepted called once for each task, as soon as it is recorded */
export async function generate(
  loop: Loop,
  epoch: number,
  families: readonly FamilyRequest[],
  onAccepted: (task: Task) => void = () => undefined,
): Promise<Generated> {
  const { result, seconds } = await timed(loop, () => new Generator(loop, epoch, families, onAccepted).run());
  return { ...result, seconds };
}

class Generator {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #families: readonly FamilyRequest[];
  readonly #onAccepted: (task: Task) => void;
  readonly #accepted = new Map<string, Set<number>>();
  readonly #plans = new Map<string, Plan>();
  /** Families whose domain has them planned first. */
  readonly #withPlan = new Set<string>();
  readonly #recorded = new Map<string, Task>();
  /** Plans, and texts that wait for independent answers. */
  readonly #kept: KeptCompletions;
  readonly #fingerprints: Set<string>;
  readonly #unanswered = new UnansweredCount();
  readonly #expected: ExpectedLength | undefined;
  #tokens = 0;

  constructor(loop: Loop, epoch: number, families: readonly FamilyRequest[], onAccepted: (task: Task) => void) {
    this.#onAccepted = onAccepted;
    this.#loop = loop;
    this.#epoch = epoch;
    this.#families = families;
    this.#expected = expectedChain(loop, epoch);
    this.#kept = new KeptCompletions(loop, epoch);
    this.#fingerprints = loop.experiment.generation.duplicates === 'run' ? loop.seen : new Set(loop.seen);
  }

  async run(): Promise<Omit<Generated, 'seconds'>> {
    const { ports, experiment } = this.#loop;
    for (const task of await ports.records.tasksOf(this.#epoch)) {
      this.#recorded.set(task.id, task);
      this.#loop.meter.record('written', this.#epoch, task.id, usesOfText(task));
    }
    await this.#kept.recall();
    for (let attempt = 1; attempt <= experiment.generation.attempts; attempt++) await this.#round(attempt);
    const left = sum(this.#families.map((family) => this.#missing(family).length));
    const { refused } = this.#loop.meter;
    const cut = left === 0 || refused === null ? undefined : { ...refused, left };
    this.#loop.forget(this.#epoch);
    const tasks = [...this.#recorded.values()];
    if (tasks.length === 0 && this.#unanswered.first !== null) {
      throw new LoopError('endpoint', l10n.t('Not one task was written: {0}', this.#unanswered.first));
    }
    const seeds = new Map(this.#families.map(({ context: { seed } }) => [seed.id, seed]));
    const { all: quality, ofDomains } = await qualitiesOf(this.#loop, this.#epoch, tasks, seeds);
    const { taskLength, ...counts } = countsOf(this.#families.length, tasks);
    const { plans } = this.#kept;
    return {
      ...counts,
      tokens: sum(tasks.map(textTokens)) + planTokens(plans, tasks),
      ...billedForTexts(experiment.endpoints, tasks, plans),
      ...defined({ plansAlone: plansAlone(plans, tasks), cut }),
      taskLength,
      ...defined({ quality: quality ?? undefined }),
      ...this.#unanswered.event,
      ...figuresOf(this.#loop.domains, (name) => {
        const families = this.#families.filter(({ context }) => context.seed.domain === name);
        const written = ofDomains.get(name);
        return {
          ...countsOf(families.length, tasksOfDomain(tasks, name)),
          ...defined({ quality: written }),
        };
      }),
    };
  }

  /** One try at everything that is still missing. A family without any accepted task is planned anew. */
  async #round(attempt: number): Promise<void> {
    await this.#planFamilies(
      this.#families.filter(({ id }) => this.#accepted.get(id) === undefined),
      attempt,
    );
    const planned = this.#families.filter(({ id }) => !this.#withPlan.has(id) || this.#plans.has(id));
    const wanted = planned.map((family) => ({ family, variations: this.#missing(family) }));
    const requests: SampleRequest[] = [];
    const askedFor = new Map<string, Pick<Written, 'family' | 'asked'>>();
    for (const { family, variations } of wanted) {
      for (const request of await this.#request(family, variations, attempt)) {
        requests.push(request);
        askedFor.set(request.id, { family, asked: request.messages });
      }
      for (const variation of variations) {
        const known = this.#recorded.get(taskId(family.id, variation, attempt));
        if (known?.status === 'accepted') this.#accept(family, variation, known);
      }
    }
    const written: Written[] = [];
    const waits = ({ context }: FamilyRequest): boolean => asksForAgreement(this.#loop, context.seed);
    const about: About = (id) => {
      const family = askedFor.get(id)?.family;
      return family !== undefined && waits(family) ? { kind: 'text', family: family.id, attempt } : null;
    };
    for await (const completion of this.#sample(requests, about)) {
      const whose = askedFor.get(completion.requestId);
      if (whose === undefined) continue;
      const one = { ...whose, completion, ...(await this.#judge(completion, whose.family)) };
      if (waits(whose.family)) written.push(one);
      else await this.#file(one, attempt);
    }
    await this.#agree(written, attempt);
  }

  /** Requests independent answers to valid tasks, all at once, and records everything in order. */
  async #agree(written: readonly Written[], attempt: number): Promise<void> {
    const idOf = ({ family, completion }: Written): string => taskId(family.id, completion.index, attempt);
    const candidates = written
      .filter(({ verification }) => verification.ok)
      .map((one) => ({
        ...{ id: idOf(one), family: one.family.id, attempt, epoch: this.#epoch, seed: one.family.context.seed.id },
        draft: one.draft,
      }));
    const found = await agreements(this.#loop, candidates, this.#kept, this.#unanswered);
    for (const one of written) {
      const agreement = found.get(idOf(one));
      if (agreement === undefined) await this.#file(one, attempt);
      else {
        const opinion = agreed(agreement, this.#loop.experiment.generation.agreementShare);
        // Others of this round may have become tasks meanwhile.
        const verification = opinion.ok ? this.#novelty(one.draft) : opinion;
        await this.#file({ ...one, verification, agreement }, attempt);
      }
    }
  }

  #missing({ id, variations }: FamilyRequest): number[] {
    const done = this.#accepted.get(id);
    return Array.from({ length: variations }, (_, v) => v).filter((v) => done?.has(v) !== true);
  }

  /** Failures are counted, and requested again in the next round. */
  async *#sample(requests: readonly SampleRequest[], about: About): AsyncIterable<Completion> {
    if (requests.length === 0) return;
    const { ports, environment } = this.#loop;
    const total = sum(requests.map(completionsOf));
    let done = 0;
    const ask = (rest: readonly SampleRequest[]) => this.#paced(rest);
    for await (const completion of this.#kept.sample(requests, { about, version: environment.version.name, ask })) {
      done += 1;
      if (hasFailed(completion)) {
        this.#unanswered.add(completion.failure);
        continue;
      }
      const { prompt, answer } = countOf(completion);
      this.#tokens += prompt + answer;
      ports.onProgress?.({ phase: 'generate', epoch: this.#epoch, done, total, tokens: this.#tokens });
      yield completion;
    }
  }

  /** Under a budget one after another, while it lasts. */
  async *#paced(requests: readonly SampleRequest[]): AsyncIterable<Completion | FailedCompletion> {
    const { ports, environment, meter } = this.#loop;
    const { policy, version } = environment;
    const pace = new Pace(requests, meter.gate('written'), policy.capabilities);
    for (let begun = pace.next(); begun.length > 0; begun = pace.next()) {
      const answers = new Merge<Completion | FailedCompletion>();
      const begin = (some: readonly SampleRequest[]): void => {
        if (some.length > 0) answers.add(policy.sample(version, some, ports.signal));
      };
      begin(begun);
      for await (const answer of answers) {
        yield answer;
        pace.ended();
        begin(pace.next());
      }
      pace.settled();
    }
  }

  async #planFamilies(families: readonly FamilyRequest[], attempt: number): Promise<void> {
    const { domain } = this.#loop.ports;
    const { generation, seed } = this.#loop.experiment;
    const requests: SampleRequest[] = [];
    const planned = new Map<string, string>();
    for (const family of families) {
      const { id, variations } = family;
      if (domain.planPrompt === undefined) continue;
      const plan = domain.planPrompt.bind(domain);
      const context = this.#contextOf(family, attempt);
      const asked = await unlessUnasked(this.#unanswered, variations, async () => ({ messages: await plan(context) }));
      if (asked?.messages === null) continue;
      this.#withPlan.add(id);
      this.#plans.delete(id);
      if (asked === null) continue;
      const { messages } = asked;
      const request = `${id}/${attempt}/plan`;
      const known = Array.from({ length: variations }, (_, v) => this.#recorded.get(taskId(id, v, attempt)));
      const recalled = this.#kept.has(request)
        ? undefined
        : known.map((task) => (task === undefined ? null : planOf(task))).find((plan) => plan !== null);
      if (recalled !== undefined) {
        this.#plans.set(id, recalled);
        continue;
      }
      planned.set(request, id);
      requests.push({
        id: request,
        messages,
        n: 1,
        seed: seedFrom(seed, 'plan', id, attempt),
        ...this.#urgency(family),
        ...samplingOf(generation),
      });
    }
    const about: About = (request) => {
      const family = planned.get(request);
      return family === undefined ? null : { kind: 'plan', family, attempt };
    };
    for await (const completion of this.#sample(requests, about)) {
      const family = planned.get(completion.requestId);
      if (family !== undefined) this.#plans.set(family, planFrom(completion));
    }
  }

  /** The request for a family's missing variations, without those that a resumed run already has. */
  async #request(family: FamilyRequest, missing: readonly number[], attempt: number): Promise<SampleRequest[]> {
    const { generation, seed } = this.#loop.experiment;
    const only = missing.filter((variation) => !this.#recorded.has(taskId(family.id, variation, attempt)));
    if (only.length === 0) return [];
    const messages = await unlessUnasked(this.#unanswered, only.length, () => this.#prompt(family, attempt));
    if (messages === null) return [];
    return [
      {
        id: `${family.id}/${attempt}`,
        messages,
        n: family.variations,
        only,
        seed: seedFrom(seed, 'task', family.id, attempt),
        ...this.#urgency(family),
        ...samplingOf(generation),
      },
    ];
  }

  #urgency({ context }: FamilyRequest): Pick<SampleRequest, 'urgency'> {
    return urgencyOf(this.#loop.experiment.rollouts, this.#epoch, this.#expected?.(context.seed));
  }

  #prompt(family: FamilyRequest, attempt: number): Promise<readonly Message[]> | readonly Message[] {
    const plan = this.#plans.get(family.id)?.message ?? null;
    return this.#loop.ports.domain.environmentPrompt(this.#contextOf(family, attempt), plan);
  }

  /** The context with the rejections of the family's earlier tries, all of which are recorded by then. */
  #contextOf({ id, context, variations }: FamilyRequest, attempt: number): GenerationContext {
    const rejected = new Map<string, RejectedTexts>();
    for (let earlier = 1; earlier < attempt; earlier++) {
      for (let variation = 0; variation < variations; variation++) {
        const { cause, note = '' } = this.#recorded.get(taskId(id, variation, earlier)) ?? {};
        if (cause === undefined) continue;
        const key = `${cause} ${note}`;
        rejected.set(key, { cause, note, count: (rejected.get(key)?.count ?? 0) + 1 });
      }
    }
    const condition = this.#loop.experiment.generation.condition && rejected.size > 0;
    return condition ? { ...context, rejected: [...rejected.values()] } : context;
  }

  /** Records one text. */
  async #file({ family, asked, completion, draft, verification, agreement }: Written, attempt: number): Promise<void> {
    const plan = this.#plans.get(family.id);
    const task: Task = {
      v: 1,
      id: taskId(family.id, completion.index, attempt),
      family: family.id,
      epoch: this.#epoch,
      origin: 'generated',
      seed: family.context.seed.id,
      ...draft,
      ...(verification.ok
        ? { status: 'accepted' }
        : { status: 'rejected', cause: verification.cause, note: verification.note }),
      generation: {
        ...generationOf(completion, plan, this.#loop.environment.version.name),
        context: [...asked],
      },
      ...defined({ agreement }),
    };
    await this.#loop.ports.records.appendTasks([task]);
    this.#recorded.set(task.id, task);
    this.#loop.meter.record('written', this.#epoch, task.id, usesOfText(task));
    if (verification.ok) this.#accept(family, completion.index, task);
  }

  #accept(family: FamilyRequest, variation: number, task: Task): void {
    this.#fingerprints.add(this.#loop.ports.domain.fingerprint(task));
    const done = this.#accepted.get(family.id) ?? new Set<number>();
    this.#accepted.set(family.id, done.add(variation));
    this.#onAccepted(task);
  }

  /** Parses and verifies one text. */
  async #judge(
    completion: Completion,
    { id, context }: FamilyRequest,
  ): Promise<{ draft: TaskDraft; verification: Verification }> {
    const plan = this.#plans.get(id)?.completion.text ?? '';
    const { domain: name } = context.seed;
    const empty: TaskDraft = { ...emptyDraft, plan, ...defined({ domain: name }) };
    if (completion.stopReason === 'length') {
      const { answer } = countOf(completion);
      const note = l10n.t('Cut{0}, before it ended.', answer === 0 ? '' : l10n.t(' after {0} tokens', answer));
      return { draft: empty, verification: { ok: false, cause: 'truncated', note } };
    }
    const { domain } = this.#loop.ports;
    const parsed = await domain.parseTask(completion.text, plan, context.seed);
    if (!parsed.ok) return { draft: empty, verification: parsed };
    const { draft } = parsed;
    const verified = await domain.verify(draft);
    return { draft, verification: verified.ok ? this.#novelty(draft) : verified };
  }

  /** Whether it is another task than those that are held out, and those that there are. */
  #novelty(draft: TaskDraft): Verification {
    const { domain } = this.#loop.ports;
    const fingerprint = domain.fingerprint(draft);
    if (this.#loop.heldOut.has(fingerprint)) {
      return { ok: false, cause: 'held-out', note: l10n.t('Equal to a validation task.') };
    }
    const repeated = this.#loop.measured?.find(wordingOf(domain, draft)) ?? null;
    if (repeated !== null) {
      const note = l10n.t('It shares {0} words in a row with {1}.', repeated.words, repeated.id);
      return { ok: false, cause: 'held-out', note };
    }
    if (this.#fingerprints.has(fingerprint)) {
      return { ok: false, cause: 'duplicate', note: l10n.t('Equal to a task written before.') };
    }
    return domain.likeness?.(draft) ?? { ok: true };
  }
}
