import assert from 'node:assert/strict';
import { serialize } from 'node:v8';

/**
 * `assert.deepEqual` of hundreds of records after each of hundreds of crashes takes a good part of a suite's time. Equal bytes are
 * equal values; where bytes differ, it decides, and says what differs.
 */
export function sameRecords(actual: readonly object[], expected: readonly object[], message?: string): void {
  if (!serialize(actual).equals(serialize(expected))) assert.deepEqual(actual, expected, message);
}
