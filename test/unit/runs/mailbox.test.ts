import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

  it('are reported once where they are damaged, however often the folder is looked at', async () => {
    const { inbox } = runnerPaths(root);
    const path = join(inbox, '000-bad.json');
    const lines: string[] = [];
    const log = { info: () => undefined, warn: (line: string) => lines.push(line) };
    const look = async () => (await runnerInbox(root, { ...around, log }).waiting()).length;
    mkdirSync(inbox, { recursive: true });
    writeFileSync(path, '{"v":1,');
    await pause('a-run');
    for (let looks = 0; looks < 3; looks++) assert.equal(await look(), 1);
    assert.equal(lines.length, 1);
    assert.ok(lines[0]?.includes(path), lines[0]);
    // Fixed, then damaged again: that is another report.
    const [other] = readdirSync(inbox).filter((name) => name !== '000-bad.json');
    writeFileSync(path, readFileSync(join(inbox, other ?? '')));
    assert.equal(await look(), 2);
    writeFileSync(path, '{');
    assert.equal(await look(), 1);
    assert.equal(lines.length, 2);
  });
});
