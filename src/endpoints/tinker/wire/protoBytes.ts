/** The little of protobuf's wire format that the Tinker messages need: varints, doubles, and bytes with a length. */
import * as l10n from '@vscode/l10n';

const varint = 0;
const fixed64 = 1;
const delimited = 2;
const fixed32 = 5;

/** The reason why a message could not be read. */
export class ProtoError extends Error {
  override readonly name = 'ProtoError';
}

export class ProtoWriter {
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  /** 0 is proto3's default and is left out. */
  int(field: number, value: number): this {
    if (value === 0) return this;
    this.#varint(field * 8 + varint);
    this.#varint(value);
    return this;
  }

  bool(field: number, value: boolean): this {
    return this.int(field, value ? 1 : 0);
  }

  double(field: number, value: number): this {
    this.#varint(field * 8 + fixed64);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return this.#push(bytes);
  }

  string(field: number, value: string): this {
    return value === '' ? this : this.bytes(field, new TextEncoder().encode(value));
  }

  /** Written even when empty: a repeated or optional field is present by being there. */
  bytes(field: number, value: Uint8Array): this {
    this.#varint(field * 8 + delimited);
    this.#varint(value.length);
    return this.#push(value);
  }

  message(field: number, write: (inner: ProtoWriter) => void): this {
    const inner = new ProtoWriter();
    write(inner);
    return this.bytes(field, inner.finish());
  }

  /** Packed, as proto3 writes repeated integers. */
  ints(field: number, values: readonly number[]): this {
    if (values.length === 0) return this;
    const inner = new ProtoWriter();
    for (const value of values) inner.#varint(value);
    return this.bytes(field, inner.finish());
  }

  finish(): Uint8Array {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  #push(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    return this;
  }

  #varint(value: number): void {
    const bytes: number[] = [];
    // Beyond 32 bits the operators of JavaScript cut: division keeps every integer that a double holds.
    let rest = value;
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    bytes.push(rest);
    this.#push(Uint8Array.from(bytes));
  }
}

/** One field of a message, as it stands on the wire. */
export interface ProtoField {
  number: number;
  /** Of varints and doubles. */
  value: number;
  /** Of what has a length; empty otherwise. */
  bytes: Uint8Array;
}

/** The fields of a message, in order. Unknown ones are for the caller to pass over. @throws ProtoError */
export function* protoFields(message: Uint8Array): Generator<ProtoField> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const need = (bytes: number): void => {
    if (at + bytes > message.length)
      throw new ProtoError(l10n.t('A message of {0} bytes ends in mid-field.', message.length));
  };
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 63; scale *= 0x80) {
      need(1);
      const byte = view.getUint8(at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new ProtoError(l10n.t('A number of more than ten bytes.'));
  };
  const empty = new Uint8Array();
  while (at < message.length) {
    const tag = readVarint();
    const number = Math.floor(tag / 8);
    const type = tag % 8;
    if (type === varint) yield { number, value: readVarint(), bytes: empty };
    else if (type === fixed64) {
      need(8);
      yield { number, value: view.getFloat64(at, true), bytes: empty };
      at += 8;
    } else if (type === fixed32) {
      need(4);
      yield { number, value: view.getFloat32(at, true), bytes: empty };
      at += 4;
    } else if (type === delimited) {
      const length = readVarint();
      need(length);
      yield { number, value: 0, bytes: message.subarray(at, at + length) };
      at += length;
    } else throw new ProtoError(l10n.t('Field {0} has the unknown wire type {1}.', number, type));
  }
}

/** Integers written packed or one by one. */
export function protoInts({ value, bytes }: ProtoField): number[] {
  if (bytes.length === 0) return [value];
  const values: number[] = [];
  let rest = 0;
  let scale = 1;
  for (const byte of bytes) {
    rest += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte >= 0x80) continue;
    values.push(rest);
    [rest, scale] = [0, 1];
  }
  return values;
}

/** @throws ProtoError for bytes that are no UTF-8 */
export function protoText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new ProtoError(l10n.t('a text of it is no UTF-8'));
    throw error;
  }
}
