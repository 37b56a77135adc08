/** Tokens of conversations and answers that a server does not count: by the model's tokenizer where it is known, else by their characters. */
import type { SampleRequest } from '../../engine/ports.ts';
import { sum } from '../../shared/sum.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Answer } from './server.ts';

/** Characters of a token, as tokenizers of the common models have them in English; more tokens come of other languages and of code. */
const charactersPerToken = 4;

const byCharacters = (characters: number): number => Math.ceil(characters / charactersPerToken);

/** Of the whole prompt. */
export function promptTokensOf(
  { messages, tools = [] }: Pick<SampleRequest, 'messages' | 'tools'>,
  tokens: Tokens | null,
): number {
  if (tokens !== null) return tokens.prompt(messages, tools).length;
  const texts = messages.map(({ content }) => content.length);
  return byCharacters(sum(texts) + sum(tools.map((tool) => JSON.stringify(tool).length)));
}

/** Of an answer with its thoughts. */
export function answerTokensOf(
  { text, reasoning = '', logprobs }: Pick<Answer, 'text' | 'reasoning' | 'logprobs'>,
  tokens: Tokens | null,
): number {
  if (logprobs.length > 0) return logprobs.length;
  const said = reasoning + text;
  if (tokens === null || said === '') return byCharacters(said.length);
  const lengthOf = (content: string): number => tokens.prompt([{ role: 'user', content }]).length;
  // The length that it adds to a message of a single token.
  return Math.max(0, lengthOf(`1${said}`) - lengthOf('1'));
}
