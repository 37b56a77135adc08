import type { EventOf } from '../../../src/shared/journal/events.ts';

/** The run has learned from an epoch; of its sizes no reader under test takes account. */
export const grown = (epoch: number, seq: number): EventOf<'pools.grown'> => ({
  ...{ v: 1, seq, at: 0, type: 'pools.grown', epoch },
  agent: { addedTasks: 0, addedTraces: 0, tasks: 0, traces: 0 },
  environment: { added: 0, size: 0 },
});
