/** The nodes of the Data Pools tree. */
import type { RunDir } from '../../../host/runs/runs.ts';
import type { Pool } from '../../../host/trees/pool.ts';

export interface PoolRunNode {
  readonly kind: 'run';
  readonly run: RunDir;
}

export interface PoolNode {
  readonly kind: 'pool';
  readonly run: RunDir;
  readonly pool: Pool;
  readonly parent: PoolRunNode;
}

/** One fact of a pool. */
export interface PoolFactNode {
  readonly kind: 'fact';
  readonly run: RunDir;
  readonly name: string;
  readonly value: string;
  readonly parent: PoolNode;
}

export type PoolsNode = PoolRunNode | PoolNode | PoolFactNode;
