/**
 * Endpoints that a person keeps in the editor's settings under a name, to use them in experiments. A setting is plain text
 * that is synced and shared: like a file it never holds a key, only where the key is found.
 */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { endpointDefaults, endpointSchema, hasDefaults, type Endpoint } from './endpoint.ts';

type RemoteEndpoint = Exclude<Endpoint, { kind: 'embedded' }>;

export interface RememberedEndpoint {
  /** Its index in the setting. */
  index: number;
  name: string;
  endpoint: RemoteEndpoint;
}

/** An entry of the setting that cannot be used, and why. */
export interface UnusableEndpoint {
  index: number;
  /** Null when it has none. */
  name: string | null;
  /** One sentence, without the entry's key field. */
  problem: string;
}

const entrySchema = z.record(z.string(), z.unknown());

/** Every entry of the setting, in its order. */
export function readRemembered(setting: unknown): (RememberedEndpoint | UnusableEndpoint)[] {
  const taken = new Set<string>();
  return entriesOf(setting).map((entry, index) => {
    const read = readEntry(entry, index);
    if ('problem' in read) return read;
    if (taken.has(read.name)) return { index, name: read.name, problem: l10n.t('Another endpoint has this name.') };
    taken.add(read.name);
    return read;
  });
}

/** The setting's entries, unvalidated. */
export const entriesOf = (setting: unknown): readonly unknown[] => (Array.isArray(setting) ? setting : []);

function readEntry(entry: unknown, index: number): RememberedEndpoint | UnusableEndpoint {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return { index, name: null, problem: l10n.t('It is no object with name, kind and url.') };
  const { name, ...rest } = parsed.data;
  if (typeof name !== 'string' || name.trim() === '') return { index, name: null, problem: l10n.t('It has no name.') };
  const { kind } = rest;
  if (!hasDefaults(kind)) {
    return { index, name, problem: l10n.t('Its kind is none of {0}.', Object.keys(endpointDefaults).join(', ')) };
  }
  const read = endpointSchema.safeParse({ ...endpointDefaults[kind], ...rest });
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join('.') ?? '';
    return {
      index,
      name,
      problem: `${where === '' ? '' : `${where}: `}${issue?.message ?? l10n.t('It is not understood.')}`,
    };
  }
  if (read.data.kind === 'embedded') throw new Error('Unreachable: the embedded kind has no defaults.');
  return { index, name, endpoint: read.data };
}

/** Its form in a file: values equal to its kind's defaults are left out, except those that identify it. */
export function writtenEndpoint(endpoint: RemoteEndpoint): Record<string, string | number | null> {
  const usual: Readonly<Record<string, unknown>> = endpointDefaults[endpoint.kind];
  const always = ['kind', 'url', 'key', 'model'];
  return Object.fromEntries(
    Object.entries(endpoint).flatMap(([field, value]) =>
      value !== undefined && (always.includes(field) || value !== usual[field]) ? [[field, value]] : [],
    ),
  );
}

/** The entry of the setting. */
export const writtenRemembered = ({ name, endpoint }: Pick<RememberedEndpoint, 'name' | 'endpoint'>): unknown => ({
  name,
  ...writtenEndpoint(endpoint),
});

/** Moves entry `from` to `to`; the others keep their order. */
export function moved(entries: readonly unknown[], from: number, to: number): unknown[] {
  const rest = entries.filter((_, i) => i !== from);
  return [...rest.slice(0, to), entries[from], ...rest.slice(to)];
}

/** A name that no entry has yet, from one that is wished. */
export function freeName(wished: string, taken: readonly string[]): string {
  if (!taken.includes(wished)) return wished;
  for (let number = 2; ; number++) if (!taken.includes(`${wished} ${number}`)) return `${wished} ${number}`;
}
