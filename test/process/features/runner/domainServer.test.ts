/** The OpenEnv server that a domain file names is asked with consent alone, as the servers of endpoints are. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { QueueEntryEvent } from '../../../../src/features/runner/contract.ts';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { workOf } from '../../../../src/features/runner/node/enqueue.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { executeQueue } from '../../../../src/features/runner/node/runner.ts';
import { lookAtRunner, runnerInbox } from '../../../../src/features/runner/node/runnerFiles.ts';
import { giveGrants } from '../../../../src/features/runner/node/runnerPipe.ts';
import { studyServers } from '../../../../src/features/study/node/studyServers.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { wishesOf } from '../../../../src/launch/access/wishes.ts';
import { makeRun } from '../../../../src/launch/launch.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { dist } from '../../../support/built.ts';
import { eventually } from '../../../support/until.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
const origin = 'https://rooms.example:8443';
const key = '${env:ROOMS_KEY}';

const domain = (named: string): string => `
export const openenv = ${named};
export const seeds = (split) => (split === 'base' ? [1, 2] : [9]).map((seed) => ({ prompt: 'Go.', reset: { seed } }));
export const environmentPrompt = () => 'Write another level.';
export const parse = () => ({ reject: 'no more' });
`;

const child = `
import { writeFileSync } from 'node:fs';
process.on('message', (message) => {
  writeFileSync(process.argv[2], JSON.stringify(message));
  process.send({ type: 'landed', how: 'finished', why: '', epoch: 1 });
  process.disconnect();
});`;
const heardSchema = z.object({ grants: z.array(z.unknown()) });

describe('the server of a domain file, in a queue', function () {
  this.timeout(60_000);
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-rooms-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const experiment = (file: string) =>
    resolveExperiment({ version: 1, preset: 'embedded', name: 'rooms', domain: { file }, validation: { tasks: 1 } });

  it('is waited for until it is allowed, and its key goes to the run', async () => {
    await writeFile(join(dir, 'rooms.domain.ts'), domain(`{ url: '${origin}/play', key: '${key}' }`));
    const root = join(dir, 'runs');
    const store = new RunStore(root, { clock, log, version: 'test' });
    const writer = await makeRun(store, { experiment: experiment('rooms.domain.ts'), directory: dir }, dist, log);
    await writer.close();
    assert.deepEqual(wishesOf(writer.manifest), [{ url: `${origin}/play`, key }]);
    const asked = { priority: 0, after: [], retries: 0, author: 'ann' };
    const work = [await workOf(root, writer.manifest, asked)];
    await runnerInbox(root, { clock, log }).post({ type: 'add', work, author: 'ann' });
    const [program, heard] = [join(dir, 'child.mjs'), join(dir, 'heard.json')];
    await writeFile(program, child);
    const events: QueueEntryEvent[] = [];
    const going = executeQueue({
      ...{ store, clock, log, untilEmpty: true, signal: new AbortController().signal },
      ...{ keys: new GrantedKeys(environmentKeys({})), limits: limitsOf(new Map(), 4, null) },
      command: [process.execPath, program, heard],
      onEvent: (event) => events.push(event),
    });
    await eventually(async () => {
      const delayed = await Promise.resolve(events.find((event) => event.type === 'delayed'));
      assert.deepEqual([delayed?.delay, delayed?.lacks], ['key', key]);
    });
    const { holder } = await lookAtRunner(root, { clock, log });
    assert.ok(holder);
    const grant = { key, origin, value: 'sk-rooms' };
    await giveGrants(root, holder, [grant]);
    assert.equal(await going, 'empty');
    assert.deepEqual(heardSchema.parse(JSON.parse(await readFile(heard, 'utf8'))).grants, [grant]);
  });

  it('is found for a study, each once', async () => {
    await writeFile(join(dir, 'rooms.domain.ts'), domain(`{ url: '${origin}' }`));
    await writeFile(join(dir, 'same.domain.ts'), domain(`{ url: '${origin}' }`));
    await writeFile(join(dir, 'halls.domain.ts'), domain(`{ url: 'http://127.0.0.1:9/', key: '${key}' }`));
    const members = ['rooms', 'rooms', 'same', 'halls'].map((name) => ({
      experiment: experiment(`${name}.domain.ts`),
    }));
    const found = await studyServers([...members, { experiment: resolveExperiment({ version: 1 }) }], dir, dist);
    assert.deepEqual(
      found.map(({ servers }) => servers).filter((servers) => servers.length > 0),
      [[{ url: origin, key: null }], [{ url: 'http://127.0.0.1:9/', key }]],
    );
  });
});
