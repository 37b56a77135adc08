import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEvents } from '../../../../src/features/report/node/writeEvents.ts';
import type { JournalEvent } from '../../../../src/shared/journal/events.ts';
import { fromArray } from '../../../support/report/fromArray.ts';
import { referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';

describe('the event file of a run', () => {
  let folder: string;
  let events: readonly JournalEvent[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'genenv-events-'));
    ({ events } = (await runReference(referenceExperiment())).run);
  });
  after(() => rm(folder, { recursive: true }));

  const write = (some: readonly JournalEvent[], to = folder) => writeEvents({ events: () => fromArray(some) }, to);

  it('grows by what has finished since, in place, and stays as it is where nothing has', async () => {
    const second = events.findIndex(({ type }) => type === 'epoch.started');
    const half = events.findIndex((event, at) => at > second && event.type === 'epoch.started');
    const first = await write(events.slice(0, half + 1));
    const early = await readFile(first.file);
    const { ino } = await stat(first.file);
    const whole = await write(events);
    const late = await readFile(whole.file);
    assert.ok(whole.steps > first.steps);
    assert.equal(late.length, early.length + whole.added);
    assert.ok(late.subarray(0, early.length).equals(early));
    assert.equal((await stat(whole.file)).ino, ino);
    assert.equal((await write(events)).added, 0);
  });

  it('takes the place of one that begins otherwise', async () => {
    const { file } = await write(events);
    const whole = await readFile(file);
    await writeFile(file, 'torn');
    assert.equal((await write(events)).added, whole.length);
    assert.ok((await readFile(file)).equals(whole));
  });
});
