import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { sums } from '../support/domains/sums.ts';
import { Workspace } from '../support/genenv.ts';

const reportSchema = z.looseObject({
  seeds: z.int(),
  texts: z.looseObject({ tasks: z.int(), rejected: z.record(z.string(), z.int()) }).nullable(),
  problems: z.array(z.string()),
});

describe('genenv check-domain', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());

  for (const [file, text] of Object.entries(sums)) {
    it(`tries ${file} on its seeds and on texts, and makes nothing`, async () => {
      workspace.write(file, text);
      workspace.write('texts.txt', '3 + 4\nnope\n99 + 99\n');
      const { code, out, err } = await workspace.genenv('check-domain', file, '--texts', 'texts.txt', '--json');
      assert.deepEqual([code, err], [0, '']);
      const report = reportSchema.parse(JSON.parse(out));
      assert.deepEqual([report.seeds, report.problems], [3, []]);
      assert.deepEqual(report.texts?.rejected, { 'it is no sum': 1, 'the sum is 100 or more': 1 });
      assert.equal(report.texts.tasks, 1);
      assert.ok(!existsSync(join(workspace.dir, '.genenv')));
    });
  }

  it('says what a run would trip over, and leaves with 1', async () => {
    const wrong = sums['sums.domain.ts']
      .replace('success: answer.trim() === gold,\n  reward: answer.trim() === gold ? 1 : 0', 'success: true, reward: 1')
      .replace('Write another sum than', 'Write ${Math.random()} another sum than');
    workspace.write('wrong.domain.ts', wrong);
    const { code, out } = await workspace.genenv('check-domain', 'wrong.domain.ts');
    assert.equal(code, 1);
    assert.match(out, /“environmentPrompt” is not deterministic/);
    assert.match(out, /“judge” accepts an empty answer to base\.wrong-1/);
  });

  it('runs the cases beside it, with totals by cause, and leaves with 1 where one is wrong', async () => {
    const task = { id: 'a', family: 'a', epoch: 0, prompt: [{ role: 'user', content: '1 + 1' }], gold: '2' };
    const asked = { ...task, evaluation: { kind: 'domain' }, seed: null, plan: '' };
    const said = { id: 'r', messages: [{ role: 'assistant', content: '3' }], answer: '3', toolCalls: null };
    const trace = { ...said, stopReason: 'stop', version: 'agent@0' };
    const prompt = [{ role: 'user', content: '60 + 60' }];
    const right = [
      { v: 1, call: 'parse', text: '3 + 4', expected: { accepted: true, gold: '7' } },
      { v: 1, call: 'parse', text: 'nope', expected: { accepted: false, reason: 'no sum' } },
      { v: 1, call: 'verify', task: { prompt, gold: '120' }, expected: { verified: false } },
      { v: 1, call: 'judge', task: asked, trace, expected: { success: false, reward: 0 } },
    ];
    const write = (cases: readonly object[]): void =>
      workspace.write('held.domain.cases.jsonl', `${cases.map((one) => JSON.stringify(one)).join('\n')}\n`);
    workspace.write('held.domain.py', sums['sums.domain.py']);
    write(right);
    const passed = await workspace.genenv('check-domain', 'held.domain.py');
    assert.match(passed.out, /4 of 4 cases are as they expect\./);
    assert.equal(passed.code, 0);
    write([
      ...right,
      { v: 1, call: 'parse', text: '3 + 4', expected: { accepted: true, gold: '8' } },
      { v: 1, call: 'parse', text: '3 + 4', expected: { accepted: false } },
      { v: 1, call: 'judge', task: asked, trace, expected: { success: true }, note: 'too kind' },
      { v: 1, call: 'nothing' },
    ]);
    const { code, out } = await workspace.genenv('check-domain', 'held.domain.py');
    assert.equal(code, 1);
    assert.match(out, /4 of 8 cases are as they expect; wrong: gold 1, accepted 1, verdict 1, unreadable 1\./);
    assert.match(
      out,
      /held\.domain\.cases\.jsonl:5: parse 3 \+ 4: accepted, gold 8 is expected, and it is: accepted, gold 7/,
    );
    assert.match(out, /:7: too kind: solved is expected, and it is: not solved, reward 0/);
  });

  it('names the line of a file that does not load, and leaves with 2', async () => {
    workspace.write('broken.domain.py', 'import json\nraise ValueError("no model here")\n');
    const { code, err } = await workspace.genenv('check-domain', 'broken.domain.py');
    assert.equal(code, 2);
    assert.match(err, /broken\.domain\.py:2:\d+: error: ValueError: no model here/);
    const other = await workspace.genenv('check-domain', 'broken.py');
    assert.equal(other.code, 2);
    assert.match(other.err, /named \*\.domain\.ts, \*\.domain\.js or \*\.domain\.py/);
  });
});
