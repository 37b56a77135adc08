import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nothing listens on, of this machine. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address !== null && typeof address === 'object' ? address.port : assert.fail('it has no port');
}
