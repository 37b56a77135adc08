/** The exception that Python would raise: a SyntaxError, a TypeError, or something else. */
export type PythonFaultReason = 'syntax' | 'type' | 'value';

/** The exception that Python would raise; the message is Python's where it is shown. */
export class PythonFault extends Error {
  readonly reason: PythonFaultReason;

  constructor(reason: PythonFaultReason, message: string) {
    super(message);
    this.name = 'PythonFault';
    this.reason = reason;
  }
}
