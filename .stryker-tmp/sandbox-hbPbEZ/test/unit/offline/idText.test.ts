import assert from 'node:assert/strict';
import { idText } from '../../../src/benchmarks/offline/idText.ts';

describe('the id of a case', () => {
  it('is carried over as it is written, whatever it is', () => {
    for (const id of [
      '"a"',
      '5',
      '5.0',
      '1152921504606846977',
      '1e400',
      'null',
      'true',
      '[1, {"id": 2}]',
      '{"a": "}"}',
      '"\\"}"',
    ]) {
      assert.equal(idText(`{"id": ${id}, "text": "x"}`), id);
      assert.equal(idText(`{"text": "x", "id":${id}}`), id);
      assert.equal(idText(`{ "id" :\t${id} }`), id);
    }
  });

  it('is the one of the case, not of what lies in it', () => {
    assert.equal(idText('{"a": {"id": 1}, "b": [{"id": 2}], "c": "\\"id\\": 3", "id": 4}'), '4');
    assert.equal(idText('{"a": "id", "b": 1, "id": 2}'), '2');
    assert.equal(idText('{"\\\\": 1, "id": 2}'), '2');
  });

  it('is null where there is none, or none that is JSON', () => {
    for (const line of [
      '{"a": 1}',
      '{}',
      '',
      '[1]',
      'nonsense',
      '{"id"',
      '{"id":',
      '{"id": x}',
      '{"id": "',
      '{"id": 1 2}',
    ]) {
      assert.equal(idText(line), 'null', line);
    }
  });

  it('is found in a line that is cut short after it', () => {
    assert.equal(idText('{"id": 7, "text": "a'), '7');
  });
});
