import { defined } from '../../../shared/defined.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { SampleRequest } from '../../ports.ts';

/** How texts and plans are sampled. */
export function samplingOf({
  maxTokens,
  maxSequence,
  temperature,
}: Experiment['generation']): Pick<SampleRequest, 'maxTokens' | 'maxSequence' | 'temperature'> {
  return { maxTokens, ...defined({ maxSequence: maxSequence ?? undefined }), temperature };
}
