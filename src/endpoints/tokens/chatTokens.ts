/**
 * Tokens of a model by its own tokenizer and chat template. Each assistant turn is left out of the rendered text and put
 * in by its ids, so that what was sampled is never made from text again, whatever the template does around it.
 */
import * as l10n from '@vscode/l10n';
import { Tokenizer } from '@huggingface/tokenizers';
import * as z from 'zod';
import type { Message } from '../../shared/records/message.ts';
import type { ToolSpec } from '../../shared/records/task.ts';
import { MeteredTemplate } from '../../shared/jinja/meteredTemplate.ts';
import type { RenderedChat, Tokens } from './tokens.ts';
import { openingOf, type Opening } from './openings.ts';
import { TokensError } from './tokensError.ts';
import type { TokenizerFiles } from './tokenizerFiles.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** Stands for an assistant turn while the template renders: letters and digits alone, which no template rewrites. */
const placeholder = (turn: number): string => `GENENVTURN${turn}X`;

export class ChatTokens implements Tokens {
  readonly stop: readonly number[];
  readonly #tokenizer: Tokenizer;
  readonly #template: MeteredTemplate;
  readonly #special: Readonly<Record<string, unknown>>;
  /** The token that ends a turn. */
  readonly #end: string;
  readonly #endId: number;
  /** Where the template puts no end: tokens that begin the turns of people and tools, by which models end theirs; by id. */
  readonly #nexts: ReadonlyMap<number, string>;
  readonly #source: string;
  /** By the role before a turn, and whether the conversation ends with it; null where the template refuses such a one. */
  readonly #openings = new Map<string, Opening | null>();

  /** @throws TokensError when the files are not what the libraries read */
  constructor({ tokenizer, config, template, source }: TokenizerFiles) {
    this.#source = source;
    try {
      this.#tokenizer = new Tokenizer(tokenizer, config);
      this.#template = new MeteredTemplate(template);
    } catch (error) {
      const what = messageOf(error);
      throw new TokensError('format', l10n.t('{0}: the tokenizer cannot be used: {1}.', source, what), {
        cause: error,
      });
    }
    const text = (name: string): string | null => tokenText(config[name]);
    const eos = text('eos_token') ?? '';
    this.#special = { bos_token: text('bos_token') ?? '', eos_token: eos };
    const special = specialTokens(tokenizer);
    const behind = this.#turnEnd(special);
    this.#end = behind ?? eos;
    const end = this.#tokenizer.token_to_id(this.#end);
    if (end === undefined) {
      throw new TokensError(
        'format',
        l10n.t('{0}: the token that ends a turn ("{1}") is not in the vocabulary.', source, this.#end),
      );
    }
    this.#nexts = new Map(
      (behind === null ? this.#turnBegins(special) : []).flatMap((token) => {
        const id = this.#tokenizer.token_to_id(token);
        return id === undefined ? [] : [[id, token]];
      }),
    );
    // Models end answers by any of these.
    this.stop = [...new Set([end, this.#tokenizer.token_to_id(eos) ?? end, ...this.#nexts.keys()])];
    this.#endId = end;
  }

  prompt(messages: readonly Message[], tools: readonly ToolSpec[] = []): number[] {
    return this.#ids(messages, tools, true).tokens;
  }

  render(messages: readonly Message[], tools: readonly ToolSpec[] = []): RenderedChat {
    return this.#ids(messages, tools, false);
  }

  decode(ids: readonly number[]): string {
    const last = ids.at(-1);
    const told = last !== undefined && this.stop.includes(last) ? ids.slice(0, -1) : [...ids];
    return told.length === 0 ? '' : this.#tokenizer.decode(told, { skip_special_tokens: false });
  }

  /** @throws TokensError */
  #ids(messages: readonly Message[], tools: readonly ToolSpec[], open: boolean): RenderedChat {
    const turns = messages.filter(({ role }) => role === 'assistant');
    const pieces = this.#asAsked(messages, this.#pieces(messages, tools, open));
    const tokens = this.#encode(pieces[0] ?? '');
    const spans: [number, number][] = [];
    for (const [i, turn] of turns.entries()) {
      const start = tokens.length;
      const after = pieces[i + 1] ?? '';
      const ids = turn.tokens ?? this.#turn(turn.content, after);
      for (const id of ids) tokens.push(id);
      spans.push([start, tokens.length]);
      // The template ends the turn, too; a turn that was cut has no end of its own.
      const end = ids.at(-1) ?? -1;
      for (const id of this.#encode(this.stop.includes(end) ? this.#withoutEnd(after, end) : after)) tokens.push(id);
    }
    return { tokens, spans };
  }

  /**
   * The text around the turns, where each that was sampled follows what it was asked with: a thought that the prompt opened
   * stays open before it.
   */
  #asAsked(messages: readonly Message[], pieces: readonly string[]): string[] {
    const asked = [...pieces];
    let turn = 0;
    for (const [at, { role, tokens }] of messages.entries()) {
      if (role !== 'assistant') continue;
      const i = turn++;
      const piece = asked[i] ?? '';
      const opening = tokens === undefined ? null : this.#opening(messages[at - 1]?.role, at === messages.length - 1);
      if (opening !== null && piece.endsWith(opening.given)) {
        asked[i] = piece.slice(0, piece.length - opening.given.length) + opening.asked;
      }
    }
    return asked;
  }

  #opening(before: Message['role'] | undefined, isLast: boolean): Opening | null {
    const place = { before: before === 'tool' ? before : ('user' as const), isLast };
    const key = `${place.before} ${place.isLast}`;
    const known = this.#openings.get(key);
    if (known !== undefined) return known;
    const opening = this.#unlessRefused(() => openingOf(place, (messages, open) => this.#pieces(messages, [], open)));
    this.#openings.set(key, opening);
    return opening;
  }

