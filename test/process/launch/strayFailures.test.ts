import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { launchHere } from '../../support/launchHere.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';
import { timeless, tiny } from '../../support/tiny.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';

const child = fileURLToPath(new URL('../../support/runs/strayChild.ts', import.meta.url));
const landingSchema = z.object({
  id: z.string(),
  state: z.string(),
  error: z.string().optional(),
  notes: z.array(z.string()),
});

describe('launch: a failure that nothing waits for, in a process of its own', () => {
  let undisturbed: unknown[] = [];

  before(() =>
    withTempRuns(async ({ root }) => {
      const experiment = resolveExperiment({ version: 1, mode: 'coevolve', ...tiny });
      const { id } = await launchHere({ root, notes: [] }, { experiment, directory: root }, {});
      undisturbed = timeless(readFileSync(join(root, id, 'journal.jsonl'), 'utf8'));
    }),
  );

  for (const how of ['rejection', 'exception', 'foreign']) {
    it(`pauses the run, which says why, is let go, and goes on to the same end (${how})`, () =>
      withTempRuns(async ({ root }) => {
        const { stdout } = await promisify(execFile)(process.execPath, [child, root, how]);
        const { id, state, error = '', notes } = landingSchema.parse(JSON.parse(stdout));
        assert.equal(state, 'paused');
        assert.match(error, /nothing waited for: The pipe broke\. Resume the run/);
        assert(
          notes.some((note) => /The pipe broke\.\n\s+at .*strayChild\.ts/.test(note)),
          notes.join('\n'),
        );
        const file = (name: string): string => join(root, id, name);
        assert.match(readFileSync(file('sessions.jsonl'), 'utf8'), /"type":"paused","reason":"[^"]*The pipe broke/);
        assert(!existsSync(file('lease')));
        const resumed = await launchHere({ root, notes: [] }, { resume: id }, {});
        assert.equal(resumed.state, 'finished', resumed.error?.stack);
        assert.deepEqual(timeless(readFileSync(file('journal.jsonl'), 'utf8')), undisturbed);
      }));
  }
});
