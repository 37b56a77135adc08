import type { Experiment } from './schema.ts';

/** Whether the environment policy learns at all. */
export const trainsEnvironment = ({
  mode,
  environment,
}: {
  mode: Experiment['mode'];
  environment: Pick<Experiment['environment'], 'update'>;
}): boolean => mode === 'coevolve' && environment.update !== 'none';
