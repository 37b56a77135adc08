import assert from 'node:assert/strict';
import {
  FrameFault,
  FrameReader,
  pongFrame,
  textFrame,
  type Received,
} from '../../../../src/endpoints/http/webSocket/frames.ts';
import { textOf } from '../../../support/openenv/fakeOpenenv.ts';

const all = (reader: FrameReader, ...chunks: Buffer[]): Received[] =>
  chunks.flatMap((chunk) => [...reader.read(chunk)]);

describe('frames of WebSockets', () => {
  for (const length of [0, 1, 125, 126, 65_535, 65_536, 70_000]) {
    it(`reads a text of ${length} bytes, however it is cut`, () => {
      const text = 'é'.repeat(Math.floor(length / 2)) + 'x'.repeat(length % 2);
      const bytes = textOf(text);
      for (const size of [1, 2, 7, 1024, bytes.length].filter((size) => bytes.length / size < 5000)) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        assert.deepEqual(all(new FrameReader(100_000), ...pieces), [{ type: 'text', text }]);
      }
    });
  }

  it('joins pieces, between which the server may ask for a sign of life', () => {
    const first = Buffer.from([0x01, 0x02, 0x68, 0x65]);
    const ping = Buffer.from([0x89, 0x01, 0x21]);
    const last = Buffer.from([0x80, 0x03, 0x6c, 0x6c, 0x6f]);
    assert.deepEqual(all(new FrameReader(100), Buffer.concat([first, ping, last])), [
      { type: 'ping', payload: Buffer.from('!') },
      { type: 'text', text: 'hello' },
    ]);
  });

  it('reads how a server ends', () => {
    const close = Buffer.concat([Buffer.from([0x88, 0x06, 0x03, 0xf3]), Buffer.from('away')]);
    assert.deepEqual(all(new FrameReader(100), close), [{ type: 'close', code: 1011, reason: 'away' }]);
    assert.deepEqual(all(new FrameReader(100), Buffer.from([0x88, 0x00])), [{ type: 'close', code: null, reason: '' }]);
  });

  it('refuses what is longer than agreed by its head alone, pieces together', () => {
    const oversized = (reader: FrameReader, bytes: Buffer) =>
      assert.throws(
        () => all(reader, bytes),
        (error) => error instanceof FrameFault && error.kind === 'size',
      );
    oversized(new FrameReader(100), textOf('x'.repeat(101)).subarray(0, 3));
    oversized(new FrameReader(100), Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]));
    const reader = new FrameReader(100);
    const piece = Buffer.concat([Buffer.from([0x01, 60]), Buffer.alloc(60, 0x61)]);
    assert.deepEqual(all(reader, piece), []);
    oversized(reader, Buffer.from([0x80, 60]));
  });

  for (const [what, bytes] of Object.entries({
    'a masked frame': [0x81, 0x81, 0, 0, 0, 0, 0],
    'an extension': [0xc1, 0x01, 0x61],
    bytes: [0x82, 0x01, 0x61],
    'an unknown kind': [0x83, 0x01, 0x61],
    'a ping in pieces': [0x09, 0x00],
    'a long ping': [0x89, 126, 0x00, 0x80],
    'a close with half a code': [0x88, 0x01, 0x03],
    'a piece without a beginning': [0x80, 0x01, 0x61],
    'text that is not UTF-8': [0x81, 0x01, 0xff],
  })) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => all(new FrameReader(1000), Buffer.from(bytes)),
        (error) => error instanceof FrameFault && error.kind === 'protocol',
      );
    });
  }

  it('refuses a message that begins within another', () => {
    const begun = Buffer.from([0x01, 0x01, 0x61]);
    assert.throws(() => all(new FrameReader(1000), begun, begun), FrameFault);
  });

  it('masks what it writes', () => {
    const mask = Buffer.from([1, 2, 3, 4]);
    assert.deepEqual(textFrame('abcde', mask), Buffer.from([0x81, 0x85, 1, 2, 3, 4, 0x60, 0x60, 0x60, 0x60, 0x64]));
    assert.deepEqual(pongFrame(Buffer.alloc(0), mask), Buffer.from([0x8a, 0x80, 1, 2, 3, 4]));
    assert.deepEqual(textFrame('x'.repeat(200), mask).subarray(0, 4), Buffer.from([0x81, 0xfe, 0, 200]));
    assert.equal(textFrame('x'.repeat(70_000), mask).readBigUInt64BE(2), 70_000n);
  });
});
