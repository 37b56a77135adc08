import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suggestCases, type SuggestedCases } from '../../../src/features/rewards/node/suggestCases.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { pinnedCase, withCase } from '../../../src/shared/rewards/cases.ts';
import { dist } from '../../support/built.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { all } from '../../support/runs/tempRuns.ts';
import { until } from '../../support/until.ts';

/** Solved from 0.5 on; the rewards of a task's attempts are 0.45 and 0.55 in turn, then 0. */
const graded = `export function reward(task, { id }) {
  const reward = { 0: 0.45, 1: 0.55 }[id.at(-1)] ?? 0;
  return { success: reward > 0.5, reward };
}
`;

describe('cases that a run suggests', function () {
  this.timeout(240_000);
  let dir = '';
  let run: RunReader;
  let traces: Trace[];
  const file = (name: string): string => join(dir, name);
  const suggest = (
    name: string,
    against: string | null = null,
    signal = new AbortController().signal,
  ): Promise<SuggestedCases> =>
    suggestCases({ run, file: file(name), against: against && file(against), most: 4 }, { dist, signal });

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-suggest-'));
    const log = { info: () => undefined, warn: () => undefined };
    const store = new RunStore(join(dir, 'runs'), { clock: { now: () => 7 }, log, version: 'test' });
    const resolved = resolveExperiment({ version: 1, epochs: 1 });
    const { id } = await finishedRun(store, resolved);
    run = await store.openReader(id);
    traces = await all(run.traces());
    await writeFile(file('graded.reward.js'), graded);
  });
  after(async () => {
    await run.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('lie at the threshold where both rewards agree', async () => {
    await writeFile(file('same.reward.js'), graded);
    const { attempts, leftOut, threshold, cases } = await suggest('graded.reward.js', 'same.reward.js');
    assert.equal(attempts + leftOut, traces.length);
    assert.equal(threshold, 0.5);
    assert.equal(cases.length, 4);
    assert.ok(cases.every(({ reason }) => reason.kind === 'threshold'));
  });

  it('are what a case is made of: the attempt as the reward got it, with what was recorded', async () => {
    const flipped = 'export const reward = () => ({ success: true, reward: 1 });\n';
    await writeFile(file('flipped.reward.js'), flipped);
    const [first, ...others] = (await suggest('flipped.reward.js')).cases;
    const trace = traces.find(({ id }) => id === first?.id);
    assert.ok(first !== undefined && trace !== undefined);
    assert.deepEqual([first.recorded, first.call.trace.id, first.call.task.id], [trace.verdict, trace.id, trace.task]);
    assert.equal(first.recorded.success, false);
    const pinned = pinnedCase(first.call, { success: true }, { run: run.id, trace: first.id }, '');
    await writeFile(file('flipped.reward.cases.jsonl'), withCase('', pinned));
    const again = (await suggest('flipped.reward.js')).cases.map(({ id }) => id);
    assert.ok(!again.includes(first.id) && again.includes(others[0]?.id ?? ''));
  });

  it('are not waited for where the reward hangs', async () => {
    const begun = file('begun');
    const text = `import { writeFileSync } from 'node:fs';
export const reward = () => { writeFileSync(${JSON.stringify(begun)}, ''); for (;;); };
`;
    await writeFile(file('hanging.reward.js'), text);
    const ending = new AbortController();
    const suggesting = suggest('hanging.reward.js', null, ending.signal);
    suggesting.catch(() => undefined);
    await until('a call under way', () => existsSync(begun));
    ending.abort(new Error('enough'));
    await assert.rejects(suggesting, /enough/);
  });
});
