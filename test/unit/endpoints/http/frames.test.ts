import assert from 'node:assert/strict';
import { controlFrame, FrameReader } from '../../../../src/endpoints/http/webSocket/frames.ts';
import { frame } from '../../../support/ray/fakeTail.ts';

const largest = 100_000;
const text = (content: string, last = true): Buffer => frame(1, Buffer.from(content), { last });
const more = (content: string, last = true): Buffer => frame(0, Buffer.from(content), { last });

/** The frames that a reader finds in bytes, given in pieces of one size. */
function told(bytes: Buffer, size = bytes.length): string[] {
  const reader = new FrameReader(largest);
  const told: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const one of reader.push(bytes.subarray(at, at + size))) {
      told.push(one.type === 'close' ? `close ${one.code}` : `${one.type} ${one.bytes.toString()}`);
    }
  }
  return told;
}

describe('frames of a WebSocket', () => {
  it('become messages, in whatever pieces they come', () => {
    const long = 'ü'.repeat(35_000);
    const stream = Buffer.concat([
      ...[text('one\n'), text(''), text('two', false), frame(9, Buffer.from('there?')), more('', false), more('!')],
      ...[frame(10, Buffer.alloc(0)), text('m'.repeat(300)), text(long), frame(8, Buffer.from([3, 232]))],
    ]);
    const expected = ['text one\n', 'text ', 'ping there?', 'text two!', `text ${'m'.repeat(300)}`, `text ${long}`];
    for (const size of [1, 2, 3, 7, 1000, stream.length]) {
      assert.deepEqual(told(stream, size), [...expected, 'close 1000'], `${size}`);
    }
    assert.deepEqual(told(frame(8, Buffer.alloc(0))), ['close null']);
  });

  it('are refused where they are none, or larger than agreed', () => {
    const masked = Buffer.from([0x81, 0x80, 0, 0, 0, 0]);
    const wrong: Record<string, Buffer> = {
      extension: Buffer.from([0xc1, 0]),
      masked,
      'kind 2': frame(2, Buffer.from('binary')),
      'kind 3': frame(3, Buffer.alloc(0)),
      'never began': more('rest'),
      'within a message': Buffer.concat([text('one', false), text('two')]),
      'no UTF-8': frame(1, Buffer.from([0xff, 0xfe])),
      'more than 100000 bytes': frame(1, Buffer.alloc(largest + 1)).subarray(0, 12),
      'than 100000': Buffer.concat([text('m'.repeat(largest), false), more('m')]),
      'control frame': frame(9, Buffer.alloc(126)),
      'cut or': frame(8, Buffer.alloc(0), { last: false }),
      'without a code': frame(8, Buffer.from([3])),
      // 2⁶³ bytes.
      'of more': Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    };
    for (const [said, bytes] of Object.entries(wrong)) {
      assert.throws(() => told(bytes), { name: 'WrongFrame', message: new RegExp(said) }, said);
    }
  });

  it('of ours are masked', () => {
    const sent = controlFrame('pong', Buffer.from('there?'));
    assert.deepEqual([sent[0], sent[1], sent.length], [0x8a, 0x86, 12]);
    const mask = sent.subarray(2, 6);
    assert.equal(Buffer.from(sent.subarray(6).map((byte, i) => byte ^ (mask[i % 4] ?? 0))).toString(), 'there?');
  });
});
