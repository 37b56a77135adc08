import assert from 'node:assert/strict';
import { taskOfRow } from '../../../src/runs/import/taskOfRow.ts';

describe('imported tasks with tools', () => {
  const spec = { name: 'f', description: 'd', parameters: { type: 'object' } };
  const called = { type: 'function', function: spec };
  const toolsOf = (row: Record<string, unknown>): unknown => {
    const read = taskOfRow({ prompt: 'q', ...row }, { prompt: null, gold: null, evaluation: { kind: 'exact' } });
    return typeof read !== 'string' && 'line' in read ? read.line['tools'] : read;
  };
  const inVerl = (tools: unknown) => ({ reward_model: { ground_truth: '1' }, extra_info: { tools } });

  it('take them bare or as functions, as a list or as JSON text, from a column or from extra_info', () => {
    for (const tools of [[spec], [called], JSON.stringify([spec]), JSON.stringify([called])]) {
      assert.deepEqual(toolsOf({ tools, answer: '1' }), [spec]);
      assert.deepEqual(toolsOf(inVerl(tools)), [spec]);
      assert.deepEqual(toolsOf({ ...inVerl(tools), tools: null }), [spec]);
    }
  });

  it('keep what is no list of tools, which no task file takes, and have none where there is nothing', () => {
    assert.deepEqual(toolsOf(inVerl(['search'])), ['search']);
    assert.equal(toolsOf({ tools: 'search', answer: '1' }), 'search');
    for (const nothing of [null, '', undefined]) assert.equal(toolsOf(inVerl(nothing)), undefined);
  });
});
