/** From an endpoint of an experiment to a policy that lives there. */
import { join } from 'node:path';
import { embeddedAssets } from '../../endpoints/embedded/assets.ts';
import { EmbeddedPolicy } from '../../endpoints/embedded/embeddedPolicy.ts';
import type { Policy } from '../../engine/ports.ts';
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { keptWeights, shippedWeights, type Role } from './weightFiles.ts';
import type { PolicyNeeds } from './policyNeeds.ts';

/** @throws EndpointError, EmbeddedError, TokensError, KeyError when the endpoint cannot be used */
export async function openPolicy(endpoint: Endpoint, role: Role, needs: PolicyNeeds): Promise<Policy> {
  if (endpoint.kind === 'embedded') return openEmbedded(endpoint.weights, role, needs);
  // Loaded with the first run that lives there.
  if (endpoint.kind === 'openai') {
    const { openOpenai } = await import('./openOpenai.ts');
    return openOpenai(endpoint, role, needs);
  }
  if (endpoint.kind === 'verl') {
    const { openVerl } = await import('./openVerl.ts');
    return openVerl(endpoint, role, needs);
  }
  const { openTinker } = await import('./openTinker.ts');
  return openTinker(endpoint, role, needs);
}

function openEmbedded(weights: string, role: Role, { dir, fence, dist }: PolicyNeeds): Promise<Policy> {
  const assets = embeddedAssets(dist);
  const shipped = shippedWeights(weights);
  return EmbeddedPolicy.load({
    name: role,
    weights: shipped === null ? keptWeights(dir, role) : assets.weights[shipped],
    worker: assets.worker,
    kernels: assets.kernels,
    checkpoints: join(dir, 'checkpoints'),
    fence,
  });
}
