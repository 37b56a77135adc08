/** Frames of WebSockets (RFC 6455) as a client reads and writes them: no extension, messages of text alone. */
import * as l10n from '@vscode/l10n';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { BrokenExchange } from '../exchange.ts';

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** `code` is null where the server gave none. */
export type Received =
  | { type: 'text'; text: string }
  | { type: 'ping'; payload: Buffer }
  | { type: 'close'; code: number | null; reason: string };

/** A frame that no server may send; `size`: larger than agreed. */
export class FrameFault extends Error {
  override readonly name = 'FrameFault';
  readonly kind: 'protocol' | 'size';

  constructor(kind: FrameFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }

  /** As a failure of the exchange. */
  get broken(): BrokenExchange {
    return new BrokenExchange(
      this.kind,
      this.kind === 'size' ? this.message : l10n.t('what it sent is {0}', this.message),
    );
  }
}

interface Head {
  fin: boolean;
  opcode: number;
  length: number;
}

/** Most bytes of a frame that steers the connection. */
const longestControl = 125;

export class FrameReader {
  readonly #largest: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #head: Head | null = null;
  /** Pieces of a message that is not whole yet. */
  #message: Buffer[] = [];
  #messageSize = 0;
  #open = false;

  /** @param largest bytes that a message may have */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** The frames that these bytes complete. @throws FrameFault */
  *read(chunk: Buffer): Generator<Received> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      this.#head ??= this.#readHead();
      if (this.#head === null || this.#size < this.#head.length) return;
      const head = this.#head;
      this.#head = null;
      const received = this.#frame(head, this.#take(head.length));
      if (received !== null) yield received;
    }
  }

  /** Null until it is there whole. */
  #readHead(): Head | null {
    const start = this.#peek(10);
    if (start.length < 2) return null;
    const [first, second] = [start.readUInt8(0), start.readUInt8(1)];
    if ((first & 0x70) !== 0)
      throw new FrameFault('protocol', l10n.t('a frame of an extension that was not agreed to'));
    if ((second & 0x80) !== 0) throw new FrameFault('protocol', l10n.t('a masked frame, which only clients send'));
    const short = second & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (start.length < 2 + extra) return null;
    const length = extra === 0 ? short : extra === 2 ? start.readUInt16BE(2) : Number(start.readBigUInt64BE(2));
    const [fin, opcode] = [(first & 0x80) !== 0, first & 0x0f];
    if (opcode >= 8 && (!fin || length > longestControl))
      throw new FrameFault('protocol', l10n.t('a broken control frame'));
    if (opcode < 8 && this.#messageSize + length > this.#largest)
      throw new FrameFault('size', l10n.t('a message of more than {0} bytes', this.#largest));
    this.#take(2 + extra);
    return { fin, opcode, length };
  }

  #frame({ fin, opcode }: Head, payload: Buffer): Received | null {
    switch (opcode) {
      case opcodes.ping:
        return { type: 'ping', payload };
      case opcodes.pong:
        return null;
      case opcodes.close:
        if (payload.length === 1) throw new FrameFault('protocol', l10n.t('a close with half a code'));
        return {
          type: 'close',
          code: payload.length >= 2 ? payload.readUInt16BE(0) : null,
          reason: payload.subarray(2).toString('utf8'),
        };
      case opcodes.text:
      case opcodes.continuation:
        return this.#piece(fin, opcode === opcodes.text, payload);
      case opcodes.binary:
        throw new FrameFault('protocol', l10n.t('bytes where text was expected'));
      default:
        throw new FrameFault('protocol', l10n.t('a frame of the unknown kind {0}', opcode));
    }
  }

  #piece(fin: boolean, first: boolean, payload: Buffer): Received | null {
    if (first === this.#open) throw new FrameFault('protocol', l10n.t('a piece of a message out of its order'));
    this.#open = !fin;
    this.#message.push(payload);
    this.#messageSize += payload.length;
    if (!fin) return null;
    const whole = Buffer.concat(this.#message);
    this.#message = [];
    this.#messageSize = 0;
    try {
      return { type: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(whole) };
    } catch {
      throw new FrameFault('protocol', l10n.t('text that is not UTF-8'));
    }
  }

  /** Up to so many of the next bytes. */
  #peek(most: number): Buffer {
    const [first] = this.#chunks;
    if (first === undefined) return Buffer.alloc(0);
    if (first.length >= most || this.#chunks.length === 1) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(length: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const joined = first.length >= length ? first : Buffer.concat(this.#chunks);
    const rest = joined.subarray(length);
    this.#chunks = [...(rest.length > 0 ? [rest] : []), ...(joined === first ? this.#chunks.slice(1) : [])];
    this.#size -= length;
    return joined.subarray(0, length);
  }
}

/** A whole frame of a client. @param mask four bytes by chance, as proxies must not see texts of a client’s choice */
function frame(opcode: number, payload: Buffer, mask: Buffer): Buffer {
  const { length } = payload;
  const extra = length > 0xffff ? 8 : length > longestControl ? 2 : 0;
  const head = Buffer.alloc(2 + extra);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(0x80 | (extra === 0 ? length : extra === 2 ? 126 : 127), 1);
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  const masked = Buffer.from(payload);
  for (const [i, byte] of payload.entries()) masked[i] = byte ^ (mask[i & 3] ?? outOfRange());
  return Buffer.concat([head, mask, masked]);
}

export const textFrame = (text: string, mask: Buffer): Buffer => frame(opcodes.text, Buffer.from(text), mask);
export const pongFrame = (payload: Buffer, mask: Buffer): Buffer => frame(opcodes.pong, payload, mask);

/** 1000: it was meant to end. */
export function closeFrame(mask: Buffer): Buffer {
  const code = Buffer.alloc(2);
  code.writeUInt16BE(1000, 0);
  return frame(opcodes.close, code, mask);
}
