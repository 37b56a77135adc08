/** How a batch divides among GPUs and optimiser steps: verl stops with an assertion where it does not. */
import { EndpointError } from '../endpointError.ts';

export interface Division {
  /** Tasks of one optimiser step. */
  minibatch: number;
  /** Optimiser steps of one pass. */
  steps: number;
}

/**
 * Tasks of an optimiser step: the whole batch in equal parts that every GPU has a share of, as near to the wanted
 * number of attempts as there is. @throws EndpointError `unable` when there are no such parts
 */
export function divide(
  { tasks, group, gpus, wanted }: { tasks: number; group: number; gpus: number; wanted: number },
  endpoint: string,
): Division {
  const parts = Array.from({ length: tasks }, (_, i) => i + 1).filter(
    (part) => tasks % part === 0 && (part * group) % gpus === 0,
  );
  const aim = Math.max(1, wanted / group);
  const [nearest] = parts.sort((a, b) => Math.abs(Math.log(a / aim)) - Math.abs(Math.log(b / aim)));
  if (nearest !== undefined) return { minibatch: nearest, steps: tasks / nearest };
  throw new EndpointError('unable', `${tasks} tasks × ${group} attempts do not divide by ${gpus} GPUs`, {
    ...{ endpoint, request: 'a GRPO job', attempts: 0 },
    remedy: `Set rollouts.group to a multiple of ${gpus}, or give the endpoint fewer GPUs.`,
  });
}

/** @throws EndpointError `unable` when the rows of a supervised step do not divide by the GPUs */
export function checkRows(rows: number, minibatch: number, gpus: number, endpoint: string): void {
  const facts = { endpoint, request: 'a supervised job', attempts: 0 };
  if (minibatch % gpus !== 0) {
    throw new EndpointError('unable', `${minibatch} rows of a step do not divide by ${gpus} GPUs`, {
      ...facts,
      remedy: `Set environment.minibatch to a multiple of ${gpus}, or give the endpoint fewer GPUs.`,
    });
  }
  if (rows % minibatch !== 0 || rows === 0) {
    throw new EndpointError('unable', `${rows} rows are not whole steps of ${minibatch}: verl would drop the rest`, {
      ...facts,
      remedy: 'Set environment.minibatch and environment.steps so that there are as many rows.',
    });
  }
}
