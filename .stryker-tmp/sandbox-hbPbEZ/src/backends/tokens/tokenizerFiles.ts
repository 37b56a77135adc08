/** A model's tokenizer and chat template: from a folder, an address, or the hub by name; kept in a cache once read. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../shared/systemError.ts';
import { TokensError } from './tokensError.ts';

export interface TokenizerFiles {
  tokenizer: Record<string, unknown>;
  config: Record<string, unknown>;
  template: string;
  /** Where they came from, for messages. */
  source: string;
}

const names = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja'] as const;
const hub = 'https://huggingface.co';
const objectSchema = z.record(z.string(), z.unknown());
/** Some configurations hold several templates by name. */
const templatesSchema = z.array(z.object({ name: z.string(), template: z.string() }));

/** Reads one file of an address; null when there is none. @throws when the address cannot be reached */
export type Fetch = (address: string) => Promise<string | null>;

/**
 * `source`: an absolute folder, an address that the file names are put behind, or a name on the hub.
 * @throws TokensError `missing`, `format`
 */
export async function readTokenizer(source: string, cache: string, fetchText: Fetch): Promise<TokenizerFiles> {
  const local = source.startsWith('/') || /^[A-Za-z]:[\\/]/.test(source);
  const address = /^https?:/.test(source) ? source.replace(/\/$/, '') : `${hub}/${repository(source)}/resolve/main`;
  const read = local ? readerOf(source) : cachedReader(address, cache, fetchText);
  const [tokenizer, config, own] = await Promise.all(names.map(read));
  if (tokenizer === null || tokenizer === undefined) {
    throw new TokensError('missing', `${local ? source : address} has no tokenizer.json.`, {
      remedy: 'Give a folder that holds tokenizer.json and tokenizer_config.json as the endpoint’s "tokenizer".',
    });
  }
  const settings = parse(config ?? '{}', `${source}/tokenizer_config.json`);
  const template = own ?? templateOf(settings['chat_template']);
  if (template === null) {
    throw new TokensError(
      'missing',
      `${source} has no chat template: neither chat_template.jinja nor a "chat_template".`,
      {
        remedy: 'Put the model’s chat_template.jinja beside its tokenizer.json.',
      },
    );
  }
  return { tokenizer: parse(tokenizer, `${source}/tokenizer.json`), config: settings, template, source };
}

/** `org/model:variant` and `org/model/variant` are `org/model` on the hub. */
const repository = (name: string): string => name.replace(/:.*$/, '').split('/').slice(0, 2).join('/');

const readerOf =
  (folder: string) =>
  async (name: string): Promise<string | null> => {
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  };

/** What was read once is not asked for again: a run must not hang on the hub. */
function cachedReader(address: string, cache: string, fetchText: Fetch): (name: string) => Promise<string | null> {
  const folder = join(cache, createHash('sha256').update(address).digest('hex').slice(0, 24));
  const kept = readerOf(folder);
  return async (name) => {
    const known = await kept(name);
    if (known !== null) return known;
    const text = await fetchText(`${address}/${name}`);
    if (text === null) return null;
    await mkdir(folder, { recursive: true });
    const path = join(folder, name);
    await writeFile(`${path}.${process.pid}`, text);
    await rename(`${path}.${process.pid}`, path);
    return text;
  };
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return objectSchema.parse(value);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new TokensError('format', `${file} cannot be read: ${what}`, { cause: error });
  }
}

function templateOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const several = templatesSchema.safeParse(value);
  if (!several.success) return null;
  return (several.data.find(({ name }) => name === 'default') ?? several.data[0])?.template ?? null;
}
