/** The tokens of a model, read once for all runs. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ChatTokens } from '../backends/tokens/chatTokens.ts';
import { fetchText } from '../backends/tokens/fetchText.ts';
import { readTokenizer } from '../backends/tokens/tokenizerFiles.ts';

/** Tokenizers are megabytes and the same for every run. */
const cache = join(homedir(), '.cache', 'genenv', 'tokenizers');

/** @throws TokensError */
export async function openTokens(source: string): Promise<ChatTokens> {
  return new ChatTokens(await readTokenizer(source, cache, fetchText));
}
