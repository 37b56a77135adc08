import assert from 'node:assert/strict';
import { valuesOf } from '../../../src/runs/import/rollouts/cells.ts';
import { goldIn, nameIn } from '../../../src/runs/import/rollouts/fields.ts';
import { messagesOf } from '../../../src/runs/import/rollouts/messagesOf.ts';
import { parseExactly } from '../../../src/shared/json.ts';
import { isObject } from '../../../src/shared/experiment/resolve.ts';

describe('rollouts with long integers', () => {
  it('keep ids and golds digit by digit', () => {
    const row = parseExactly('{"uid":12345678901234567890,"gold":{"id":9007199254740993}}');
    assert.ok(isObject(row));
    assert.equal(nameIn(row, 'uid'), '12345678901234567890');
    assert.equal(goldIn(row, 'gold'), '{"id":9007199254740993}');
    const cells = valuesOf({ id: '12345678901234567890', reward: '0.5', steps: '3', info: '{"n":9007199254740993}' });
    assert.equal(nameIn(cells, 'id'), '12345678901234567890');
    assert.deepEqual([cells['reward'], cells['steps']], [0.5, 3]);
    assert.equal(JSON.stringify(cells['info']), '{"n":9007199254740993}');
  });

  it('keep the arguments of calls', () => {
    const call = '{"function":{"name":"f","arguments":{"id":9007199254740993}}}';
    const said = (calls: string): string => `[{"role":"assistant","content":"","tool_calls":[${calls}]}]`;
    for (const calls of [call, JSON.stringify(call)]) {
      assert.deepEqual(messagesOf(said(calls)), [{ role: 'assistant', content: 'f({"id":9007199254740993})' }]);
      assert.deepEqual(messagesOf(parseExactly(said(calls))), messagesOf(said(calls)));
    }
  });
});
