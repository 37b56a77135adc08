/** Completions of an epoch's writing that are recorded as they come, before anything is made of them: none is paid for twice, or for nothing. */
import { defined } from '../../../shared/defined.ts';
import type { CompletionRecord } from '../../../shared/records/completionRecord.ts';
import type { Completion } from '../../completion.ts';
import type { Loop } from '../../loop.ts';
import { recordedLogprobs } from '../../math/sequence.ts';
import type { FailedCompletion, SampleRequest } from '../../ports.ts';
import { useOfPlan } from '../../spending/billed.ts';
import { hasFailed } from '../../unanswered.ts';

type Answers = AsyncIterable<Completion | FailedCompletion>;

/** The kind of the answers to a request, and whose they are; null for those that are recorded otherwise. */
export type About = (requestId: string) => Pick<CompletionRecord, 'kind' | 'family' | 'attempt'> | null;

export class KeptCompletions {
  readonly #loop: Pick<Loop, 'ports' | 'meter'>;
  readonly #epoch: number;
  readonly #known = new Map<string, CompletionRecord>();

  constructor(loop: Pick<Loop, 'ports' | 'meter'>, epoch: number) {
    this.#loop = loop;
    this.#epoch = epoch;
  }

  /** Takes over what the epoch's records hold already. */
  async recall(): Promise<void> {
    for (const record of await this.#loop.ports.records.completionsOf(this.#epoch)) this.#add(record);
  }

  get plans(): CompletionRecord[] {
    return [...this.#known.values()].filter(({ kind }) => kind === 'plan');
  }

  /** Whether the first answer to a request is recorded. */
  has(requestId: string): boolean {
    return this.#known.has(idOf(requestId, 0));
  }

  /** Answers that are recorded, then those to the rest, each given once it is recorded. @param version of the policy that is asked */
  async *sample(
    requests: readonly SampleRequest[],
    { about, version, ask }: { about: About; version: string; ask: (rest: readonly SampleRequest[]) => Answers },
  ): Answers {
    const rest: SampleRequest[] = [];
    for (const request of requests) {
      const wanted = request.only ?? Array.from({ length: request.n }, (_, i) => i);
      const known = wanted.flatMap((index) => this.#at(request.id, index) ?? []);
      yield* known;
      const had = new Set(known.map(({ index }) => index));
      if (had.size === 0) rest.push(request);
      else if (had.size < wanted.length) rest.push({ ...request, only: wanted.filter((index) => !had.has(index)) });
    }
    if (rest.length === 0) return;
    for await (const answer of ask(rest)) {
      const of = hasFailed(answer) ? null : about(answer.requestId);
      if (of !== null && !hasFailed(answer)) {
        const record = { ...recordOf(answer), ...of, epoch: this.#epoch, version };
        await this.#loop.ports.records.appendCompletions([record]);
        this.#add(record);
      }
      yield answer;
    }
  }

  #at(requestId: string, index: number): Completion | undefined {
    const record = this.#known.get(idOf(requestId, index));
    if (record === undefined) return undefined;
    const { promptTokens, tokens, logprobs, counted, text, reasoning, stopReason } = record;
    return { requestId, index, promptTokens, tokens, logprobs, text, stopReason, ...defined({ counted, reasoning }) };
  }

  /** Texts and the answers to them are counted with the record of their task. */
  #add(record: CompletionRecord): void {
    this.#known.set(record.id, record);
    if (record.kind === 'plan') this.#loop.meter.record('written', this.#epoch, record.id, [useOfPlan(record)]);
  }
}

const idOf = (requestId: string, index: number): string => `${requestId}#${index}`;

function recordOf(answer: Completion): Omit<CompletionRecord, 'kind' | 'family' | 'attempt' | 'epoch' | 'version'> {
  const { requestId, index, promptTokens, tokens, logprobs, counted, text, reasoning, stopReason } = answer;
  return {
    ...{ v: 1, id: idOf(requestId, index), promptTokens: [...promptTokens], tokens: [...tokens] },
    ...{
      logprobs: [...recordedLogprobs(logprobs)],
      ...defined({ counted }),
      text,
      ...defined({ reasoning }),
      stopReason,
    },
  };
}
