import { TokensError } from './tokensError.ts';

/** A hub that does not answer must not hold up a run for long. */
const patience = 120_000;

/** A file of an address, redirections followed; null when there is none. @throws TokensError when it cannot be read */
export async function fetchText(address: string): Promise<string | null> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(patience) });
    if (response.status === 404) return null;
    if (response.ok) return await response.text();
    throw new Error(`the server answered ${response.status}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TokensError('missing', `${address} cannot be read: ${why}.`, {
      remedy:
        'Put tokenizer.json, tokenizer_config.json and chat_template.jinja into a folder and name it as "tokenizer".',
      cause: error,
    });
  }
}
