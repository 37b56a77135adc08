/** Addresses of runs, families, tasks and traces that can be pasted anywhere: `/run/ID/trace/e2/base.17/r0`. */
import type { RunTarget } from '../../../host/trees/target.ts';

/** A place, its run named by its folder alone: a link means the same on every machine that has the run. */
export interface LinkedPlace extends Omit<RunTarget, 'run'> {
  /** Name of the run's folder. */
  id: string;
}

export interface LinkParts {
  path: string;
  /** Without its question mark; empty where the path says it all. */
  query: string;
}

/** The last of these that a place has is what its link is about. */
const kinds = ['family', 'task', 'trace'] as const;

/** What follows the extension's name in a link. */
export function linkTo(target: RunTarget): LinkParts {
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
  const place = { id, ...(number === null ? {} : { epoch: Number(number) }) };
  const name = rest.join('/');
  if (kind === undefined || kind === '') return place;
  const known = kinds.find((one) => one === kind);
  return known === undefined || name === '' ? null : { ...place, [known]: name };
}
