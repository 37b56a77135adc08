/** Why a Python text gives no value: it cannot be read (`syntax`), or reading it would raise something (`value`). */
export type PythonFaultReason = 'syntax' | 'value';

/** What Python would raise; the message is its own where somebody gets to read it. */
export class PythonFault extends Error {
  readonly reason: PythonFaultReason;

  constructor(reason: PythonFaultReason, message: string) {
    super(message);
    this.name = 'PythonFault';
    this.reason = reason;
  }
}
