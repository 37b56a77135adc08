/** Which part of a pool is exported. */
export interface PoolPart {
  /** Of the agent pool; all of them when absent. */
  kinds?: readonly ItemKind[] | undefined;
  /** First and last epoch; all when absent. Base tasks belong to none and are not left out by it. */
  epochs?: readonly [number, number] | undefined;
}

export const itemKinds = ['base', 'solved', 'unsolved'] as const;
export type ItemKind = (typeof itemKinds)[number];

/** The subject of a part: a base task, an attempt, or a weighted task of the environment pool. */
type Placed = { kind: 'base' } | { kind: 'trace'; epoch: number; success: boolean } | { kind?: never; epoch: number };

export function isInPart(item: Placed, { kinds, epochs }: PoolPart): boolean {
  if (item.kind !== undefined && kinds !== undefined && !kinds.includes(kindOf(item))) return false;
  return epochs === undefined || item.kind === 'base' || (item.epoch >= epochs[0] && item.epoch <= epochs[1]);
}

function kindOf(item: Extract<Placed, { kind: string }>): ItemKind {
  if (item.kind === 'base') return 'base';
  return item.success ? 'solved' : 'unsolved';
}
