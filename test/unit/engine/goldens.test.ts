/** Golden journals over the reference policy: every mode, and every pair of values of the method's settings. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cases, factors, rows } from '../../support/reference/covering.ts';
import { eventsOf, runReference } from '../../support/reference/referenceRun.ts';
import type { MemoryRun } from '../../support/scripted/scriptedRun.ts';

const folder = new URL('golden/reference/', import.meta.url);
const updating = process.env['UPDATE_GOLDEN'] === '1';

describe('golden journals', () => {
  const runs: MemoryRun[] = [];

  before(async () => {
    if (updating) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
    }
  });

  for (const one of cases) {
    const { name, experiment } = one;
    it(`are written again: ${name}`, async () => {
      const { run } = await runReference(experiment, await one.options());
      runs.push(run);
      for (const event of run.events)
        assert.deepEqual(JSON.parse(JSON.stringify(event)), event, 'nothing is lost in JSON');
      const golden = new URL(`${name}.jsonl`, folder);
      if (updating) await writeFile(golden, `${run.text}\n`);
      const expected = (await readFile(golden, 'utf8')).trimEnd().split('\n');
      // Line by line: the first event that differs says more than two journals.
      const lines = run.text.split('\n');
      for (const [i, line] of lines.entries()) assert.equal(line, expected[i], `event ${i}`);
      assert.equal(lines.length, expected.length);
    });
  }

  it('are all held to a run', async () => {
    assert.deepEqual((await readdir(folder)).sort(), cases.map(({ name }) => `${name}.jsonl`).sort());
  });

  it('cover every pair of values of two settings', () => {
    const entries = Object.entries(factors);
    for (const [i, [a, left]] of entries.entries()) {
      for (const [b, right] of entries.slice(i + 1)) {
        for (const x of left) {
          for (const y of right) {
            const isHeld = rows.some((row) => Object.entries({ [a]: x, [b]: y }).every((one) => holds(row, one)));
            assert.ok(isHeld, `${a} ${x} with ${b} ${y}`);
          }
        }
      }
    }
  });

  it('reach what they are there for', () => {
    const updates = runs.flatMap((run) => eventsOf(run, 'environment.updated'));
    const reached = new Set(updates.map(({ stoppedBy }) => stoppedBy));
    assert.deepEqual([...reached].sort(), ['end', 'total-cap', 'update-cap']);
    const skipped = runs.flatMap((run) => eventsOf(run, 'environment.skipped'));
    assert.ok(skipped.some(({ reason }) => reason.includes('difficulty filter')));
    const attempted = runs.flatMap((run) => eventsOf(run, 'rollouts.finished'));
    for (const what of ['truncated', 'invalid', 'checkerErrors'] as const) {
      assert.ok(
        attempted.some((event) => event[what] > 0),
        what,
      );
    }
    const written = runs.flatMap((run) => eventsOf(run, 'tasks.generated'));
    assert.ok(
      written.some(({ accepted, families }) => accepted > families),
      'more than a task a family',
    );
    const kept = runs.flatMap((run) => eventsOf(run, 'families.scored')).flatMap(({ families }) => families);
    assert.ok(
      kept.some(({ kept: share }) => share > 0 && share < 1),
      'the soft filter keeps in part',
    );
    assert.ok(kept.some(({ kept: share }) => share === 0));
  });
});

const holds = (row: object, [name, value]: [string, unknown]): boolean =>
  Object.entries(row).some(([field, has]) => field === name && has === value);
