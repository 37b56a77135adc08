/** What Python would raise: a SyntaxError, a TypeError, or something else. */
export type PythonFaultReason = 'syntax' | 'type' | 'value';

/** What Python would raise; the message is its own where somebody gets to read it. */
export class PythonFault extends Error {
  readonly reason: PythonFaultReason;

  constructor(reason: PythonFaultReason, message: string) {
    super(message);
    this.name = 'PythonFault';
    this.reason = reason;
  }
}
