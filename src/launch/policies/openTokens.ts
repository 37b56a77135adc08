/** The tokens of a model, read once for all runs. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { textFetcher, type Patience } from '../../endpoints/tokens/fetchText.ts';
import { SandboxedTokens } from '../../endpoints/tokens/sandboxedTokens.ts';
import { fetchTokenizer, hub, type Fetch } from '../../endpoints/tokens/tokenizerFiles.ts';
import { TokensError } from '../../endpoints/tokens/tokensError.ts';
import type { Tokens } from '../../endpoints/tokens/tokens.ts';
import type { Keys } from '../access/keys.ts';

/** Tokenizers are megabytes and the same for every run. */
const cache = join(homedir(), '.cache', 'genenv', 'tokenizers');

/** Dependencies for reading a tokenizer. */
export interface TokenNeeds extends Patience {
  keys: Pick<Keys, 'reach'>;
  /** The folder of built files. */
  dist: URL;
}

/** A thread holds up to 700 MB: policies of one model, and checks beside them, share it. */
const shared = new Map<string, WeakRef<Tokens>>();

/** @throws TokensError, KeyError where a person has not allowed the address */
export async function openTokens(source: string, { keys, dist, time, tries }: TokenNeeds): Promise<Tokens> {
  const fetchText = textFetcher({ ...(time && { time }), ...(tries !== undefined && { tries }) });
  const fetch: Fetch = async (address, wrong) => {
    if (!address.startsWith(`${hub}/`)) await keys.reach(address);
    return fetchText(address, wrong);
  };
  const state = await fetchTokenizer(source, cache, fetch);
  const of = [source, state, dist.href].join('\n');
  const known = shared.get(of)?.deref();
  if (known !== undefined) return known;
  const tokens = new SandboxedTokens({ source, cache }, new URL('tokens-worker.js', dist));
  shared.set(of, new WeakRef(tokens));
  return tokens;
}

/** Seconds, and ids: texts of single tokens are only shown. */
const longestLook = 5;
const mostShown = 16_384;

/**
 * The texts of single ids by a tokenizer that lies on this machine: nothing is fetched, and no server is asked. Null where
 * it does not lie here, cannot be used, or the ids are too many.
 */
export function wordsOnDisk(source: string, ids: readonly number[], dist: URL): string[] | null {
  if (ids.length > mostShown) return null;
  try {
    return new SandboxedTokens({ source, cache }, new URL('tokens-worker.js', dist), longestLook).words(ids);
  } catch (error) {
    if (TokensError.is(error)) return null;
    throw error;
  }
}
