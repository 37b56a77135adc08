import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { traceLineSchema } from '../../src/runs/export/agentPool.ts';
import { traceSchema } from '../../src/shared/records/trace.ts';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const shownSchema = z.object({
  agreement: z.object({
    labelled: z.int(),
    share: z.object({ successes: z.int(), attempts: z.int() }),
    differ: z.object({ judgeAlone: z.array(z.string()), peopleAlone: z.array(z.string()) }),
    labels: z.array(z.object({ label: z.string(), attempts: z.int() })),
  }),
  damaged: z.int(),
});

const suggestedSchema = z.object({
  cases: z.array(z.object({ id: z.string(), reason: z.object({ fate: z.object({ before: z.string() }).optional() }) })),
});

describe('genenv label', () => {
  const workspace = new Workspace();
  let id = '';
  const label = (...words: string[]) => workspace.genenv('label', id, ...words);
  const file = (name: string): string => join(workspace.runs, id, name);
  const attempt = (success: boolean, from = 0): string => {
    const lines = readFileSync(file('traces.jsonl'), 'utf8').trimEnd().split('\n');
    const traces = lines.map((line) => traceSchema.parse(JSON.parse(line)));
    const trained = traces.filter(({ purpose, verdict }) => purpose === 'train' && verdict.valid);
    const solved = new Set(trained.flatMap(({ task, verdict }) => (verdict.success ? [task] : [])));
    // Of tasks that are never solved: no other attempt at the same task takes its place among suggestions.
    const fit = trained.filter(({ task, verdict }) => (success ? verdict.success : !solved.has(task)));
    const found = fit[from];
    assert.ok(found !== undefined);
    return found.id;
  };

  before(async () => {
    workspace.write('labelled.genenv.json', { ...tiny, name: 'labelled', epochs: 1 });
    assert.equal((await workspace.genenv('run', 'labelled.genenv.json')).code, 0);
    id = readdirSync(workspace.runs).at(-1) ?? '';
  });
  after(() => workspace.remove());

  it('keeps what a person says last, and says how far the judge agrees', async () => {
    const none = await label();
    assert.match(none.out, /^No attempt has a label\. Add one with --trace ID/);
    const [solved, other, missed] = [attempt(true), attempt(true, 1), attempt(false)];
    assert.equal((await label('--trace', solved, '--fail')).code, 0);
    const kept = await label('--trace', solved, '--pass', '--json');
    assert.deepEqual(JSON.parse(kept.out), { run: id, trace: solved, verdict: 'pass', labels: [] });
    assert.equal((await label('--trace', other, '--fail', '--label', 'wrong-gold', '--label', 'odd')).code, 0);
    assert.equal((await label('--trace', missed, '--pass', '--label', 'wrong-gold')).code, 0);
    const { agreement } = shownSchema.parse(JSON.parse((await label('--json')).out));
    assert.deepEqual(agreement.differ, { judgeAlone: [other], peopleAlone: [missed] });
    assert.deepEqual([agreement.labelled, agreement.share.successes, agreement.share.attempts], [3, 1, 3]);
    assert.deepEqual(agreement.labels[0], { label: 'wrong-gold', attempts: 2 });
    const text = await label();
    assert.match(text.out, /agree on 33\.3 % \[.*\] of them, without\s+κ/);
    assert.ok(text.out.includes(`The judge passes what people fail:\n  ${other}\n`), text.out);
  });

  it('filters a search, and goes with an export', async () => {
    const other = attempt(true, 1);
    const found = await workspace.genenv('search', id, 'label:fail verdict:solved', '--json');
    assert.deepEqual(
      found.out
        .trimEnd()
        .split('\n')
        .map((line) => z.object({ trace: z.string() }).parse(JSON.parse(line)).trace),
      [other],
    );
    const byWord = await workspace.genenv('search', id, 'label:wrong-* -label:fail', '--json');
    assert.equal(byWord.out.trimEnd().split('\n').length, 1);
    assert.equal((await workspace.genenv('export', id, '--pool', 'agent', '--out', 'pool.jsonl')).code, 0);
    const lines = readFileSync(join(workspace.dir, 'pool.jsonl'), 'utf8').trimEnd().split('\n');
    const traces = lines.flatMap((line) => traceLineSchema.safeParse(JSON.parse(line)).data ?? []);
    const carried = traces.filter(({ labels }) => labels !== undefined);
    assert.equal(carried.length, 3);
    const [said] = carried.find((one) => one.id === other)?.labels ?? [];
    assert.deepEqual([said?.verdict, said?.labels], ['fail', ['wrong-gold', 'odd']]);
  });

  it('stands in place of the recorded verdict where cases are suggested', async () => {
    workspace.write('never.reward.js', 'export const reward = () => ({ success: false, reward: 0 });\n');
    const suggest = await workspace.genenv('suggest-cases', 'never.reward.js', '--run', id, '--most', '500', '--json');
    const { cases } = suggestedSchema.parse(JSON.parse(suggest.out));
    const passed = attempt(false);
    assert.equal(cases.find((one) => one.id === passed)?.reason.fate?.before, 'solved');
    // A person fails it as the reward does: they do not disagree.
    assert.ok(!cases.some((one) => one.id === attempt(true, 1)));
    assert.ok(cases.some((one) => one.reason.fate?.before === 'solved' && one.id !== passed));
  });

  it('takes back, and tells a damaged line without losing the others', async () => {
    assert.equal((await label('--trace', attempt(true), '--clear')).code, 0);
    appendFileSync(file('attemptLabels.jsonl'), '{"v":1,"torn');
    const shown = await label('--json');
    assert.match(shown.err, /attemptLabels\.jsonl.*6/);
    const { agreement, damaged } = shownSchema.parse(JSON.parse(shown.out));
    assert.deepEqual([agreement.labelled, damaged], [2, 1]);
  });

  it('refuses what cannot be meant, and writes nothing', async () => {
    const before = readFileSync(file('attemptLabels.jsonl'), 'utf8');
    const one = attempt(true);
    const refused: [string[], RegExp][] = [
      [['--pass'], /A label needs --trace ID/],
      [['--trace', one], /Nothing is said of/],
      [['--trace', one, '--pass', '--fail'], /contradict/],
      [['--trace', one, '--clear', '--pass'], /takes everything back/],
      [['--trace', one, '--label', 'two words'], /"two words" is no label/],
      [['--trace', 'e9/none/r0', '--pass'], /has no attempt "e9\/none\/r0"/],
    ];
    for (const [words, message] of refused) {
      const made = await label(...words);
      assert.equal(made.code, 2, words.join(' '));
      assert.match(made.err, message);
    }
    assert.equal(readFileSync(file('attemptLabels.jsonl'), 'utf8'), before);
  });
});
