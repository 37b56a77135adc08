/** Completions in this protocol's form, whole or in pieces. */
import type { ChatBody } from './chatBody.ts';
import type { ToldTurn } from './heard.ts';
import type { Completion } from '../../engine/completion.ts';
import { countOf } from '../../engine/turn.ts';

export interface Answered {
  id: string;
  /** Seconds since 1970. */
  created: number;
  asked: ChatBody;
  choices: readonly { completion: Completion; turn: ToldTurn }[];
}

type Choice = Answered['choices'][number];

const finish = ({ completion, turn }: Choice): string =>
  completion.stopReason === 'length' ? 'length' : turn.tool_calls === undefined ? 'stop' : 'tool_calls';

/** Tokens have ids here and no texts: written as vLLM does with `return_tokens_as_token_ids`. */
function logprobs({ completion }: Choice, { asked }: Answered): unknown {
  if (asked.logprobs !== true) return null;
  const content = completion.tokens.map((id, i) => ({
    ...{ token: `token_id:${id}`, logprob: completion.logprobs[i] ?? null, bytes: null, top_logprobs: [] },
  }));
  return { content, refusal: null };
}

function usage({ choices }: Answered): unknown {
  const [first] = choices;
  // Servers count a prompt once, however many answers there are: of their own count each answer has its share.
  const counted = choices.filter(({ completion }) => completion.counted !== undefined);
  const read =
    counted.length > 0
      ? counted.reduce((sum, { completion }) => sum + countOf(completion).prompt, 0)
      : (first?.completion.promptTokens.length ?? 0);
  const written = choices.reduce((sum, { completion }) => sum + countOf(completion).answer, 0);
  return { prompt_tokens: read, completion_tokens: written, total_tokens: read + written };
}

const ids = ({ completion }: Choice, { asked }: Answered): object =>
  asked.return_token_ids === true ? { token_ids: completion.tokens } : {};

const promptIds = ({ asked, choices }: Answered): object =>
  asked.return_token_ids === true ? { prompt_token_ids: choices[0]?.completion.promptTokens ?? [] } : {};

const head = ({ id, created, asked }: Answered, object: string): object => ({
  id,
  object,
  created,
  model: asked.model,
});

export const wholeAnswer = (answered: Answered): unknown => ({
  ...head(answered, 'chat.completion'),
  choices: answered.choices.map((choice, index) => ({
    index,
    message: { role: 'assistant', refusal: null, ...choice.turn },
    logprobs: logprobs(choice, answered),
    finish_reason: finish(choice),
    ...ids(choice, answered),
  })),
  usage: usage(answered),
  ...promptIds(answered),
});

/** Characters of a piece. */
const pieceLength = 64;

/** The data of server-sent events, `[DONE]` last. The answer is complete before its first piece is sent. */
export function* answerEvents(answered: Answered): Generator<string> {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    JSON.stringify({ ...head(answered, 'chat.completion.chunk'), choices, ...more });
  for (const [index, choice] of answered.choices.entries()) {
    const piece = (delta: object): string => chunk([{ index, delta, logprobs: null, finish_reason: null }]);
    const { content, reasoning_content: thought, tool_calls: calls = [] } = choice.turn;
    yield piece({ role: 'assistant', content: '' });
    for (const text of pieces(thought ?? '')) yield piece({ reasoning_content: text });
    for (const text of pieces(content ?? '')) yield piece({ content: text });
    for (const [at, call] of calls.entries()) yield piece({ tool_calls: [{ index: at, ...call }] });
    const end = { index, delta: {}, logprobs: logprobs(choice, answered), finish_reason: finish(choice) };
    yield chunk([{ ...end, ...ids(choice, answered) }], index === 0 ? promptIds(answered) : {});
  }
  if (answered.asked.stream_options?.include_usage === true) yield chunk([], { usage: usage(answered) });
  yield '[DONE]';
}

/** By code points: half of a pair would be no text. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    const high = text.charCodeAt(from + pieceLength - 1);
    const to = from + pieceLength - (high >= 0xd800 && high <= 0xdbff ? 1 : 0);
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}
