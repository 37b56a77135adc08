/** How a batch divides among GPUs and optimiser steps: verl stops with an assertion where it does not. */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../endpointError.ts';

export interface Division {
  /** Tasks of one optimiser step. */
  minibatch: number;
  /** Optimiser steps of one pass. */
  steps: number;
}

/** The epoch that a job belongs to, and the cluster's address, for errors. */
export interface JobPlace {
  epoch: number;
  endpoint: string;
}

/**
 * Tasks of an optimiser step: the whole batch in equal parts that every GPU has a share of, as near to the wanted
 * number of attempts as there is. @throws EndpointError `unable` when there are no such parts
 */
export function divide(
  { tasks, group, gpus, wanted }: { tasks: number; group: number; gpus: number; wanted: number },
  { epoch, endpoint }: JobPlace,
): Division {
  const parts = Array.from({ length: tasks }, (_, i) => i + 1).filter(
    (part) => tasks % part === 0 && (part * group) % gpus === 0,
  );
  const aim = Math.max(1, wanted / group);
  const [nearest] = parts.sort((a, b) => Math.abs(Math.log(a / aim)) - Math.abs(Math.log(b / aim)));
  if (nearest !== undefined) return { minibatch: nearest, steps: tasks / nearest };
  throw new EndpointError('unable', l10n.t('{0} tasks × {1} attempts do not divide by {2} GPUs', tasks, group, gpus), {
    ...{ endpoint, request: l10n.t('a GRPO job'), attempts: 0 },
    remedy: wayOut(epoch, `rollouts.group=${multipleOf(gpus, group)}`),
  });
}

/** @throws EndpointError `unable` when the rows of a supervised step do not divide by the GPUs */
export function checkRows(rows: number, minibatch: number, gpus: number, { epoch, endpoint }: JobPlace): void {
  const facts = { endpoint, request: l10n.t('a supervised job'), attempts: 0 };
  if (minibatch % gpus !== 0) {
    throw new EndpointError('unable', l10n.t('{0} rows of a step do not divide by {1} GPUs', minibatch, gpus), {
      ...facts,
      remedy: wayOut(epoch, `environment.minibatch=${multipleOf(gpus, minibatch)}`),
    });
  }
  if (rows % minibatch !== 0 || rows === 0) {
    throw new EndpointError(
      'unable',
      l10n.t('{0} rows are not whole steps of {1}: verl would drop the rest', rows, minibatch),
      { ...facts, remedy: wayOut(epoch, 'environment.baseShare=0.5') },
    );
  }
}

const multipleOf = (gpus: number, atLeast: number): number => gpus * Math.ceil(atLeast / gpus);

/** An epoch under way keeps its batch and settings, so that a change of the same run would come too late. */
const wayOut = (epoch: number, setting: string): string =>
  l10n.t(
    'Epoch {0} keeps its settings, also when the run is resumed: branch the run from epoch {1} with {2} (Branch from Epoch…, or genenv branch RUN --epoch {1} --set {2}).',
    epoch,
    epoch - 1,
    setting,
  );
