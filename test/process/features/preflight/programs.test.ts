import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import type { Finding } from '../../../../src/features/preflight/contract.ts';
import { preflight } from '../../../../src/features/preflight/node/preflight.ts';
import { dist } from '../../../support/built.ts';

describe('the checks of files of functions', function () {
  this.timeout(60_000);
  let dir = '';

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-preflight-programs-'));
  });

  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  async function found(settings: object): Promise<Finding[]> {
    const experiment = { version: 1, name: 'mine', preset: 'embedded', ...settings };
    const controller = new AbortController();
    const updates = preflight({
      file: 'mine.genenv.json',
      text: JSON.stringify(experiment, null, 2),
      ...{ directory: dir, root: join(dir, 'runs'), dist, clock: Date, keys: environmentKeys({}) },
      log: { info: () => undefined, warn: () => undefined },
      signal: controller.signal,
    });
    for await (const update of updates) {
      if (!('work' in update) && update.id === 'inputs' && update.state !== 'running') return update.findings;
    }
    return [];
  }

  it('tell one that is not there where the experiment names it', async () => {
    const named = [
      { curriculum: { reward: { kind: 'file', file: 'none.curriculum.ts' } } },
      { reward: { file: 'none.reward.py' } },
      { domain: { seeds: 'none.jsonl' } },
    ];
    for (const settings of named) {
      const [first, ...more] = await found(settings);
      assert.match(first?.message ?? '', /^There is no file .*none\.[a-z.]+\.$/);
      assert.deepEqual([first?.file, more], ['mine.genenv.json', []]);
      assert.ok((first?.line ?? 0) > 4, 'at its field');
    }
  });

  it('tell one that does not load at its own line', async () => {
    const file = join(dir, 'mine.curriculum.ts');
    await writeFile(file, 'export function rewards(families) {\n  return families.map((\n}\n');
    const [first] = await found({ curriculum: { reward: { kind: 'file', file: 'mine.curriculum.ts' } } });
    assert.deepEqual([first?.file, first?.line], [file, 3]);
  });
});
