/**
 * A user's permits on this machine, for all folders: stored outside every workspace, so that no repository can bring
 * its own.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { permitSchema, writtenPermit, type Permit } from '../../launch/access/permit.ts';
import { unfinishedName } from '../../runs/files/unfinished.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { codeOf } from '../../shared/systemError.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usageError.ts';

const fileSchema = z.object({ allowed: z.array(permitSchema) });

export function consentFile(env: Terminal['env']): string {
  const own = env['XDG_CONFIG_HOME'];
  return join(own === undefined || own === '' ? join(homedir(), '.config') : own, 'genenv', 'allowed.json');
}

/** @throws UsageError for an unreadable file: its permits are not guessed */
export async function readConsent(path: string): Promise<Permit[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '{"allowed":[]}';
    throw error;
  });
  const parsed = fileSchema.safeParse(parseOrUndefined(text));
  if (parsed.success) return parsed.data.allowed;
  throw new UsageError(
    `${path} is damaged.`,
    'Correct or delete the file, then allow addresses again with "genenv allow".',
  );
}

/** Readable only by its owner: it lists the services that a user has. */
export async function writeConsent(path: string, permits: readonly Permit[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const allowed = [...permits].sort((a, b) => writtenPermit(a).localeCompare(writtenPermit(b)));
  const unfinished = unfinishedName(path);
  await writeFile(unfinished, `${JSON.stringify({ allowed }, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, path);
}
