import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnerInbox, runnerPaths } from '../../../src/features/runner/node/runnerFiles.ts';
import { runError } from '../../support/runs/runError.ts';

const around = { clock: { now: () => 0 }, log: { info: () => undefined, warn: () => undefined } };

describe('runs: requests', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'genenv-mailbox-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const pause = (run: string) => runnerInbox(root, around).post({ type: 'pause', run, author: 'ann' });
  const waiting = async () => (await runnerInbox(root, around).waiting()).map(({ request }) => request);

  it('name a run as its folder is named, whatever a person called it', async () => {
    const names = ['20261128-tiny copy', 'Kopie von tiny', 'tiny (1)', 'übung', '实验', '👩‍🔬 run'];
    for (const name of names) await pause(name);
    const seen = (await waiting()).map((request) => ('run' in request ? request.run : null));
    // All in one millisecond, in the order in which they were left.
    assert.deepEqual(seen, names);
  });

  it('are refused where they are made, and leave nothing', async () => {
    for (const name of ['', '.', '..', 'a/b', 'a\\b', 'a\0b', '-v', 'a\n', '\u202Ea']) {
      const { reason, message } = await runError(pause(name));
      assert.equal(reason, 'format', name);
      assert.match(message, /field "run": .*The request was not made/);
    }
    assert.deepEqual(await waiting(), []);
    assert.throws(() => readdirSync(runnerPaths(root).inbox), { code: 'ENOENT' });
  });
});
