/** A runner's runs are asked what is said in attempts that are not recorded yet, and only then tell it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { workOf } from '../../../../src/features/runner/node/enqueue.ts';
import { executeQueue } from '../../../../src/features/runner/node/runner.ts';
import { lookAtRunner, runnerInbox } from '../../../../src/features/runner/node/runnerFiles.ts';
import { askSaid } from '../../../../src/features/runner/node/runnerPipe.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { parseExperiment } from '../../../../src/shared/experiment/parse.ts';
import { eventually } from '../../../support/until.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };

/** Answers by the task that it is asked about: as it should, with what is none, never, or by its end. */
const child = `
const said = (task) => ({
  attempts: 2,
  first: [{ id: task + '/r0', said: 1, newest: [{ role: 'assistant', content: 'asked: ' + asked }] }],
});
let asked = 0;
process.on('message', (message) => {
  if (message.type === 'interrupt') process.exit(0);
  if (message.type !== 'said') return;
  asked += 1;
  const { question, task } = message;
  if (task === 'odd') process.send({ type: 'said', question, said: { attempts: -1, first: [] } });
  else if (task === 'ends') process.exit(1);
  else if (task !== 'mute') process.send({ type: 'said', question, said: said(task) });
});`;

describe('what is said in attempts of a runner’s runs', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-said-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('answers a request, and gives up on a run that does not answer', async () => {
    const root = join(folder, 'runs');
    const store = new RunStore(root, { clock, log, version: 'test' });
    const text = JSON.stringify({ version: 1, name: 'near', preset: 'embedded' });
    const parsed = parseExperiment(text, 'near.genenv.json');
    assert.ok('experiment' in parsed);
    const writer = await store.create({ experiment: parsed.experiment });
    await writer.close();
    const work = [await workOf(root, writer.manifest, { priority: 0, after: [], retries: 0, author: 'ann' })];
    await runnerInbox(root, { clock, log }).post({ type: 'add', work, author: 'ann' });
    const program = join(folder, 'child.mjs');
    writeFileSync(program, child);
    const controller = new AbortController();
    const going = executeQueue({
      ...{ store, clock, log, untilEmpty: false, signal: controller.signal },
      ...{ keys: new GrantedKeys(environmentKeys({})), limits: limitsOf(new Map(), 4, null) },
      command: [process.execPath, program],
    });
    const { id: run } = writer.manifest;
    await eventually(async () => {
      const { queue } = await lookAtRunner(root, { clock, log });
      assert.equal(queue[0]?.state, 'running');
    });
    const { holder } = await lookAtRunner(root, { clock, log });
    assert.ok(holder);
    const ask = (task: string, of = run) => askSaid(root, holder, { run: of, task });
    const said = await ask('e1.f0.v0');
    assert.deepEqual(said, {
      attempts: 2,
      first: [{ id: 'e1.f0.v0/r0', said: 1, newest: [{ role: 'assistant', content: 'asked: 1' }] }],
    });
    const several = await Promise.all(['a', 'b', 'c'].map((task) => ask(task)));
    assert.deepEqual(
      several.map((one) => one?.first[0]?.id),
      ['a/r0', 'b/r0', 'c/r0'],
    );
    assert.equal(await ask('e1.f0.v0', 'another'), null);
    assert.equal(await ask(''), null);
    // The first never answers, what the second says is nothing, and the third takes all of them with it.
    const unanswered = [ask('mute'), ask('odd'), ask('ends')];
    assert.deepEqual(await Promise.all(unanswered), [null, null, null]);
    controller.abort();
    await going;
    assert.equal(await ask('e1.f0.v0'), null);
    assert.equal(await askSaid(root, { ...holder, boot: 'another' }, { run, task: 'a' }), null);
  });
});
