/** Where a run's saves are kept that do not lie in its folder: on servers, and in folders of clusters. */
import type { Experiment } from '../schema.ts';
import { trainsEnvironment } from '../trains.ts';

export interface SavesElsewhere {
  /** Addresses of Tinker servers. */
  servers: string[];
  /** Addresses of clusters, each with its folder. */
  folders: string[];
}

/** Each place once. A policy that is not trained saves nothing. */
export function savesElsewhere(experiment: Experiment): SavesElsewhere {
  const { agent, endpoints } = experiment;
  const trained = [
    ...(agent.train ? [endpoints.agent] : []),
    ...(trainsEnvironment(experiment) ? [endpoints.environment] : []),
  ];
  const servers = trained.flatMap((endpoint) => (endpoint.kind === 'tinker' ? [endpoint.url] : []));
  const folders = trained.flatMap((endpoint) =>
    endpoint.kind === 'verl' ? [`${endpoint.url} ${endpoint.workdir}`] : [],
  );
  return { servers: [...new Set(servers)], folders: [...new Set(folders)] };
}
