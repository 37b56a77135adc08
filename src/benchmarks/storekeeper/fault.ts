import type { Rejection } from '../../shared/records/task.ts';

/** Why a text is not a task of this domain; `reason` is what the run counts, the message is for a person. */
export class TaskFault extends Error {
  readonly reason: Rejection;

  constructor(reason: Rejection, message: string) {
    super(message);
    this.name = 'TaskFault';
    this.reason = reason;
  }
}
