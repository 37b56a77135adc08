/**
 * A frozen policy on an OpenAI-compatible server (vLLM, SGLang, llama.cpp, Ollama, hosted): it samples, and scores where
 * the server can, its own model or the adapter that a version names. Completions carry token ids only where the server
 * tells them.
 */
import * as l10n from '@vscode/l10n';
import type {
  Capabilities,
  CheckpointRef,
  FailedCompletion,
  Policy,
  PolicyVersion,
  SampleRequest,
} from '../../engine/ports.ts';
import { newTokens } from '../../engine/newTokens.ts';
import { seedFrom } from '../../engine/random.ts';
import { append } from '../../shared/append.ts';
import { defined } from '../../shared/defined.ts';
import { EndpointError } from '../endpointError.ts';
import { failedCompletions } from '../failedCompletion.ts';
import { isOfServer } from '../schedule/replica.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import { opensThought } from '../../shared/text/thoughts.ts';
import { endedText } from '../tokens/stopTexts.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { adapterOf } from './adapters/adapterHandle.ts';
import type { ServerFacts } from './probe.ts';
import type { Ask } from './forms.ts';
import { answerTokensOf, promptTokensOf } from './estimatedTokens.ts';
import { isOverflow, shareOf, type Answer } from './server.ts';
import type { Completion } from '../../engine/completion.ts';

/** Context where the server does not say it: it refuses what does not fit. */
const usualContext = 32_768;

export interface OpenaiPolicyParts {
  name: 'agent' | 'environment';
  facts: ServerFacts;
  scheduler: Scheduler;
  /** The model's own, where it is known. */
  tokens: Tokens | null;
  concurrency: number;
}

/** Completions of a request that are asked for together. */
interface Piece {
  request: SampleRequest;
  /** The adapter that is sampled; null for the endpoint's own model. */
  adapter: string | null;
  indices: readonly number[];
  /** All of the request's. */
  complete: boolean;
  /** Replicas that failed it. */
  failures: number;
}

type Sampled = Completion | FailedCompletion;

export class OpenaiPolicy implements Policy {
  readonly capabilities: Capabilities;
  readonly score?: NonNullable<Policy['score']>;
  readonly #parts: OpenaiPolicyParts;
  /** Tokens that prompt and completion get together; Infinity where nothing counts the prompt's, or the server does not say. */
  readonly #longest: number;
  readonly #ending = new AbortController();
  /** Shared by everything restored from one opened policy: closed with the last of them. */
  readonly #shares: { open: number };

