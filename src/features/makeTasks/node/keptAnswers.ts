/** Paid answers, stored as they arrive: the same request is answered from here. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { sha256 } from '../../../runs/files/sha256.ts';
import type { FailedCompletion, Log, Policy, PolicyVersion, SampleRequest } from '../../../engine/ports.ts';
import { hasFailed } from '../../../engine/unanswered.ts';
import { appendSharedLine, readSharedLines } from '../../../runs/files/sharedLines.ts';
import type { Completion } from '../../../engine/completion.ts';
import { defined } from '../../../shared/defined.ts';
import { tokenCountsSchema } from '../../../shared/records/tokenCounts.ts';
import { apart } from '../../../shared/text/thoughts.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

const ids = z.array(z.int().nonnegative());
const keptSchema = z.strictObject({
  v: z.literal(1),
  /** The policy, and the index among a request's completions. */
  role: z.string(),
  seed: z.number(),
  /** Absent in files of before: such an answer cannot be told from one to another request. */
  asked: z.string().optional(),
  completion: z.strictObject({
    requestId: z.string(),
    index: z.int().nonnegative(),
    promptTokens: ids,
    tokens: ids,
    logprobs: z.array(z.number()),
    counted: tokenCountsSchema.optional(),
    text: z.string(),
    reasoning: z.string().optional(),
    stopReason: z.enum(['stop', 'length']),
  }),
});

/** Of all that shapes an answer. Requests of one id differ by their seeds, such as a repeated plan. */
function hashOf(request: SampleRequest): string {
  const { id, seed, messages, tools, maxTokens, maxSequence, temperature, stop, logprobs } = request;
  const asked = { id, seed, messages, tools, maxTokens, maxSequence, temperature, stop, logprobs };
  return sha256(JSON.stringify(asked)).slice(0, 32);
}

const keyOf = (role: string, asked: string, index: number): string => JSON.stringify([role, asked, index]);

export class KeptAnswers {
  readonly #path: string;
  readonly #kept = new Map<string, Completion>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** A missing file has none; what cannot be read, or told, is requested again. @throws RunError `unreadable` */
  static async open(path: string, log: Log): Promise<KeptAnswers> {
    const answers = new KeptAnswers(path);
    const { events, damaged } = await readSharedLines(path, keptSchema, 1);
    let untold = 0;
    for (const { role, asked, completion } of events) {
      const { reasoning: told, counted, text, ...rest } = completion;
      // Older versions kept texts of some endpoints with their thoughts.
      const { text: said, reasoning } = apart(text, told);
      if (asked === undefined) untold += 1;
      else answers.#hold(role, asked, { ...rest, text: said, ...defined({ reasoning, counted }) });
    }
    const [first] = damaged;
    if (first !== undefined) {
      const text = l10n.t(
        'Asked for again, since they cannot be read: {0} of the kept answers ({1})',
        damaged.length,
        first.message,
      );
      log.warn(text);
    }
    if (untold > 0) {
      const text = l10n.t(
        'Asked for again, since they do not say what was asked: {0} of the answers in {1}',
        untold,
        path,
      );
      log.warn(text);
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
    const hashes = new Map(requests.map((request) => [request.id, hashOf(request)]));
    const known = (id: string, index: number): Completion | undefined =>
      this.#kept.get(keyOf(role, hashes.get(id) ?? outOfRange(), index));
    const slots = requests.flatMap((request) => wantedOf(request).map((index) => known(request.id, index)));
    const lacking = requests.flatMap((request) => {
      const only = wantedOf(request).filter((index) => known(request.id, index) === undefined);
      return only.length === 0 ? [] : [{ ...request, only }];
    });
    const seeds = new Map(requests.map(({ id, seed }) => [id, seed]));
    const asked = (lacking.length === 0 ? nothing() : policy.sample(version, lacking, signal))[Symbol.asyncIterator]();
    const next = async (): Promise<Completion | FailedCompletion | null> => {
      const answer = await asked.next();
      if (answer.done === true) return null;
      const { value } = answer;
      const id = value.requestId;
      if (!hasFailed(value)) {
        await this.#keep({ role, seed: seeds.get(id) ?? outOfRange(), asked: hashes.get(id) ?? outOfRange() }, value);
      }
      return value;
    };
    try {
      for (const kept of slots) {
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

  #hold(role: string, asked: string, completion: Completion): void {
    this.#kept.set(keyOf(role, asked, completion.index), completion);
  }

  async #keep(of: { role: string; seed: number; asked: string }, completion: Completion): Promise<void> {
    await appendSharedLine(this.#path, { v: 1, ...of, completion });
    this.#hold(of.role, of.asked, completion);
  }
}

const wantedOf = ({ n, only }: SampleRequest): readonly number[] => only ?? Array.from({ length: n }, (_, i) => i);

async function* nothing(): AsyncGenerator<never> {
  // All requests were answered.
}
