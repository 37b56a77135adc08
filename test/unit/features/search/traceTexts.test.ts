import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eachSaid, isCompact } from '../../../../src/features/search/node/traceTexts.ts';
import { makeTrace } from '../../../support/runs/records.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\n', ':', '"content":"', '\u{1F600}', 'ß') }),
);
const message = fc.record({ role: fc.constant('assistant' as const), content: text, reasoning: text });

describe('what was said in a record', () => {
  it('is found in its bytes without parsing it, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.array(message, { maxLength: 4 }), { maxLength: 3 }), text, (records, version) => {
        const lines = records.map((messages) => JSON.stringify(makeTrace({ messages, version })));
        const bytes = Buffer.from(lines.join('\n')).toString('latin1');
        const found: unknown[] = [];
        eachSaid(bytes, (start, end) => {
          found.push(JSON.parse(Buffer.from(`"${bytes.slice(start, end)}"`, 'latin1').toString()));
        });
        const expected = records.flatMap((messages) => [
          version,
          ...messages.flatMap(({ content, reasoning }) => [content, reasoning]),
        ]);
        assert.deepEqual(found, expected);
      }),
    );
  });

  it('is told apart by how the record is written', () => {
    const trace = makeTrace();
    assert.ok(isCompact(JSON.stringify(trace)));
    assert.ok(!isCompact(JSON.stringify(trace, null, 1)));
    assert.ok(!isCompact(JSON.stringify(trace).replace(':', ': ')));
  });
});