  constructor(parts: OpenaiPolicyParts, shares = { open: 0 }) {
    this.#parts = parts;
    this.#shares = shares;
    shares.open += 1;
    const { facts, tokens } = parts;
    this.#longest = tokens === null ? Infinity : longestOf(facts);
    if (facts.scores) this.score = (version, sequences, signal) => this.#score(version, sequences, signal);
    this.capabilities = {
      ...{ mode: 'frozen', losses: [], score: facts.scores, reduction: 'sum', deterministic: false },
      maxContext: facts.context ?? usualContext,
      ...(this.#longest < Infinity && { longest: this.#longest }),
      concurrency: parts.concurrency,
    };
  }

  publish(name: string): Promise<PolicyVersion> {
    return Promise.resolve({ name, handle: `openai:${this.#parts.facts.server.model}` });
  }

  async *sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncGenerator<Sampled, void> {
    const { scheduler, name } = this.#parts;
    const work = (piece: Piece, replica: number, asked: AbortSignal) => this.#answer(piece, replica, asked);
    const pieces = requests.flatMap((request) => this.#pieces(request, adapterOf(version.handle)));
    const until = this.#until(signal);
    const all = scheduler.each(`${name} samples`, pieces, work, until, ({ request }) => request.urgency);
    for await (const sampled of all) yield* sampled;
  }

  checkpoint(name: string): Promise<CheckpointRef> {
    return this.publish(name);
  }

  restore(): Promise<OpenaiPolicy> {
    return Promise.resolve(new OpenaiPolicy(this.#parts, this.#shares));
  }

  dispose(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve();
    this.#ending.abort(new Error(l10n.t('The policy was disposed of.')));
    this.#shares.open -= 1;
    if (this.#shares.open === 0) this.#parts.facts.server.close();
    return Promise.resolve();
  }

  #until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#ending.signal]);
  }

  #pieces(request: SampleRequest, adapter: string | null): Piece[] {
    const { n, only } = request;
    const wanted = only ?? Array.from({ length: n }, (_, i) => i);
    const complete = wanted.length === n;
    if (this.#parts.facts.server.dialect.several) return [{ request, adapter, indices: wanted, complete, failures: 0 }];
    return wanted.map((index) => part(request, adapter, index));
  }

  /** A refusal of one request is no failure of the others. */
  async #answer(piece: Piece, replica: number, signal: AbortSignal): Promise<Sampled[]> {
    const { request, adapter, indices, complete } = piece;
    // A part of the completions must not repeat what the whole request once gave.
    const seed = complete ? request.seed : seedFrom(request.seed, ...indices);
    try {
      const ask = { ...request, model: adapter ?? undefined, n: indices.length, seed };
      const answers = await this.#ask(replica, ask, signal);
      const got = indices.slice(0, answers.length);
      const sampled = got.flatMap((index, i) =>
        this.#sampled(request, index, answers[i], (prompt) => shareOf(prompt, got.length, i)),
      );
      const missing = indices.slice(answers.length);
      for (const index of missing) {
        append(sampled, await this.#answer(part(request, adapter, index), replica, signal));
      }
      return sampled;
    } catch (error) {
      // Another replica may do better.
      piece.failures += 1;
      if (isOfServer(error) && piece.failures < this.#parts.facts.server.replicas) throw error;
      const failed = failedCompletions({ ...request, only: indices }, error);
      return isOverflow(error) ? failed.map((one) => ({ ...one, failure: overflow(request, one) })) : failed;
    }
  }

  async #ask(replica: number, request: Ask & SampleRequest, signal: AbortSignal): Promise<Answer[]> {
    const { facts, tokens } = this.#parts;
    const { server } = facts;
    const ids = tokens?.prompt(request.messages, request.tools);
    // Without a local tokenizer the prompt's length is unknown before it is sent.
    const ask = {
      ...request,
      maxTokens: ids === undefined ? request.maxTokens : newTokens(request, ids.length, this.#longest),
    };
    if (server.dialect.drops && ids !== undefined && facts.context !== null) {
      const needed = ids.length + ask.maxTokens;
      if (needed > facts.context) throw this.#tooLong(needed, facts.context);
    }
    if (tokens === null || ids === undefined || !facts.tokensIn) {
      if ((ask.tools ?? []).length > 0) this.#needTools();
      return server.chat(replica, ask, facts.ids, signal);
    }
    const decode = (given: readonly number[]) => endedText(tokens.decode(given), request.stop);
    const opened = opensThought(ids, (end) => tokens.decode(end));
    return server.complete(replica, ask, { ids, stop: tokens.stop, opened, decode }, signal);
  }

  /** @param share of the prompt's tokens, which all answers to a request have together */
  #sampled(
    request: SampleRequest,
    index: number,
    answer: Answer | undefined,
    share: (prompt: number) => number,
  ): Sampled[] {
    if (answer === undefined) return [];
    const { text, reasoning, promptTokens, tokens, promptCount, answerCount, ended } = answer;
    const { id: requestId, temperature } = request;
    if (ended !== 'stop' && ended !== 'length') {
      return [
        { requestId, index, failure: l10n.t('{0} did not finish it: {1}.', this.#parts.facts.server.url, ended) },
      ];
    }
    // The loop works with the model's own logprobs: those of another temperature would be taken for them.
    const known = temperature === 0 || temperature === 1 || this.#parts.facts.server.dialect.untempered;
    return [
      {
        ...{ requestId, index, promptTokens, tokens, text, stopReason: ended },
        logprobs: known ? answer.logprobs : [],
        ...defined({ reasoning }),
        ...(tokens.length === 0 && {
          counted: {
            prompt: promptCount ?? share(promptTokensOf(request, this.#parts.tokens)),
            answer: answerCount ?? answerTokensOf(answer, this.#parts.tokens),
          },
        }),
      },
    ];
  }

  async #score(
    { handle }: PolicyVersion,
    sequences: readonly (readonly number[])[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    const { scheduler, name, facts } = this.#parts;
    const adapter = adapterOf(handle) ?? undefined;
    const work = async ([i, sequence]: [number, readonly number[]], replica: number, asked: AbortSignal) => ({
      i,
      logprobs: await facts.server.score(replica, sequence, asked, adapter),
    });
    const scored = await Array.fromAsync(
      scheduler.each(`${name} scores`, sequences.entries(), work, this.#until(signal)),
    );
    return scored.sort((a, b) => a.i - b.i).map(({ logprobs }) => logprobs);
  }

  /** @throws EndpointError `unable` where the server would pass over a task's tools, or refuse them */
  #needTools(): void {
    const { tools, server } = this.#parts.facts;
    if (tools === 'taken' || tools === 'unknown') return;
    const what =
      tools === 'ignored'
        ? l10n.t('it passes over the tools of a task')
        : l10n.t('it takes no tools, and a task has some');
    throw new EndpointError('unable', what, {
      ...{ endpoint: server.url, request: 'POST /chat/completions', attempts: 1 },
      remedy: `${server.dialect.toolsWith?.() ?? l10n.t('Choose a server that takes tools.')} ${l10n.t('Where it takes token ids, naming the model’s tokenizer helps, too.')}`,
    });
  }

  #tooLong(needed: number, context: number): EndpointError {
    return new EndpointError('refused', l10n.t('{0} tokens exceed its context length of {1}', needed, context), {
      ...{ endpoint: this.#parts.facts.server.url, request: 'POST /chat/completions', attempts: 1, status: 400 },
      remedy: l10n.t('It would leave out messages without a word.'),
    });
  }
}

/** To score is to sample a token after it, which must fit too; `genenv serve` leaves it out where it does not. */
const longestOf = ({ context, scores, kind }: ServerFacts): number =>
  context === null ? Infinity : context - (scores && kind !== 'genenv' ? 1 : 0);

/** One completion by itself. */
const part = (request: SampleRequest, adapter: string | null, index: number): Piece => ({
  ...{ request, adapter, indices: [index], complete: false, failures: 0 },
});

const overflow = ({ maxTokens }: SampleRequest, { failure }: FailedCompletion): string =>
  l10n.t('A conversation and {0} new tokens do not fit the model’s context: {1}', maxTokens, failure);
