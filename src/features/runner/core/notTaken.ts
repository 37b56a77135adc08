import type { RunnerRequest } from '../contract.ts';

/** Those of the runs whose request to be added waits in the inbox still. */
export function notTaken(waiting: readonly RunnerRequest[], runs: ReadonlySet<string>): Set<string> {
  const adding = waiting.flatMap((request) => (request.type === 'add' ? request.work.map(({ run }) => run) : []));
  return new Set(adding.filter((run) => runs.has(run)));
}
