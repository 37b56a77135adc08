/** Addresses of runs, families, tasks and traces that can be pasted anywhere: `/run/ID/trace/e2/base.17/r0`. */

interface PlaceInRun {
  epoch?: number | undefined;
  family?: string | undefined;
  task?: string | undefined;
  trace?: string | undefined;
}

/** A run, by its folder's path or name, and a place in it. */
export interface LinkedTarget extends PlaceInRun {
  run: string;
}

/** A place, its run named by its folder alone: a link means the same on every machine that has the run. */
export interface LinkedPlace extends PlaceInRun {
  /** Name of the run's folder. */
  id: string;
}

export interface LinkParts {
  path: string;
  /** Without its question mark; empty where the path says it all. */
  query: string;
}

/** A link is about the last of these that its place has. */
const kinds = ['family', 'task', 'trace'] as const;

/** The part of a link after the extension's name. */
export function linkTo(target: LinkedTarget): LinkParts {
  const id = target.run.split(/[\\/]/).at(-1) ?? '';
  const kind = kinds.findLast((one) => target[one] !== undefined);
  // A trace's own name holds its epoch.
  const query = target.epoch === undefined || kind === 'trace' ? '' : `epoch=${target.epoch}`;
  return { path: kind === undefined ? `/run/${id}` : `/run/${id}/${kind}/${target[kind] ?? ''}`, query };
}

/** The place of a link; null for an address that is none of ours. */
export function placeOfLink({ path, query }: LinkParts): LinkedPlace | null {
  const [, run, id = '', kind, ...rest] = path.split('/');
  if (run !== 'run' || id === '') return null;
  const number = new URLSearchParams(query).get('epoch');
  if (number !== null && (!/^\d+$/.test(number) || !Number.isSafeInteger(Number(number)))) return null;
  const place = { id, ...(number !== null && { epoch: Number(number) }) };
  const name = rest.join('/');
  if (kind === undefined || kind === '') return place;
  const known = kinds.find((one) => one === kind);
  return known === undefined || name === '' ? null : { ...place, [known]: name };
}
