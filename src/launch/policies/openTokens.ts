/** The tokens of a model, read once for all runs. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { textFetcher, type Patience } from '../../endpoints/tokens/fetchText.ts';
import { SandboxedTokens } from '../../endpoints/tokens/sandboxedTokens.ts';
import { fetchTokenizer, hub, type Fetch } from '../../endpoints/tokens/tokenizerFiles.ts';
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
