import assert from 'node:assert/strict';
import { attributesJson } from '../../../../src/launch/traced/span.ts';

describe('attributes of a span', () => {
  it('have one type each, whether a figure is whole or not', () => {
    assert.deepEqual(attributesJson({ 'gen_ai.request.temperature': 1, 'gen_ai.evaluation.score.value': 0 }), [
      { key: 'gen_ai.request.temperature', value: { doubleValue: 1 } },
      { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0 } },
    ]);
    assert.deepEqual(attributesJson({ 'genenv.reward': 0.5, 'gen_ai.request.max_tokens': 40, absent: undefined }), [
      { key: 'genenv.reward', value: { doubleValue: 0.5 } },
      { key: 'gen_ai.request.max_tokens', value: { intValue: '40' } },
    ]);
  });
});
