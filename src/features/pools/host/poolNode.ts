/** The nodes of the data pools, in the view Data. */
import type { RunDir } from '../../../host/runs/runs.ts';
import type { AdmittedAttempt } from '../node/admitted.ts';
import type { Pool } from '../../../host/trees/pool.ts';

/** Above all runs. */
export interface PoolsRootNode {
  readonly kind: 'pools';
}

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

/** An attempt of a person in the agent pool. */
export interface AdmittedNode {
  readonly kind: 'admitted';
  readonly run: RunDir;
  readonly trace: string;
  readonly attempt: AdmittedAttempt;
  readonly parent: PoolNode;
}

export type PoolsNode = PoolsRootNode | PoolRunNode | PoolNode | PoolFactNode | AdmittedNode;
