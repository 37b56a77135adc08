import assert from 'node:assert/strict';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import { manyFamilies } from '../../support/calibration/manyFamilies.ts';
import { journalOf } from '../../support/journal.ts';
import { runError } from '../../support/runs/runError.ts';
import { all, experiment, withTempRuns, type TempRuns } from '../../support/runs/tempRuns.ts';

/** Two epochs, of which the second has got as far as its many families. */
const [first, [began, scored]] = [journalOf([{ successes: 5, attempts: 20 }]), [...manyFamilies(1, 2_000)]];
assert.ok(began !== undefined && scored?.type === 'families.scored');
const events: JournalEvent[] = [
  ...first.slice(0, -1),
  { ...began, seq: first.length - 1, epoch: 2 },
  { ...scored, seq: first.length, epoch: 2 },
].filter(({ type }) => type !== 'run.finished');

async function runOf(runs: TempRuns): Promise<{ id: string; journal: string }> {
  const writer = await runs.store().create({ experiment });
  for (const [seq, event] of events.entries()) await writer.append({ ...event, seq });
  await writer.close();
  return { id: writer.id, journal: runPaths(writer.dir).journal };
}

describe('runs: an epoch of very many families', () => {
  it('is read as any other, and its head tells of the epoch before', () =>
    withTempRuns(async (runs) => {
      const { id, journal } = await runOf(runs);
      const text = await readFile(journal, 'utf8');
      assert.ok(text.length > 2 ** 19, 'long enough to be read in pieces');
      const reader = await runs.store().openReader(id);
      const written = events.map((event, seq) => ({ ...event, seq }));
      assert.deepEqual(await all(reader.events()), written);
      assert.equal((await reader.head()).epoch, 1);
      await reader.close();
    }));

  it('is left out when its writer was killed in the middle of it', () =>
    withTempRuns(async (runs) => {
      const { id, journal } = await runOf(runs);
      const size = (await readFile(journal)).byteLength;
      for (const cut of [size - 1, size - 300_000]) {
        await truncate(journal, cut);
        const reader = await runs.store().openReader(id);
        assert.equal((await all(reader.events())).length, events.length - 1);
        assert.equal((await reader.head()).epoch, 1);
        await reader.close();
      }
      const writer = await runs.store().openWriter(id);
      assert.equal(writer.recovered.length, 1);
      await writer.close();
    }));

  it('that is damaged is refused with its line and field', () =>
    withTempRuns(async (runs) => {
      const { id, journal } = await runOf(runs);
      const text = await readFile(journal, 'utf8');
      const reader = await runs.store().openReader(id);
      const refused = async (damaged: string) => {
        await writeFile(
          journal,
          `${damaged}{"v":1,"seq":${events.length},"at":0,"type":"run.finished","reason":"epochs","note":""}\n`,
        );
        const { reason, line, field } = await runError(all(reader.events()));
        return { reason, line, field };
      };
      const line = events.length;
      const field = 'families.1000.weight';
      assert.deepEqual(await refused(spoiled(text, '"weight":"much"')), { reason: 'format', line, field });
      assert.deepEqual(await refused(spoiled(text, '"weight":')), { reason: 'format', line, field: null });
      await reader.close();
    }));
});

/** The weight of the thousandth family replaced. */
function spoiled(text: string, weight: string): string {
  const at = text.indexOf(
    '"weight":',
    text.indexOf('"environmentReward"', text.indexOf('"estimate"', text.indexOf('"e1.f1000"'))),
  );
  return text.slice(0, at) + weight + text.slice(text.indexOf(',', at));
}
