/**
 * The OpenEnv server that a domain file names: contacted with the user's consent, and required to stay as it was at the
 * run's start.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { EndpointError } from '../../endpoints/endpointError.ts';
import { NodeHttpClient } from '../../endpoints/http/nodeHttpClient.ts';
import type { Silences } from '../../endpoints/http/silences.ts';
import { OpenenvServer } from '../../endpoints/openenv/openenvServer.ts';
import { schemasSchema } from '../../endpoints/openenv/wire.ts';
import { machineTime, type Time } from '../../endpoints/time.ts';
import type { Log } from '../../engine/ports.ts';
import { parseSaid } from '../../shared/json.ts';
import type { OpenenvSettings } from '../../shared/domains/openenv.ts';
import { codeOf } from '../../shared/systemError.ts';
import { defined } from '../../shared/defined.ts';
import { readError, writeError } from '../../runs/files/fileErrors.ts';
import { authorization, proofFor, type Keys } from '../access/keys.ts';

export interface ServerNeeds {
  keys: Keys;
  log: Log;
  /** The machine's when absent. */
  time?: Time;
  signal: AbortSignal;
  /** How often a server that is away is asked; as patiently as a run does when absent. */
  tries?: number;
  /** A session was refused because there are enough. */
  onFull?: () => void;
  silences?: Silences;
}

/** @throws EndpointError, KeyError */
export async function openOpenenv(
  settings: OpenenvSettings,
  { keys, log, time, signal, tries, onFull, silences }: ServerNeeds,
): Promise<OpenenvServer> {
  const { url, key, sessions, seconds, megabytes } = settings;
  const credentials = proofFor(keys, { key, url }, authorization);
  const patience = seconds * 1000;
  const largest = Math.round(megabytes * 1024 * 1024);
  const http = new NodeHttpClient({
    ...{ url, credentials, timeout: { answer: patience, whole: 2 * patience }, largestAnswer: largest },
    ...defined({ time, tries, silences }),
    onTrouble: ({ request, attempt, what, delay }) =>
      log.info(`${url}: ${request}: ${what} (attempt ${attempt}, again in ${Math.round(delay)} ms)`),
  });
  try {
    const options = { http, credentials, sessions, patience, largest, time: time ?? machineTime };
    const told = { onTrouble: (what: string) => log.info(what), ...defined({ onFull, silences }) };
    return await OpenenvServer.open({ ...options, ...told }, signal);
  } catch (error) {
    http.close();
    throw error;
  }
}

/** `endpoints/openenv-NAME.json`, by the domain's name: a server's description at the run's start. */
const keptSchema = z.strictObject({
  v: z.literal(1),
  url: z.string(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  schemas: schemasSchema,
});

/**
 * Stores a server's description, or compares it with the stored one. @param fence called before the file is written;
 * null where none is. @throws EndpointError `malformed` where it now serves something else
 */
export async function sameServer(
  server: OpenenvServer,
  { dir, name: domain, fence }: { dir: string; name: string; fence: (() => Promise<void>) | null },
): Promise<void> {
  const path = join(dir, 'endpoints', `openenv-${domain}.json`);
  const { url, schemas, metadata } = server;
  const kept = await readKept(path);
  if (kept !== null) {
    const differ = (['action', 'observation'] as const).filter(
      (name) => !isDeepStrictEqual(kept.schemas[name], schemas[name]),
    );
    if (differ.length === 0) return;
    const what = l10n.t('its schema of {0} is no longer what it was when the run began', differ.join(' and '));
    throw new EndpointError('malformed', what, {
      ...{ endpoint: url, request: 'GET /schema', attempts: 1 },
      remedy: l10n.t('Serve the same environment again, then resume; or start a new run.'),
    });
  }
  if (fence === null) return;
  await fence();
  const { name = null, version = null } = metadata ?? {};
  const said: z.infer<typeof keptSchema> = { v: 1, url, name, version, schemas };
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(said, null, 2)}\n`);
  } catch (error) {
    throw writeError(error, path);
  }
}

/** Null where none is kept, or a kill cut it off while it was written. */
async function readKept(path: string): Promise<z.infer<typeof keptSchema> | null> {
  try {
    return keptSchema.safeParse(parseSaid(await readFile(path, 'utf8'))).data ?? null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw readError(error, path);
  }
}
