import { RunError } from '../../../src/runs/store/runError.ts';

/** The RunError that a promise ends with; anything else is an error of the test. */
export async function runError(promise: Promise<unknown>): Promise<RunError> {
  try {
    await promise;
  } catch (error) {
    if (RunError.is(error)) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
