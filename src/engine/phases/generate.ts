/**
 * Phase 1 of an epoch: the environment policy writes tasks (paper §2.3, Algorithm 1). Every text it writes is recorded,
 * with the reason where it did not become a task; what a crashed run already paid for is used again.
 */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Agreement, Generation, Rejection, Task, TaskDraft } from '../../shared/records/task.ts';
import { figuresOf, tasksOfDomain } from '../byDomain.ts';
import { LoopError } from '../errors.ts';
import { mean, timed, type Loop } from '../loop.ts';
import { recordedLogprobs, sampledCount } from '../math/sequence.ts';
import type { GenerationContext, SampleRequest, Verification } from '../ports.ts';
import { seedFrom } from '../random.ts';
import { turnOf } from '../turn.ts';
import { UnansweredCount, hasFailed } from '../unanswered.ts';
import { wordingOf } from '../wording.ts';
import { qualityOf } from './quality.ts';
import { agreed, agreements, asksForAgreement } from './agreement.ts';
import type { Completion } from '../completion.ts';

/** One family to be written: the seed it varies, what the environment is told, and its plan once there is one. */
export interface FamilyRequest {
  id: string;
  context: GenerationContext;
  variations: number;
}

interface Plan {
  message: Message;
  completion: Completion;
}

/** One text of the environment, and what was found of it. */
interface Written {
  family: FamilyRequest;
  completion: Completion;
  draft: TaskDraft;
  verification: Verification;
  agreement?: Agreement;
}

type Outcome = Omit<EventOf<'tasks.generated'>, 'v' | 'seq' | 'at' | 'type' | 'epoch'>;

const emptyDraft: TaskDraft = { prompt: [], evaluation: { kind: 'none' }, gold: null, complexity: {}, plan: '' };

/** Task id of one try at one variation; the first try carries no suffix. */
const taskId = (family: string, variation: number, attempt: number): string =>
  `${family}.v${variation}${attempt === 1 ? '' : `.a${attempt}`}`;

/** Writes the families of one epoch. */
export async function generate(loop: Loop, epoch: number, families: readonly FamilyRequest[]): Promise<Outcome> {
  const { result, seconds } = await timed(loop, () => new Generator(loop, epoch, families).run());
  return { ...result, seconds };
}

class Generator {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #families: readonly FamilyRequest[];
  readonly #accepted = new Map<string, Set<number>>();
  readonly #plans = new Map<string, Plan>();
  /** Families whose domain has them planned first. */
  readonly #withPlan = new Set<string>();
  readonly #recorded = new Map<string, Task>();
  readonly #fingerprints: Set<string>;
  readonly #unanswered = new UnansweredCount();
  #tokens = 0;

  constructor(loop: Loop, epoch: number, families: readonly FamilyRequest[]) {
    this.#loop = loop;
    this.#epoch = epoch;
    this.#families = families;
    this.#fingerprints = loop.experiment.generation.duplicates === 'run' ? loop.seen : new Set(loop.seen);
  }

