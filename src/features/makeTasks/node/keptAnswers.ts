/** Paid answers, stored as they arrive: the same request is answered from here. */
import * as z from 'zod';
import type { FailedCompletion, Policy, PolicyVersion, SampleRequest } from '../../../engine/ports.ts';
import { hasFailed } from '../../../engine/unanswered.ts';
import { appendSharedLine, readSharedLines } from '../../../runs/files/sharedLines.ts';
import type { Completion } from '../../../engine/completion.ts';
import { defined } from '../../../shared/defined.ts';

const ids = z.array(z.int().nonnegative());
const keptSchema = z.strictObject({
  v: z.literal(1),
  /** The policy, and the index among a request's completions. */
  role: z.string(),
  seed: z.number(),
  completion: z.strictObject({
    requestId: z.string(),
    index: z.int().nonnegative(),
    promptTokens: ids,
    tokens: ids,
    logprobs: z.array(z.number()),
    text: z.string(),
    reasoning: z.string().optional(),
    stopReason: z.enum(['stop', 'length']),
  }),
});

/** Requests of one id differ by their seeds, such as a repeated plan. */
const keyOf = (role: string, id: string, seed: number, index: number): string =>
  JSON.stringify([role, id, seed, index]);

export class KeptAnswers {
  readonly #path: string;
  readonly #kept = new Map<string, Completion>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** A missing file has none; a torn last line is requested again. @throws RunError `unreadable` */
  static async open(path: string): Promise<KeptAnswers> {
    const answers = new KeptAnswers(path);
    const { events } = await readSharedLines(path, keptSchema, 1);
    for (const { role, seed, completion } of events) {
      const { reasoning, ...said } = completion;
      answers.#hold(role, seed, { ...said, ...defined({ reasoning }) });
    }
    return answers;
  }

  get count(): number {
    return this.#kept.size;
  }

  /** The policy, called only for missing answers. Its answers are on the device before they are used. */
  around(policy: Policy, role: string): Policy {
    return {
      capabilities: policy.capabilities,
      publish: (name) => policy.publish(name),
      checkpoint: (name) => policy.checkpoint(name),
      restore: (ref) => policy.restore(ref),
      dispose: () => policy.dispose(),
      sample: (version, requests, signal) => this.#sample(policy, role, version, requests, signal),
    };
  }

  /** An endpoint that answers in the order of its requests is answered for in that order, too. */
  async *#sample(
    policy: Policy,
    role: string,
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<Completion | FailedCompletion> {
    const slots = requests.flatMap((request) =>
      wantedOf(request).map((index) => ({ request, index, kept: this.#known(role, request, index) })),
    );
    const lacking = requests.flatMap((request) => {
      const only = wantedOf(request).filter((index) => this.#known(role, request, index) === undefined);
      return only.length === 0 ? [] : [{ ...request, only }];
    });
    const seeds = new Map(requests.map(({ id, seed }) => [id, seed]));
    const asked = (lacking.length === 0 ? nothing() : policy.sample(version, lacking, signal))[Symbol.asyncIterator]();
    const next = async (): Promise<Completion | FailedCompletion | null> => {
      const answer = await asked.next();
      if (answer.done === true) return null;
      const { value } = answer;
      if (!hasFailed(value)) await this.#keep(role, seeds.get(value.requestId) ?? 0, value);
      return value;
    };
    try {
      for (const { kept } of slots) {
        if (kept !== undefined) yield kept;
        else if (policy.capabilities.deterministic) {
          const answer = await next();
          if (answer !== null) yield answer;
        }
      }
      for (let answer = await next(); answer !== null; answer = await next()) yield answer;
    } finally {
      await asked.return?.();
    }
  }

  #known(role: string, { id, seed }: SampleRequest, index: number): Completion | undefined {
    return this.#kept.get(keyOf(role, id, seed, index));
  }

  #hold(role: string, seed: number, completion: Completion): void {
    this.#kept.set(keyOf(role, completion.requestId, seed, completion.index), completion);
  }

  async #keep(role: string, seed: number, completion: Completion): Promise<void> {
    await appendSharedLine(this.#path, { v: 1, role, seed, completion });
    this.#hold(role, seed, completion);
  }
}

const wantedOf = ({ n, only }: SampleRequest): readonly number[] => only ?? Array.from({ length: n }, (_, i) => i);

async function* nothing(): AsyncGenerator<never> {
  // All requests were answered.
}
