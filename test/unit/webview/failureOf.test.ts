import assert from 'node:assert/strict';
import * as z from 'zod';
import { failureOf } from '../../../src/shared/rpc/rpcError.ts';

describe('what a page is told of an error', () => {
  it('is a sentence where data had another form than expected, not a dump of the validation', () => {
    const { error } = z.object({ tasks: z.array(z.object({ id: z.string() })) }).safeParse({ tasks: [{ id: 7 }] });
    assert.deepEqual(failureOf(error), {
      message: 'Data has another form than expected at tasks.0.id: Invalid input: expected string, received number.',
      remedy: '',
    });
  });
});
