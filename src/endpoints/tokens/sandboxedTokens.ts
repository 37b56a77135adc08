/** Tokens of a model whose files come from elsewhere, made in a thread of their own under limits of time and memory. */
import * as l10n from '@vscode/l10n';
import { BlockingSandbox } from '../../sandbox/blockingSandbox.ts';
import { SandboxError } from '../../sandbox/sandboxError.ts';
import type { Message } from '../../shared/records/message.ts';
import type { ToolSpec } from '../../shared/records/task.ts';
import { answerSchema, type TokensAnswer, type TokensJob } from './protocol.ts';
import type { RenderedChat, Tokens } from './tokens.ts';
import { TokensError } from './tokensError.ts';

/** Where the files lie by now: a folder, or the cache of what was fetched. */
export interface TokenizerPlace {
  source: string;
  cache: string;
}

/** A conversation of 100,000 tokens takes half a second. */
const longest = 60;
/** In MB; the largest vocabularies take 700. */
const memory = 2_048;
/** After which a thread that has nothing to do is ended. */
const idleMs = 60_000;

export class SandboxedTokens implements Tokens {
  readonly stop: readonly number[];
  readonly #place: TokenizerPlace;
  readonly #sandbox: BlockingSandbox<TokensJob, TokensAnswer>;
  readonly #idle: NodeJS.Timeout;
  /** Whether the thread has the tokenizer. */
  #open = false;

  /** @param script of the thread @param seconds for one conversation @throws TokensError when the files are not what the libraries read */
  constructor(place: TokenizerPlace, script: URL, seconds = longest) {
    this.#place = place;
    this.#sandbox = new BlockingSandbox({ name: 'tokens', script, seconds, memory, answer: answerSchema });
    this.#idle = setTimeout(() => this.#end(), idleMs).unref();
    this.stop = this.#opened();
  }

  prompt(messages: readonly Message[], tools: readonly ToolSpec[] = []): number[] {
    const answer = this.#ask({ type: 'prompt', messages, tools });
    return answer.type === 'tokens' ? answer.tokens : unexpected();
  }

  render(messages: readonly Message[], tools: readonly ToolSpec[] = []): RenderedChat {
    const answer = this.#ask({ type: 'render', messages, tools });
    return answer.type === 'rendered' ? { tokens: answer.tokens, spans: answer.spans } : unexpected();
  }

  decode(ids: readonly number[]): string {
    const answer = this.#ask({ type: 'decode', ids });
    return answer.type === 'text' ? answer.text : unexpected();
  }

  /** The text of each id by itself; '' of those that end a turn, U+FFFD for a part of a character. */
  words(ids: readonly number[]): string[] {
    const answer = this.#ask({ type: 'words', ids });
    return answer.type === 'texts' ? answer.texts : unexpected();
  }

  #ask(job: TokensJob): TokensAnswer {
    this.#idle.refresh();
    if (!this.#open) this.#opened();
    return this.#call(job);
  }

  #opened(): number[] {
    const answer = this.#call({ type: 'open', ...this.#place });
    this.#open = true;
    return answer.type === 'opened' ? answer.stop : unexpected();
  }

  /** @throws TokensError */
  #call(job: TokensJob): TokensAnswer {
    let answer: TokensAnswer;
    try {
      answer = this.#sandbox.call(job);
    } catch (error) {
      this.#end();
      if (!SandboxError.is(error)) throw error;
      const what =
        job.type === 'open' ? l10n.t('tokenizer.json cannot be used') : l10n.t('its tokenizer or chat template fails');
      throw new TokensError('limit', `${this.#place.source}: ${what}: ${error.message}.`, { cause: error });
    }
    if (answer.type !== 'refused') return answer;
    const { reason, message, remedy } = answer;
    throw new TokensError(reason, message, { remedy });
  }

  #end(): void {
    this.#open = false;
    this.#sandbox.dispose();
  }
}

function unexpected(): never {
  throw new Error('Unreachable: a thread of tokens answers what it was asked.');
}
