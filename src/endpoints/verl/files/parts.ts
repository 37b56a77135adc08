/** The parts of a policy that is trained by jobs. */
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { AdapterSampler } from '../adapterSampler.ts';
import type { Cluster } from '../jobSupervision.ts';
import type { PythonScorer } from './rewardFile.ts';

export interface VerlPolicyParts extends Cluster {
  name: 'agent' | 'environment';
  endpoint: VerlEndpoint;
  /** The run's id: jobs and adapters are named by it. */
  run: string;
  sampler: AdapterSampler;
  scorer: PythonScorer;
}
