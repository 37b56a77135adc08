/** Where a run's saves are kept that do not lie in its folder: on servers, and in folders of clusters. */
import type { Experiment } from '../schema.ts';
import { trainsEnvironment } from '../trains.ts';

/** Addresses, each once; a cluster's with its folder. A policy that is not trained saves nothing. */
export function savesElsewhere(experiment: Experiment): string[] {
  const { agent, endpoints } = experiment;
  const trained = [
    ...(agent.train ? [endpoints.agent] : []),
    ...(trainsEnvironment(experiment) ? [endpoints.environment] : []),
  ];
  const places = trained.flatMap((endpoint) => {
    if (endpoint.kind === 'tinker') return [endpoint.url];
    return endpoint.kind === 'verl' ? [`${endpoint.url} ${endpoint.workdir}`] : [];
  });
  return [...new Set(places)];
}