  /** The rendered text around the assistant turns. */
  #pieces(messages: readonly Message[], tools: readonly ToolSpec[], open: boolean): string[] {
    let turn = 0;
    const shown = messages.map(({ role, content }) => ({
      role,
      content: role === 'assistant' ? placeholder(turn++) : content,
    }));
    let text: string;
    try {
      text = this.#template.render({
        messages: shown,
        ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
        add_generation_prompt: open,
        ...this.#special,
      });
    } catch (error) {
      const what = messageOf(error);
      throw new TokensError(
        'template',
        l10n.t('{0}: the chat template refuses this conversation: {1}.', this.#source, what),
        {
          cause: error,
        },
      );
    }
    const pieces: string[] = [];
    let rest = text;
    for (let i = 0; i < turn; i++) {
      const at = rest.indexOf(placeholder(i));
      if (at === -1) {
        const what = l10n.t('{0}: the chat template leaves out assistant turn {1}.', this.#source, i + 1);
        throw new TokensError('template', what);
      }
      pieces.push(rest.slice(0, at));
      rest = rest.slice(at + placeholder(i).length);
    }
    return [...pieces, rest];
  }

  /**
   * The special token that the template puts behind an assistant's turn, which is not `eos_token` in every model (Gemma, Phi,
   * base models of Qwen). Null where it puts none, or refuses so short a conversation.
   */
  #turnEnd(special: readonly string[]): string | null {
    return this.#behindTurn([], special);
  }

  /** The tokens that begin turns of people and tools: models whose template ends no turn (GLM) sample them at the end of theirs. */
  #turnBegins(special: readonly string[]): string[] {
    return (['user', 'tool'] as const).flatMap((role) => this.#behindTurn([{ role, content: 'x' }], special) ?? []);
  }

  /** The special token behind an assistant's turn that others follow; null where there is none. */
  #behindTurn(following: readonly Message[], special: readonly string[]): string | null {
    const turns: Message[] = [{ role: 'user', content: 'x' }, { role: 'assistant', content: '' }, ...following];
    const behind = this.#unlessRefused(() => (this.#pieces(turns, [], false)[1] ?? '').trimStart());
    if (behind === null) return null;
    const found = special.filter(
      (token) => behind.startsWith(token) && this.#tokenizer.token_to_id(token) !== undefined,
    );
    return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
  }

  /** Of a conversation of our own, which a template may refuse. */
  #unlessRefused<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (error instanceof TokensError) return null;
      throw error;
    }
  }

  /** A turn that was not sampled. @param after the text behind it, which may begin with its end */
  #turn(content: string, after: string): number[] {
    const ids = this.#encode(content);
    if (this.stop.includes(ids.at(-1) ?? -1)) return ids;
    const next = [...this.#nexts].find(([, token]) => after.trimStart().startsWith(token));
    return [...ids, next?.[0] ?? this.#endId];
  }

  /** @param end id of the token that the turn before the text ended by */
  #withoutEnd(text: string, end: number): string {
    const start = text.length - text.trimStart().length;
    const token = this.#nexts.get(end) ?? this.#end;
    return text.startsWith(token, start) ? text.slice(0, start) + text.slice(start + token.length) : text;
  }

  #encode(text: string): number[] {
    if (text === '') return [];
    const { ids } = this.#tokenizer.encode(text, { add_special_tokens: false });
    const unknown = ids.findIndex((id) => !Number.isInteger(id));
    if (unknown !== -1) {
      throw new TokensError(
        'text',
        l10n.t('{0}: a text has something that is in no token: {1}', this.#source, text.slice(0, 120)),
        {},
      );
    }
    return ids;
  }
}

const addedSchema = z.array(z.looseObject({ content: z.string().min(1), special: z.boolean() }));

/** Texts of the tokens that stand for no text of their own. */
const specialTokens = (tokenizer: TokenizerFiles['tokenizer']): string[] =>
  (addedSchema.safeParse(tokenizer['added_tokens']).data ?? []).flatMap(({ content, special }) =>
    special ? [content] : [],
  );

/** A token as configuration files give it: a text, or an object with one. */
function tokenText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('content' in value)) return null;
  return typeof value.content === 'string' ? value.content : null;
}
