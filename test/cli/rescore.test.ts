import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { rescoredSchema } from '../../src/shared/records/rescored.ts';
import { traceSchema } from '../../src/shared/records/trace.ts';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const rateSchema = z.object({ successes: z.int(), attempts: z.int(), p: z.number().nullable() });
const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('flip'), id: z.string(), fate: z.object({ before: z.string(), after: z.string() }) }),
  z.object({
    type: z.literal('summary'),
    attempts: z.int(),
    flips: z.int(),
    leftOut: z.int(),
    fates: z.object({ after: z.object({ solved: z.int(), failed: z.int(), error: z.int() }) }),
    epochs: z.array(z.object({ epoch: z.int(), successRate: z.object({ before: rateSchema, after: rateSchema }) })),
  }),
]);
const suggestedSchema = z.object({
  attempts: z.int(),
  cases: z.array(
    z.object({
      ...{ id: z.string(), task: z.string() },
      reason: z.object({ kind: z.literal('disagreement'), fate: z.object({ after: z.string() }) }),
      call: z.object({ task: z.unknown(), trace: z.unknown() }),
      recorded: z.object({ success: z.boolean() }),
    }),
  ),
});
const scoredSchema = z.object({ type: z.literal('families.scored'), epoch: z.int(), successRate: rateSchema });

/** Everything is solved, but what was not in the second epoch of an odd attempt: that throws. */
const reward = `export function reward(task, trace) {
  if (trace.id.startsWith('e2/') && trace.id.endsWith('1')) throw new Error('odd');
  return 1;
}
`;

describe('genenv rescore', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('tells every flip and what would follow, and leaves the run alone', async () => {
    workspace.write('tiny.genenv.json', tiny);
    workspace.write('all.reward.js', reward);
    const made = await workspace.genenv('run', 'tiny.genenv.json');
    assert.equal(made.code, 0, made.err);
    const [id = ''] = readdirSync(workspace.runs);
    const text = (name: string): string => readFileSync(join(workspace.runs, id, name), 'utf8');
    const was = [text('journal.jsonl'), text('traces.jsonl')];

    const { out, err, code } = await workspace.genenv('rescore', id, '--reward', 'all.reward.js', '--json');
    assert.equal(code, 1, err);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => lineSchema.parse(JSON.parse(line)));
    const summary = lines.at(-1);
    assert.ok(summary?.type === 'summary');
    const traces = text('traces.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => traceSchema.parse(JSON.parse(line)));
    const odd = (trace: string): boolean => trace.startsWith('e2/') && trace.endsWith('1');
    const flipped = traces.filter(({ id: trace, verdict }) => odd(trace) || !verdict.success).map((one) => one.id);
    assert.deepEqual(
      lines.flatMap((line) => (line.type === 'flip' ? [line.id] : [])),
      flipped,
    );
    assert.deepEqual([summary.attempts, summary.flips, summary.leftOut], [traces.length, flipped.length, 0]);
    assert.equal(summary.fates.after.error, traces.filter((trace) => odd(trace.id)).length);
    const journaled = text('journal.jsonl')
      .trimEnd()
      .split('\n')
      .flatMap((line) => {
        const read = scoredSchema.safeParse(JSON.parse(line));
        return read.success ? [{ epoch: read.data.epoch, before: read.data.successRate }] : [];
      });
    assert.deepEqual(
      summary.epochs.map(({ epoch, successRate }) => ({ epoch, before: successRate.before })),
      journaled,
    );

    const one = await workspace.genenv('rescore', id, '--reward', 'all.reward.js', '--epochs', '1');
    assert.equal(one.code, 0, one.err);
    assert.match(one.out, /p̂ of families +\S+ \[\S+\] +1\.00 \[/);
    assert.match(one.out, /^e1\/\S+ +failed +solved +0\.\d\d → 1\.00/m);
    assert.doesNotMatch(one.out, /^e2\//m);
    const wrong = await workspace.genenv('rescore', id, '--reward', 'all.reward.js', '--epochs', '3-1');
    assert.deepEqual([wrong.code, /--epochs wants epochs, as 3-7 or 3/.test(wrong.err)], [2, true]);
    assert.deepEqual([text('journal.jsonl'), text('traces.jsonl')], was);

    const applied = await workspace.genenv('rescore', id, '--reward', 'all.reward.js', '--epochs', '1', '--apply');
    assert.match(applied.out, /Applied as rescoring 1, beside the recorded verdicts of \d+ attempts\. .*--take-back$/m);
    const kept = text('rescored/1/verdicts.jsonl').trimEnd().split('\n');
    const first = traces.filter(({ epoch }) => epoch === 1);
    assert.deepEqual(
      kept
        .map((line) => rescoredSchema.parse(JSON.parse(line)))
        .map(({ id: trace, verdict }) => [trace, verdict.success]),
      first.map((trace) => [trace.id, true]),
    );
    assert.equal(text('rescored/1/reward/all.reward.js'), reward);
    assert.equal(text('traces.jsonl'), was[1]);
    const { id: shown = '' } = first.find(({ verdict }) => !verdict.success) ?? {};
    const told = await workspace.genenv('show', id, '--trace', shown);
    assert.match(
      told.out,
      /^rescored by all\.reward\.js\n {2}solved, reward 1\.00 \(recorded: not solved, reward 0\.\d\d\)$/m,
    );
    const back = await workspace.genenv('rescore', id, '--take-back');
    assert.deepEqual([back.code, back.out], [0, `Took back rescoring 1 of ${first.length} attempts.\n`]);
    assert.equal((await workspace.genenv('rescore', id, '--take-back')).code, 2);
    assert.match(
      text('journal.jsonl').slice(was[0]?.length),
      /^{.*"verdicts.rescored".*}\n{.*"rescoring.withdrawn".*}\n$/,
    );
  });

  it('has a neighbour that suggests which of the flips to pin: none of a task that others are left of', async () => {
    const [id = ''] = readdirSync(workspace.runs);
    const told = await workspace.genenv('suggest-cases', 'all.reward.js', '--run', id, '--most', '3', '--json');
    assert.equal(told.code, 0, told.err);
    const { attempts, cases } = suggestedSchema.parse(JSON.parse(told.out));
    assert.ok(attempts > 3);
    assert.equal(new Set(cases.map(({ task }) => task)).size, 3);
    assert.ok(cases.every(({ reason, recorded }) => !(recorded.success && reason.fate.after === 'solved')));

    const [first] = cases;
    const pinned = { v: 1, ...first?.call, expected: { success: true }, source: { run: id, trace: first?.id } };
    workspace.write('all.reward.cases.jsonl', `${JSON.stringify(pinned)}\n`);
    workspace.write('none.reward.js', 'export const reward = () => 0;\n');
    const other = await workspace.genenv('suggest-cases', 'all.reward.js', '--run', id, '--against', 'none.reward.js');
    assert.equal(other.code, 0, other.err);
    assert.match(other.out, /^\S+ +\S+ +failed 0\.00 → solved 1\.00$/m);
    assert.match(other.out, /compared with none\.reward\.js, no threshold: 10 cases suggested\./);
    assert.ok(!other.out.includes(`${first?.id} `), 'what is a case already');
    const wrong = await workspace.genenv('suggest-cases', 'all.reward.js');
    assert.deepEqual([wrong.code, /needs --run RUN/.test(wrong.err)], [2, true]);
  });
});
