import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { commands } from '../../../../src/cli/commandSpec.ts';
import { searchTraces } from '../../../../src/features/agents/node/tools/traces.ts';
import { readTraceQuery, traceFields } from '../../../../src/features/search/contract/traceQuery.ts';

function conditions(text: string): unknown[] {
  const read = readTraceQuery(text);
  assert.ok('query' in read, JSON.stringify(read));
  return [...read.query.conditions, ...read.query.texts];
}

function problem(text: string): { at: number; message: string } {
  const read = readTraceQuery(text);
  assert.ok('problem' in read, JSON.stringify(read));
  return read.problem;
}

describe('queries of traces', () => {
  it('are conditions on the index, on records and on notes, and words', () => {
    assert.deepEqual(conditions('-domain:Sums'), [{ kind: 'name', of: 'domain', pattern: 'Sums', negated: true }]);
    const interval = { low: 400, high: Infinity, open: 'low' };
    assert.deepEqual(conditions('len>400 Verdict:FAIL valid:no -tool:search "time out" -x'), [
      { kind: 'number', of: 'tokens', interval, negated: false },
      { kind: 'verdict', verdict: 'failed', negated: false },
      { kind: 'valid', negated: true },
      { kind: 'tool', tool: 'search', negated: true },
      { text: 'time out', negated: false },
      { text: 'x', negated: true },
    ]);
    const [part] = conditions('-part.exact-match>0.5');
    assert.deepEqual(part, {
      ...{ kind: 'part', part: 'exact-match', negated: true },
      interval: { low: 0.5, high: Infinity, open: 'low' },
    });
    assert.deepEqual(conditions('label:yes -label:FAIL label:wrong-*'), [
      { kind: 'label', label: null, negated: false },
      { kind: 'label', label: 'FAIL', negated: true },
      { kind: 'label', label: 'wrong-*', negated: false },
    ]);
    assert.deepEqual(conditions('note:yes -note:no note:"wrong gold" version:agent@3'), [
      { kind: 'note', words: null, negated: false },
      { kind: 'note', words: null, negated: false },
      { kind: 'note', words: 'wrong gold', negated: false },
      { kind: 'name', of: 'version', pattern: 'agent@3', negated: false },
    ]);
  });

  it('name every field in every help text', () => {
    const page = readFileSync(new URL('../../../../webview/search/queryField.ts', import.meta.url), 'utf8');
    const told = { page, help: commands.search.notes.join(' '), agents: searchTraces.description };
    for (const [where, text] of Object.entries(told)) {
      for (const field of traceFields) assert.match(text, new RegExp(`\\b${field}\\b`), `${where} lacks ${field}`);
    }
  });

  it('say where they cannot be read, and what was probably meant', () => {
    assert.deepEqual(problem('timeout verdct:fail'), {
      at: 8,
      message: 'There is no field "verdct". Did you mean "verdict"? Put words with a colon in quotation marks.',
    });
    assert.match(
      problem('https://x.org').message,
      /^There is no field "https"\. The fields are epoch, .* and part\.NAME\./,
    );
    assert.deepEqual(problem('stop:lenght'), { at: 0, message: '"lenght" is no stop. Did you mean "length"?' });
    assert.equal(problem('verdict:maybe').message, '"maybe" is no verdict. It is one of solved, failed, error.');
    assert.equal(problem('flag:dead').message, '"flag" is a field of tasks: filter by it in the task editor.');
    assert.equal(problem('epoch:last').message, '"last" is no number: write epoch:0.5 or 2..5.');
    assert.equal(problem('x part.form>much').message, '"much" is no number: write part.form>0.5.');
    assert.equal(problem('task>3').message, '"task" is compared with a colon alone.');
    assert.deepEqual(problem('x verdict: fail'), {
      at: 2,
      message: 'Nothing stands behind "verdict:": write its value without a blank.',
    });
    assert.equal(problem('-Len> 400').at, 0);
    assert.equal(problem('part.form: 1').at, 0);
    assert.deepEqual(conditions('epoch:3-7'), conditions('epoch:3..7'));
    assert.ok('query' in readTraceQuery('Answer: "verdict:" x:'));
    assert.deepEqual(problem('a "open'), { at: 2, message: 'This quotation mark has no partner.' });
  });

  it('are read or refused, whatever is typed, and know every field they name', () => {
    fc.assert(fc.property(fc.string(), (text) => void readTraceQuery(text)));
    for (const field of traceFields) {
      const read = readTraceQuery(`${field}:?`);
      assert.ok(!('problem' in read) || !read.problem.message.includes('no field'), field);
    }
  });
});