  async run(): Promise<Omit<Outcome, 'seconds'>> {
    const { ports, experiment } = this.#loop;
    for (const task of await ports.records.tasksOf(this.#epoch)) this.#recorded.set(task.id, task);
    for (let attempt = 1; attempt <= experiment.generation.attempts; attempt++) await this.#round(attempt);
    this.#loop.forget(this.#epoch);
    const tasks = [...this.#recorded.values()];
    if (tasks.length === 0 && this.#unanswered.first !== null) {
      throw new LoopError('endpoint', `Not one task was written: ${this.#unanswered.first}`);
    }
    const seeds = new Map(this.#families.map(({ context: { seed } }) => [seed.id, seed]));
    const quality = await qualityOf(this.#loop, this.#epoch, tasks, seeds);
    const { taskLength, ...counts } = countsOf(this.#families.length, tasks);
    return {
      ...counts,
      tokens: tasks.reduce(
        (sum, { generation, agreement }) => sum + (generation?.tokens.length ?? 0) + (agreement?.tokens ?? 0),
        0,
      ),
      taskLength,
      ...(quality === null ? {} : { quality }),
      ...this.#unanswered.event,
      ...figuresOf(this.#loop.domains, (name) =>
        countsOf(
          this.#families.filter(({ context }) => context.seed.domain === name).length,
          tasksOfDomain(tasks, name),
        ),
      ),
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
    const askedFor = new Map<string, FamilyRequest>();
    for (const { family, variations } of wanted) {
      for (const request of await this.#request(family, variations, attempt)) {
        requests.push(request);
        askedFor.set(request.id, family);
      }
      for (const variation of variations) {
        const known = this.#recorded.get(taskId(family.id, variation, attempt));
        if (known?.status === 'accepted') this.#accept(family, variation, known);
      }
    }
    const written: Written[] = [];
    for await (const completion of this.#sample(requests)) {
      const family = askedFor.get(completion.requestId);
      if (family === undefined) continue;
      const one = { family, completion, ...(await this.#judge(completion, family)) };
      if (asksForAgreement(this.#loop, family.context.seed)) written.push(one);
      else await this.#file(one, attempt);
    }
    await this.#agree(written, attempt);
  }

  /** Asks for independent answers to what is otherwise a task, all at once, and files everything in its order. */
  async #agree(written: readonly Written[], attempt: number): Promise<void> {
    const idOf = ({ family, completion }: Written): string => taskId(family.id, completion.index, attempt);
    const candidates = written
      .filter(({ verification }) => verification.ok)
      .map((one) => ({
        ...{ id: idOf(one), family: one.family.id, epoch: this.#epoch, seed: one.family.context.seed.id },
        draft: one.draft,
      }));
    const found = await agreements(this.#loop, candidates, this.#unanswered);
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

  /** What could not be answered is counted, and asked for anew in the next round. */
  async *#sample(requests: readonly SampleRequest[]): AsyncIterable<Completion> {
    if (requests.length === 0) return;
    const { ports, environment } = this.#loop;
    const total = requests.reduce((sum, { n, only }) => sum + (only?.length ?? n), 0);
    let done = 0;
    for await (const completion of environment.policy.sample(environment.version, requests, ports.signal)) {
      done += 1;
      if (hasFailed(completion)) {
        this.#unanswered.add(completion.failure);
        continue;
      }
      this.#tokens += completion.promptTokens.length + completion.tokens.length;
      ports.onProgress?.({ phase: 'generate', epoch: this.#epoch, done, total, tokens: this.#tokens });
      yield completion;
    }
  }

  async #planFamilies(families: readonly FamilyRequest[], attempt: number): Promise<void> {
    const { domain } = this.#loop.ports;
    const { generation, seed } = this.#loop.experiment;
    const requests: SampleRequest[] = [];
    for (const { id, context, variations } of families) {
      const messages = await domain.planPrompt?.(context);
      if (messages === undefined || messages === null) continue;
      this.#withPlan.add(id);
      this.#plans.delete(id);
      const known = Array.from({ length: variations }, (_, v) => this.#recorded.get(taskId(id, v, attempt)));
      const recalled = known.map((task) => (task === undefined ? null : planOf(task))).find((plan) => plan !== null);
      if (recalled !== undefined) {
        this.#plans.set(id, recalled);
        continue;
      }
      requests.push({
        id,
        messages,
        n: 1,
        seed: seedFrom(seed, 'plan', id, attempt),
        ...samplingOf(generation),
      });
    }
    for await (const completion of this.#sample(requests)) {
      this.#plans.set(completion.requestId, { message: turnOf(completion), completion });
    }
  }

  /** The request for a family's missing variations, less what a resumed run already has. */
  async #request(family: FamilyRequest, missing: readonly number[], attempt: number): Promise<SampleRequest[]> {
    const { generation, seed } = this.#loop.experiment;
    const only = missing.filter((variation) => !this.#recorded.has(taskId(family.id, variation, attempt)));
    if (only.length === 0) return [];
    return [
      {
        id: `${family.id}/${attempt}`,
        messages: await this.#prompt(family),
        n: family.variations,
        only,
        seed: seedFrom(seed, 'task', family.id, attempt),
        ...samplingOf(generation),
      },
    ];
  }

  async #prompt({ id, context }: FamilyRequest): Promise<readonly Message[]> {
    return this.#loop.ports.domain.environmentPrompt(context, this.#plans.get(id)?.message ?? null);
  }

  /** Records one text. */
  async #file({ family, completion, draft, verification, agreement }: Written, attempt: number): Promise<void> {
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
        context: [...(await this.#prompt(family))],
      },
      ...(agreement === undefined ? {} : { agreement }),
    };
    await this.#loop.ports.records.appendTasks([task]);
    this.#recorded.set(task.id, task);
    if (verification.ok) this.#accept(family, completion.index, task);
  }

  #accept(family: FamilyRequest, variation: number, task: Task): void {
    this.#fingerprints.add(this.#loop.ports.domain.fingerprint(task));
    const done = this.#accepted.get(family.id) ?? new Set<number>();
    this.#accepted.set(family.id, done.add(variation));
  }

  /** Parses and verifies one text. */
  async #judge(
    completion: Completion,
    { id, context }: FamilyRequest,
  ): Promise<{ draft: TaskDraft; verification: Verification }> {
    const plan = this.#plans.get(id)?.completion.text ?? '';
    const { domain: name } = context.seed;
    const empty: TaskDraft = { ...emptyDraft, plan, ...(name === undefined ? {} : { domain: name }) };
    if (completion.stopReason === 'length') {
      const { length } = completion.tokens;
      const note = `Cut${length === 0 ? '' : ` after ${length} tokens`}, before it ended.`;
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
      return { ok: false, cause: 'held-out', note: 'Equal to a validation task.' };
    }
    const repeated = this.#loop.measured?.find(wordingOf(domain, draft)) ?? null;
    if (repeated !== null) {
      const note = `It shares ${repeated.words} words in a row with ${repeated.id}.`;
      return { ok: false, cause: 'held-out', note };
    }
    if (this.#fingerprints.has(fingerprint)) {
      return { ok: false, cause: 'duplicate', note: 'Equal to a task written before.' };
    }
    return domain.likeness?.(draft) ?? { ok: true };
  }
}

/** What became of an epoch's texts, or of those of one domain. */
function countsOf(
  families: number,
  tasks: readonly Task[],
): Pick<Outcome, 'families' | 'written' | 'accepted' | 'rejected' | 'taskLength'> {
  const rejected: Partial<Record<Rejection, number>> = {};
  for (const { cause } of tasks) if (cause !== undefined) rejected[cause] = (rejected[cause] ?? 0) + 1;
  const accepted = tasks.filter(({ status }) => status === 'accepted');
  return {
    ...{ families, written: tasks.length, accepted: accepted.length },
    rejected: Object.fromEntries(Object.entries(rejected).sort(([a], [b]) => a.localeCompare(b))),
    taskLength: mean(accepted.flatMap(({ generation }) => (generation ? [sampledCount(generation)] : []))),
  };
}

function samplingOf({
  maxTokens,
  maxSequence,
  temperature,
}: Experiment['generation']): Pick<SampleRequest, 'maxTokens' | 'maxSequence' | 'temperature'> {
  return { maxTokens, ...(maxSequence === null ? {} : { maxSequence }), temperature };
}

/** The plan that a recorded task was written from: it was paid for, and what is still missing belongs to it. */
function planOf({ generation, plan }: Task): Plan | null {
  const [span, task] = generation?.spans ?? [];
  if (generation === undefined || span === undefined || task === undefined) return null;
  const [start, end] = span;
  const tokens = generation.tokens.slice(start, end);
  const completion: Completion = {
    requestId: '',
    index: 0,
    promptTokens: generation.tokens.slice(0, start),
    tokens,
    logprobs: generation.logprobs.slice(0, tokens.length),
    text: plan,
    stopReason: 'stop',
  };
  return { message: turnOf(completion), completion };
}

/** The environment's own sequence: context, plan where there is one, task text. */
function generationOf(completion: Completion, plan: Plan | undefined, version: string): Generation {
  const start = completion.promptTokens.length;
  const planned = plan?.completion;
  const planStart = planned?.promptTokens.length ?? 0;
  return {
    version,
    tokens: [...completion.promptTokens, ...completion.tokens],
    spans: [
      ...(planned === undefined ? [] : [[planStart, planStart + planned.tokens.length] satisfies [number, number]]),
      [start, start + completion.tokens.length],
    ],
    logprobs: [...recordedLogprobs(planned?.logprobs ?? []), ...recordedLogprobs(completion.logprobs)],
    text: completion.text,
  };
}
