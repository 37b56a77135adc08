/** Events of files are lost on network disks, and off by `files.watcherExclude`: who watches looks again when a person comes back. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The catalog of runs looks again every few seconds. */
const polled = ['src/host/runs/runWatcher.ts'];

describe('watchers of files', () => {
  it('look again when a person comes back to the window', () => {
    const watching = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
      readFileSync(root + file, 'utf8').includes('createFileSystemWatcher('),
    );
    const without = watching.filter((file) => !readFileSync(root + file, 'utf8').includes('onReturn('));
    assert.deepEqual(
      without.map((file) => file.replaceAll('\\', '/')),
      polled,
    );
  });
});
