import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { checkNames } from '../../src/features/audit/core/audit.ts';
import { traceSchema } from '../../src/shared/records/trace.ts';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const auditSchema = z.object({
  attempts: z.int(),
  unjudged: z.int(),
  checks: z.array(
    z.object({
      name: z.enum(checkNames),
      hint: z.boolean(),
      n: z.int(),
      value: z.number().nullable(),
      examples: z.array(z.string()),
    }),
  ),
});

/** Prefers what is long, and tells of an odd attempt that it failed whatever it said. */
const reward = `export function reward(task, trace) {
  if (trace.id.endsWith('r3')) throw new Error('odd');
  return { success: trace.answer.length > 30, reward: Math.min(1, trace.answer.length / 400) };
}
`;

describe('genenv audit-rewards', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('hints at a reward that follows length, names attempts of the run, and leaves the run alone', async () => {
    workspace.write('long.reward.js', reward);
    const sampled = { mode: 'static', agent: { train: false }, validation: { every: 0 }, epochs: 4 };
    const rollouts = { group: 8, temperature: 1.3 };
    // By itself it would write 2,720 tasks before the first epoch, to draw 32 of them.
    const generation = { ...tiny.generation, staticFamilies: 12, staticVariations: 4 };
    const experiment = { ...tiny, ...sampled, generation, rollouts, reward: { file: 'long.reward.js' } };
    workspace.write('tiny.genenv.json', experiment);
    const made = await workspace.genenv('run', 'tiny.genenv.json');
    assert.equal(made.code, 0, made.err);
    const [id = ''] = readdirSync(workspace.runs);
    const text = (name: string): string => readFileSync(join(workspace.runs, id, name), 'utf8');
    const was = [text('journal.jsonl'), text('traces.jsonl')];
    const traces = text('traces.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => traceSchema.parse(JSON.parse(line)))
      .filter(({ purpose }) => purpose === 'train');

    const { out, err, code } = await workspace.genenv('audit-rewards', id, '--json');
    assert.equal(code, 0, err);
    const { attempts, unjudged, checks } = auditSchema.parse(JSON.parse(out));
    const odd = traces.filter(({ id: trace }) => trace.endsWith('r3')).length;
    assert.deepEqual([attempts, unjudged], [traces.length - odd, odd]);
    assert.deepEqual(
      checks.map(({ name }) => name),
      checkNames,
    );
    const [length] = checks;
    assert.ok(length?.hint === true && (length.value ?? 0) > 0.9, JSON.stringify(length));
    const known = new Set(traces.map((trace) => trace.id));
    assert.ok(length.examples.length > 0 && length.examples.every((trace) => known.has(trace)));
    assert.deepEqual([text('journal.jsonl'), text('traces.jsonl')], was);

    const shown = await workspace.genenv('audit-rewards', id);
    assert.match(
      shown.out,
      /Hints, not verdicts:\n[\s\S]*length\n {2}Among attempts at one task, longer answers got more/,
    );
    assert.ok(shown.out.includes(`    ${length.examples[0] ?? ''}\n`));
  });
});
