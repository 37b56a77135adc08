/** Keys reach a runner and its runs by pipes alone, each for its own origin. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { QueueEntryEvent } from '../../../../src/features/runner/contract.ts';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { giveGrants } from '../../../../src/features/runner/node/runnerPipe.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { executeQueue } from '../../../../src/features/runner/node/runner.ts';
import { lookAtRunner, runnerInbox } from '../../../../src/features/runner/node/runnerFiles.ts';
import { workOf } from '../../../../src/features/runner/node/enqueue.ts';
import { environmentKeys, KeyError } from '../../../../src/launch/access/keys.ts';
import { changeLabel } from '../../../../src/runs/store/runLabel.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { parseExperiment } from '../../../../src/shared/experiment/parse.ts';
import { skip } from '../../../support/skip.ts';
import { eventually } from '../../../support/until.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
const [origin, secret] = ['http://gpu.example:8000', 'sk-very-secret'];
const key = '${secret:lab}';
const endpoint = { kind: 'tinker', url: `${origin}/v1`, key, model: 'm', rank: 0 };

/** Writes what it was let to send into the file that it is given, beside its own environment and words. */
const child = `
import { writeFileSync } from 'node:fs';
process.on('message', (message) => {
  const around = { env: Object.values(process.env), argv: process.argv };
  writeFileSync(process.argv[2], JSON.stringify({ message, around }));
  process.send({ type: 'landed', how: 'finished', why: '', epoch: 1 });
  process.disconnect();
});`;

const saidSchema = z.object({ message: z.unknown(), around: z.unknown() });

describe('keys of a runner', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are given where a run waits for one, and stand in no file of the queue', async () => {
    const root = join(folder, 'runs');
    const store = new RunStore(root, { clock, log, version: 'test' });
    const text = JSON.stringify({
      version: 1,
      name: 'far',
      preset: 'embedded',
      endpoints: { agent: endpoint, environment: endpoint },
    });
    const parsed = parseExperiment(text, 'far.genenv.json');
    assert.ok('experiment' in parsed);
    const writer = await store.create({ experiment: parsed.experiment });
    await writer.close();
    const asked = { priority: 0, after: [], retries: 0, author: 'ann' };
    await changeLabel(writer.dir, { name: 'my favourite' }, { clock });
    assert.equal((await workOf(root, writer.manifest, asked)).name, 'my favourite');
    await runnerInbox(root, { clock, log }).post({
      type: 'add',
      work: [await workOf(root, writer.manifest, asked)],
      author: 'ann',
    });
    const [program, said] = [join(folder, 'child.mjs'), join(folder, 'said.json')];
    writeFileSync(program, child);
    const events: QueueEntryEvent[] = [];
    const going = executeQueue({
      ...{ store, clock, log, untilEmpty: true, signal: new AbortController().signal },
      keys: new GrantedKeys(environmentKeys({})),
      limits: limitsOf(new Map(), 4, null),
      command: [process.execPath, program, said],
      onEvent: (event) => events.push(event),
    });
    await eventually(async () => {
      const delayed = events.find((event) => event.type === 'delayed');
      assert.ok((await Promise.resolve(delayed))?.delay === 'key' && delayed?.lacks === key);
    });
    const { holder } = await lookAtRunner(root, { clock, log });
    assert.ok(holder);
    // Another origin's permission is none for this one.
    await giveGrants(root, holder, [{ key, origin: 'http://other.example:8000', value: secret }]);
    await giveGrants(root, holder, [{ key, origin, value: secret }]);
    assert.equal(await going, 'empty');
    const told = saidSchema.parse(JSON.parse(readFileSync(said, 'utf8')));
    assert.deepEqual(told.message, { type: 'keys', grants: [{ key, origin, value: secret }] });
    assert.ok(!JSON.stringify(told.around).includes(secret));
    for (const file of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) assert.ok(!readFileSync(join(file.parentPath, file.name), 'utf8').includes(secret), file.name);
    }
    assert.equal(statSync(join(tmpdir(), `genenv-${userInfo().uid}`)).mode & 0o077, 0);
  });

  it('go to their own origin alone, and a name of an address is no key', async () => {
    const keys = new GrantedKeys(environmentKeys({}));
    keys.give([
      { key, origin, value: 'old' },
      { key, origin, value: secret },
    ]);
    assert.equal(await keys.find(key, `${origin}/v1/models`), secret);
    await keys.reach(`${origin}/v1`);
    await assert.rejects(keys.find(key, 'http://other.example/v1'), (error) => KeyError.is(error, 'not-allowed'));
    await assert.rejects(keys.find('${secret:other}', `${origin}/v1`), (error) => KeyError.is(error, 'not-allowed'));
    await assert.rejects(keys.reach('http://other.example/v1'), (error) => KeyError.is(error, 'not-allowed'));
  });

  it('are not passed through a folder that others may enter', async function () {
    if (process.platform === 'win32') skip(this, 'modes of folders');
    const place = join(tmpdir(), `genenv-${userInfo().uid}`);
    const root = join(folder, 'runs');
    const store = new RunStore(root, { clock, log, version: 'test' });
    const warned: string[] = [];
    await runnerInbox(root, { clock, log }).post({ type: 'stop', author: 'ann' });
    const execute = () =>
      executeQueue({
        ...{ store, clock, untilEmpty: true, signal: new AbortController().signal },
        log: { info: () => undefined, warn: (text: string) => warned.push(text) },
        ...{ keys: new GrantedKeys(environmentKeys({})), limits: limitsOf(new Map(), 4, null), command: [] },
      });
    await execute();
    assert.deepEqual(warned, []);
    chmodSync(place, 0o755);
    try {
      await execute();
      assert.match(warned.join(), /Keys cannot be passed to the runner: .* is not yours alone/);
    } finally {
      chmodSync(place, 0o700);
    }
  });
});
