import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
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

  it('refuses texts in another encoding, by their line', async () => {
    workspace.write('sums.domain.ts', sums['sums.domain.ts']);
    writeFileSync(join(workspace.dir, 'latin.txt'), Buffer.from('3 + 4\nfünf\n', 'latin1'));
    const { code, err } = await workspace.genenv('check-domain', 'sums.domain.ts', '--texts', 'latin.txt');
    assert.equal(code, 2);
    assert.match(err, /latin\.txt:2(:1)?.*The file cannot be read: it is not UTF-8\./s);
  });

  it('names a seed task that stands there twice at the line of “seeds”', async () => {
    for (const [file, text] of Object.entries(sums)) {
      const name = file.replace('sums', 'twice');
      const lines = text.replace('1, 2, 3', '1, 2, 1').split('\n');
      workspace.write(name, lines.join('\n'));
      const at = 1 + lines.findIndex((line) => /^(?:export (?:const|function) seeds|def seeds)/.test(line));
      const { err } = await workspace.genenv('check-domain', name);
      assert.match(err, new RegExp(`${name}:${at}: 2 of 3 tasks can be used\\. Left out: 1 twice \\(seed task `));
    }
  });

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

  it('says in a run at which line the input is wrong that shows only then', async () => {
    const prompt = [
      { role: 'system', content: '<agent>' },
      { role: 'user', content: 'MENU double f3 decrease f4 REQ first take honey 4 CALLS' },
    ];
    const seeds = `(split) => (split === 'base' ? ${JSON.stringify([{ prompt, gold: 'first decrease f4 honey 4' }])} : [])`;
    workspace.write('misfit.domain.ts', `export const recipe = 'storekeeper';\nexport const seeds = ${seeds};`);
    const endpoint = { kind: 'tinker', url: 'http://127.0.0.1:9', model: 'm', key: null };
    const endpoints = { agent: endpoint, environment: endpoint };
    workspace.write('misfit.genenv.json', {
      version: 1,
      preset: 'default',
      domain: { file: 'misfit.domain.ts' },
      endpoints,
    });
    const { code, err } = await workspace.genenv('run', 'misfit.genenv.json');
    assert.equal(code, 1);
    assert.match(
      err,
      /misfit\.domain\.ts:1:1: error: The seed task \S+ is none for the recipe storekeeper: .*\n +Take it out/,
    );
    assert.match(err, /The run failed: 1 error in the input\./);
  });

  it('says of a verify that accepts nothing that it is to blame', async () => {
    const rest =
      "export const environmentPrompt = () => 'x';\nexport const parse = (text: string) => ({ prompt: text });\n" +
      "export const verify = () => 'never';\n";
    workspace.write(
      'none.domain.ts',
      `export const seeds = (split: string) => (split === 'base' ? [{ prompt: 'a' }, { prompt: 'b' }] : []);\n${rest}`,
    );
    const { code, out } = await workspace.genenv('check-domain', 'none.domain.ts');
    assert.equal(code, 1);
    assert.match(out, /^3 problems:\n.*\n.*\n {2}“verify” accepts no seed task, so no text would become a task/m);
  });
});
