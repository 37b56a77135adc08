import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skip } from '../skip.ts';
import { peerPython } from './pythons.ts';

/** Called inside `describe`: the peer's Python and a folder for its tests, both once they begin; skipped where it cannot be installed. */
export function peerFolder(name: Parameters<typeof peerPython>[0]): { python: string; folder: string } {
  const peer = { python: '', folder: '' };
  before(async function () {
    this.timeout(1_200_000);
    const found = await peerPython(name);
    if ('why' in found) skip(this, `${name} cannot be installed: ${found.why}`);
    peer.python = found.python;
    peer.folder = await mkdtemp(join(tmpdir(), `genenv-${name}-`));
  });
  after(async () => {
    if (peer.folder !== '') await rm(peer.folder, { recursive: true });
  });
  return peer;
}
