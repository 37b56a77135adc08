import { ReasonedError } from '../../../shared/reasonedError.ts';

/** The exception that Python would raise: a SyntaxError, a TypeError, or something else. */
export type PythonFaultReason = 'syntax' | 'type' | 'value';

/** The exception that Python would raise; the message is Python's where it is shown. */
export class PythonFault extends ReasonedError<PythonFaultReason> {
  override readonly name = 'PythonFault';
}
