import assert from 'node:assert/strict';
import { fixesFor } from '../../../src/shared/experiment/problems/fixes.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { editText } from '../../../src/shared/experiment/text/textEdit.ts';

/** The fixes of the only problem of a file, and the file after the first of them. */
function fixed(written: Record<string, unknown>) {
  const text = JSON.stringify(written);
  const parsed = parseExperiment(text, 'a.genenv.json');
  const problems = 'problems' in parsed ? parsed.problems : parsed.warnings;
  assert.equal(problems.length, 1, JSON.stringify(problems));
  const [problem] = problems;
  assert.ok(problem);
  const fixes = fixesFor(problem, written);
  const after: unknown = fixes[0] === undefined ? undefined : JSON.parse(editText(text, fixes[0].edits));
  return { kinds: fixes.map(({ kind }) => kind), after };
}

describe('what can be done about a problem', () => {
  it('is the name that was meant', () => {
    const { kinds, after } = fixed({ curriculum: { alhpa: 0.4 } });
    assert.deepEqual(kinds, ['rename', 'remove']);
    assert.deepEqual(after, { curriculum: { alpha: 0.4 } });
  });

  it('is no name that the file gives already', () => {
    assert.deepEqual(fixed({ curriculum: { alpha: 0.5, alhpa: 0.4 } }).kinds, ['remove']);
  });

  it('is the choice or the number that was meant, or the preset’s value', () => {
    assert.deepEqual(fixed({ mode: 'coevolv' }), { kinds: ['set', 'preset'], after: { mode: 'coevolve' } });
    assert.deepEqual(fixed({ epochs: '7' }), { kinds: ['set', 'preset'], after: { epochs: 7 } });
    const { kinds, after } = fixed({ curriculum: { alpha: 2 } });
    assert.deepEqual(kinds, ['preset']);
    assert.deepEqual(after, {});
  });

  it('is a reference where a key was written, whose text is not repeated', () => {
    const endpoint = (key: string) => ({ endpoints: { agent: { kind: 'tinker', key } } });
    const parsed = parseExperiment(JSON.stringify(endpoint('tml-secret-1234'), null, 1), 'a.genenv.json');
    assert.ok('problems' in parsed);
    assert.deepEqual(
      parsed.problems.map(({ line, field }) => [line, field]),
      [[5, 'endpoints.agent.key']],
    );
    assert.doesNotMatch(JSON.stringify(parsed), /tml-secret/);
    assert.match(JSON.stringify(parsed), /never written into a file.*Set Key…/);
    const { kinds, after } = fixed(endpoint('tml-secret-1234'));
    assert.deepEqual(kinds, ['set', 'set']);
    assert.deepEqual(after, endpoint('${env:TINKER_API_KEY}'));
    assert.deepEqual(fixed(endpoint('$MY_TOKEN')).after, endpoint('${env:MY_TOKEN}'));
    assert.deepEqual(fixed(endpoint('secret:gpu')), { kinds: ['set'], after: endpoint('${secret:gpu}') });
  });

  it('is to remove a field of another kind of endpoint', () => {
    const { kinds, after } = fixed({ endpoints: { agent: { kind: 'tinker', weights: 'agent' } } });
    assert.deepEqual(kinds, ['remove']);
    assert.deepEqual(after, { endpoints: { agent: { kind: 'tinker' } } });
  });

  it('is to leave out what contradicts the rest', () => {
    const { kinds, after } = fixed({ preset: 'embedded', generation: { offlineFile: 'tasks.jsonl' } });
    assert.deepEqual(kinds, ['preset']);
    assert.deepEqual(after, { preset: 'embedded' });
  });

  it('is nothing where the file itself is at fault', () => {
    assert.deepEqual(fixesFor({ field: '' }, {}), []);
  });
});
