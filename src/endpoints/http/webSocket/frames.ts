/** Frames of a WebSocket as a server sends them (RFC 6455), without extensions. */
import { randomBytes } from 'node:crypto';
import { isUtf8 } from 'node:buffer';

export type ServerFrame =
  { type: 'text'; bytes: Buffer } | { type: 'ping'; bytes: Buffer } | { type: 'close'; code: number | null };

/** Bytes that are no WebSocket, or not one of the kind that the handshake agreed on. */
export class WrongFrame extends Error {
  override readonly name = 'WrongFrame';
}

const opcodes = { more: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;
const longestControl = 125;

/** Puts messages together from bytes that come in any pieces. */
export class FrameReader {
  readonly #largest: number;
  #held: Buffer[] = [];
  #size = 0;
  #message: { pieces: Buffer[]; size: number } | null = null;

  /** @param largest bytes that a message may have */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** The frames that are whole now, pieces of messages put together. @throws WrongFrame */
  push(piece: Buffer): ServerFrame[] {
    this.#held.push(piece);
    this.#size += piece.length;
    const frames: ServerFrame[] = [];
    for (;;) {
      const header = this.#header();
      if (header === null || this.#size < header.size + header.length) return frames;
      const whole = this.#take(header.size + header.length);
      const frame = this.#frame(header, whole.subarray(header.size));
      if (frame !== null) frames.push(frame);
    }
  }

  /** Of the next frame; null until it is there. */
  #header(): Header | null {
    if (this.#size < 2) return null;
    const start = this.#peek(10);
    const [first = 0, second = 0] = start;
    const opcode = first & 0x0f;
    const last = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0) throw new WrongFrame('a frame of an extension that was not agreed on');
    if ((second & 0x80) !== 0) throw new WrongFrame('a masked frame, which only clients send');
    const short = second & 0x7f;
    const size = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (opcode >= opcodes.close && (!last || short > longestControl)) {
      throw new WrongFrame('a control frame that is cut or too long');
    }
    if (start.length < size) return null;
    const length = short < 126 ? short : short === 126 ? start.readUInt16BE(2) : Number(start.readBigUInt64BE(2));
    if (opcode < opcodes.close && (this.#message?.size ?? 0) + length > this.#largest) {
      throw new WrongFrame(`a message of more than ${this.#largest} bytes`);
    }
    return { opcode, last, size, length };
  }

  #frame({ opcode, last }: Header, bytes: Buffer): ServerFrame | null {
    switch (opcode) {
      case opcodes.text:
        if (this.#message !== null) throw new WrongFrame('a message within a message');
        this.#message = { pieces: [bytes], size: bytes.length };
        break;
      case opcodes.more:
        if (this.#message === null) throw new WrongFrame('the rest of a message that never began');
        if (bytes.length > 0) this.#message.pieces.push(bytes);
        this.#message.size += bytes.length;
        break;
      case opcodes.ping:
        return { type: 'ping', bytes };
      case opcodes.pong:
        return null;
      case opcodes.close:
        if (bytes.length === 1) throw new WrongFrame('a close without a code');
        return { type: 'close', code: bytes.length === 0 ? null : bytes.readUInt16BE(0) };
      default:
        throw new WrongFrame(`a frame of kind ${opcode} where text was expected`);
    }
    if (!last) return null;
    const text = Buffer.concat(this.#message.pieces);
    this.#message = null;
    if (!isUtf8(text)) throw new WrongFrame('a text that is no UTF-8');
    return { type: 'text', bytes: text };
  }

  #peek(bytes: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#held;
    if (first.length >= bytes || this.#held.length === 1) return first.subarray(0, bytes);
    this.#held = [Buffer.concat(this.#held)];
    return this.#peek(bytes);
  }

  #take(bytes: number): Buffer {
    const all = this.#held.length === 1 ? (this.#held[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#held);
    this.#held = [all.subarray(bytes)];
    this.#size -= bytes;
    return all.subarray(0, bytes);
  }
}

interface Header {
  opcode: number;
  last: boolean;
  /** Bytes of the header. */
  size: number;
  /** Bytes of the content. */
  length: number;
}

/** An answer to a ping or a close: clients mask what they send. */
export function controlFrame(type: 'pong' | 'close', content: Buffer): Buffer {
  const mask = randomBytes(4);
  const masked = content.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x80 | opcodes[type], 0x80 | content.length]), mask, masked]);
}
