/** Completions as the answers of the two calls, whole or in pieces. */
import type { Vocabulary } from '../../endpoints/embedded/vocabulary.ts';
import { smallest } from '../../shared/extremes.ts';
import type { Sampled } from '../models/samplingModel.ts';

export interface Answered {
  id: string;
  model: string;
  /** Seconds since 1970. */
  created: number;
  vocabulary: Vocabulary;
  prompt: readonly number[];
  /** Stop texts: they end a completion and are not part of it. */
  texts: readonly string[];
  /** Whether ids are returned. */
  tokenIds: boolean;
  sequences: readonly Sampled[];
  promptLogprobs: readonly (number | null)[] | null;
}

export interface Form {
  whole(answered: Answered): unknown;
  /** Pieces of completion `index`, the last of which says how it ended. */
  pieces(answered: Answered, sequence: Sampled, index: number): unknown[];
  object: string;
  prefix: string;
}

function textOf({ tokens }: Sampled, { vocabulary, texts }: Answered): string {
  const text = vocabulary.decode(tokens);
  const ends = texts.map((stop) => text.indexOf(stop)).filter((at) => at !== -1);
  return ends.length === 0 ? text : text.slice(0, smallest(ends)).trimEnd();
}

/** vLLM's form: the token's own entry by its id. */
function promptScores({ prompt, promptLogprobs, vocabulary }: Answered): unknown {
  if (promptLogprobs === null) return undefined;
  return prompt.map((id, i) => {
    const logprob = promptLogprobs[i] ?? null;
    return logprob === null ? null : { [id]: { logprob, rank: null, decoded_token: vocabulary.word(id) } };
  });
}

function usage({ prompt, sequences }: Answered): unknown {
  const completion = sequences.reduce((sum, { tokens }) => sum + tokens.length, 0);
  return { prompt_tokens: prompt.length, completion_tokens: completion, total_tokens: prompt.length + completion };
}

const head = ({ id, created, model }: Answered, prefix: string, object: string): Record<string, unknown> => ({
  ...{ id: `${prefix}-${id}`, object, created, model },
});

const end = ({ stopReason }: Sampled): Record<string, unknown> => ({ finish_reason: stopReason, stop_reason: null });

export function chatForm(withLogprobs: boolean): Form {
  const logprobs = ({ tokens, logprobs: values }: Sampled, { vocabulary }: Answered): unknown => {
    if (!withLogprobs) return null;
    const content = tokens.map((id, i) => {
      const token = vocabulary.word(id);
      return { token, logprob: values[i] ?? null, bytes: [...new TextEncoder().encode(token)], top_logprobs: [] };
    });
    return { content, refusal: null };
  };
  const [prefix, object] = ['chatcmpl', 'chat.completion.chunk'];
  return {
    ...{ prefix, object },
    whole: (answered) => ({
      ...head(answered, prefix, 'chat.completion'),
      choices: answered.sequences.map((sequence, index) => ({
        index,
        message: { role: 'assistant', content: textOf(sequence, answered), refusal: null },
        logprobs: logprobs(sequence, answered),
        ...end(sequence),
        ...(answered.tokenIds && { token_ids: sequence.tokens }),
      })),
      usage: usage(answered),
      ...(answered.tokenIds && { prompt_token_ids: answered.prompt }),
      ...(answered.promptLogprobs !== null && { prompt_logprobs: promptScores(answered) }),
    }),
    pieces: (answered, sequence, index) => [
      { index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
      ...words(textOf(sequence, answered)).map((content) => ({
        ...{ index, delta: { content }, logprobs: null, finish_reason: null },
      })),
      {
        ...{ index, delta: {}, logprobs: logprobs(sequence, answered), ...end(sequence) },
        ...(answered.tokenIds && { token_ids: sequence.tokens }),
      },
    ],
  };
}

export function completionForm(withLogprobs: boolean): Form {
  const logprobs = ({ tokens, logprobs: values }: Sampled, { vocabulary }: Answered): unknown => {
    if (!withLogprobs) return null;
    const words = tokens.map((id) => vocabulary.word(id));
    return { tokens: words, token_logprobs: values, top_logprobs: null, text_offset: offsets(words) };
  };
  const extras = (answered: Answered, { tokens }: Sampled): Record<string, unknown> => ({
    ...(answered.tokenIds && { token_ids: tokens, prompt_token_ids: answered.prompt }),
    ...(answered.promptLogprobs !== null && { prompt_logprobs: promptScores(answered) }),
  });
  const [prefix, object] = ['cmpl', 'text_completion'];
  return {
    ...{ prefix, object },
    whole: (answered) => ({
      ...head(answered, prefix, object),
      choices: answered.sequences.map((sequence, index) => ({
        ...{ index, text: textOf(sequence, answered), logprobs: logprobs(sequence, answered) },
        ...end(sequence),
        ...extras(answered, sequence),
      })),
      usage: usage(answered),
    }),
    pieces: (answered, sequence, index) => [
      ...words(textOf(sequence, answered)).map((text) => ({ index, text, logprobs: null, finish_reason: null })),
      { index, text: '', logprobs: logprobs(sequence, answered), ...end(sequence), ...extras(answered, sequence) },
    ],
  };
}

const words = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

/** Where each word begins in their text. */
function offsets(words: readonly string[]): number[] {
  let at = 0;
  return words.map((word) => {
    const start = at;
    at += word.length + 1;
    return start;
  });
}

/** The events of a streamed answer, `[DONE]` last. They begin when the completions are done: words cost no time here. */
export function* eventsOf(form: Form, answered: Answered, includeUsage: boolean): Generator<string> {
  const chunk = (choices: readonly unknown[], more: Record<string, unknown> = {}): string =>
    JSON.stringify({ ...head(answered, form.prefix, form.object), choices, ...more });
  // Sent once, as vLLM does.
  let first: Record<string, unknown> = answered.tokenIds ? { prompt_token_ids: answered.prompt } : {};
  for (const [index, sequence] of answered.sequences.entries()) {
    for (const piece of form.pieces(answered, sequence, index)) {
      yield chunk([piece], first);
      first = {};
    }
  }
  if (includeUsage) yield chunk([], { usage: usage(answered) });
  yield '[DONE]';
}
