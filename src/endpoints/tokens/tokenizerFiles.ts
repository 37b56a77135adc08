/** A model's tokenizer and chat template: from a folder, an address, or the hub by name; kept in a cache once read. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { utf8Text } from '../../shared/text/utf8.ts';
import { codeOf } from '../../shared/systemError.ts';
import { TokensError } from './tokensError.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { sha256 } from '../sha256.ts';

export interface TokenizerFiles {
  tokenizer: Record<string, unknown>;
  config: Record<string, unknown>;
  template: string;
  /** Where they came from, for messages. */
  source: string;
}

const names = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja'] as const;
export const hub = 'https://huggingface.co';
const objectSchema = z.record(z.string(), z.unknown());
/** Some configurations hold several templates by name. */
const templatesSchema = z.array(z.object({ name: z.string(), template: z.string() }));

/** The largest vocabularies make files of 34 MB. */
export const mostBytes = 2 ** 26;

export const tooLarge = (file: string): TokensError =>
  new TokensError('limit', l10n.t('{0} has more than {1} MB, which no tokenizer has.', file, mostBytes / 2 ** 20));

/**
 * Reads one file of an address; null when there is none. What is `wrong` by its words is asked for again.
 * @throws when the address cannot be reached, or gives nothing else
 */
export type Fetch = (address: string, wrong: (text: string) => string | null) => Promise<string | null>;

/**
 * `source`: an absolute folder, an address that the file names are put behind, or a name on the hub.
 * @throws TokensError `missing`, `format`
 */
export async function readTokenizer(source: string, cache: string, fetchText: Fetch): Promise<TokenizerFiles> {
  const local = isFolder(source);
  const address = addressOf(source);
  const read = local ? readerOf(source) : cachedReader(address, cache, fetchText);
  const [tokenizer, config, own] = await Promise.all(names.map(read));
  if (tokenizer === null || tokenizer === undefined) {
    throw new TokensError('missing', l10n.t('{0} has no tokenizer.json.', local ? source : address), {
      remedy: l10n.t(
        'Give a folder that holds tokenizer.json and tokenizer_config.json as the endpoint’s "tokenizer".',
      ),
    });
  }
  const settings = parse(config ?? '{}', `${source}/tokenizer_config.json`);
  const template = own ?? templateOf(settings['chat_template']);
  if (template === null) {
    throw new TokensError(
      'missing',
      l10n.t('{0} has no chat template: neither chat_template.jinja nor a "chat_template".', source),
      {
        remedy: l10n.t('Put the model’s chat_template.jinja beside its tokenizer.json.'),
      },
    );
  }
  return { tokenizer: parse(tokenizer, `${source}/tokenizer.json`), config: settings, template, source };
}

/**
 * Brings the files of an address or of the hub into the cache; those of a folder stay where they are.
 * @returns their state: another one after files of a folder were edited
 * @throws TokensError
 */
export async function fetchTokenizer(source: string, cache: string, fetchText: Fetch): Promise<string> {
  if (isFolder(source)) return (await Promise.all(names.map((name) => stateOf(join(source, name))))).join();
  await Promise.all(names.map(cachedReader(addressOf(source), cache, fetchText)));
  return '';
}

async function stateOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? 'none' : `${found.size}:${found.mtimeMs}`;
}

const isFolder = (source: string): boolean => source.startsWith('/') || /^[A-Za-z]:[\\/]/.test(source);

const addressOf = (source: string): string =>
  /^https?:/.test(source) ? source.replace(/\/$/, '') : `${hub}/${repository(source)}/resolve/main`;

/** `org/model:variant` and `org/model/variant` are `org/model` on the hub. */
const repository = (name: string): string => name.replace(/:.*$/, '').split('/').slice(0, 2).join('/');

const readerOf =
  (folder: string) =>
  async (name: string): Promise<string | null> => {
    const path = join(folder, name);
    try {
      const { size } = await stat(path);
      if (size > mostBytes) throw tooLarge(path);
      return utf8Text(await readFile(path), (cause) => {
        const { line, message, remedy } = cause;
        return new TokensError('format', l10n.t('{0} cannot be read: {1}', `${path}:${line}`, message), {
          remedy,
          cause,
        });
      });
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  };

/** Files that were read once are not requested again: a run must not hang on the hub. */
function cachedReader(
  address: string,
  cache: string,
  fetchText: Fetch,
): (name: (typeof names)[number]) => Promise<string | null> {
  const folder = join(cache, sha256(address).slice(0, 24));
  const kept = readerOf(folder);
  return async (name) => {
    const wrong = (text: string): string | null => wrongIn(name, text);
    const known = await kept(name);
    if (known !== null && wrong(known) === null) return known;
    const text = await fetchText(`${address}/${name}`, wrong);
    if (text === null) return null;
    await mkdir(folder, { recursive: true });
    const path = join(folder, name);
    // Agent and environment on one server read the same files at the same moment.
    const unfinished = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
    await writeFile(unfinished, text);
    await rename(unfinished, path);
    return text;
  };
}

/** Fields of which every configuration has one. */
const configured = ['tokenizer_class', 'chat_template', 'eos_token', 'model_max_length', 'added_tokens_decoder'];

/** Refuses a page or half a file: kept files are never requested again. */
function wrongIn(name: (typeof names)[number], text: string): string | null {
  if (name === 'chat_template.jinja') return /\{[{%]/.test(text) ? null : l10n.t('it is no chat template');
  // By its bytes: what strangers wrote is parsed in a worker alone.
  if (!/^\s*\{/.test(text) || !/\}\s*$/.test(text.slice(-64))) return l10n.t('it is no whole JSON object');
  const needed = name === 'tokenizer.json' ? ['model'] : configured;
  return needed.some((field) => text.includes(`"${field}"`)) ? null : l10n.t('it has none of {0}', needed.join(', '));
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return objectSchema.parse(value);
  } catch (error) {
    const what = messageOf(error);
    throw new TokensError('format', l10n.t('{0} cannot be read: {1}', file, what), { cause: error });
  }
}

function templateOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const several = templatesSchema.safeParse(value);
  if (!several.success) return null;
  return (several.data.find(({ name }) => name === 'default') ?? several.data[0])?.template ?? null;
}
