/** A tool's answer instead of an output: its message is the response's `exception`. */
export class ToolFault extends Error {
  readonly reason = 'tool-fault';

  constructor(message: string) {
    super(message);
    this.name = 'ToolFault';
  }
}

/** The official program calls this wrong without comparing: something is missing, or it stops at it with an error. */
export class Wrong extends Error {
  readonly reason = 'wrong';

  constructor(message: string) {
    super(message);
    this.name = 'Wrong';
  }
}
