/**
 * TensorBoard's event files: records of TFRecord framing (tensorflow/core/lib/io/record_writer.h) that hold `Event`s of
 * tensorflow/core/util/event.proto, of which these fields are written: wall_time 1, step 2, file_version 3, summary 5 with
 * values of tag 1 and simple_value 2.
 */
import type { Scalar } from './scalars.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** The first record of a file. */
export const versionRecord = (wallTime: number): Uint8Array =>
  record(concatenated([double(1, wallTime), bytes(3, new TextEncoder().encode('brain.Event:2'))]));

/** One event with all numbers of a step. @param step a whole number, 0 or more */
export const scalarsRecord = (wallTime: number, step: number, scalars: readonly Scalar[]): Uint8Array =>
  record(
    concatenated([
      double(1, wallTime),
      concatenated([varint(2 << 3), varint(step)]),
      bytes(5, concatenated(scalars.map((scalar) => bytes(1, valueOf(scalar))))),
    ]),
  );

const valueOf = ({ tag, value }: Scalar): Uint8Array =>
  concatenated([bytes(1, new TextEncoder().encode(tag)), float(2, value)]);

/** Length and data, each followed by its masked CRC-32C. */
function record(data: Uint8Array): Uint8Array {
  const framed = new Uint8Array(data.length + 16);
  const view = new DataView(framed.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, masked(crc32c(framed.subarray(0, 8))), true);
  framed.set(data, 12);
  view.setUint32(12 + data.length, masked(crc32c(data)), true);
  return framed;
}

/** A CRC of data that holds CRCs would be weak: rotated by 15 bits, plus a constant. */
const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa2_82_ea_d8) >>> 0;

/** Castagnoli's polynomial, bits reversed. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82_f6_3b_78 : crc >>> 1;
  return crc;
});

export function crc32c(data: Uint8Array): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of data) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? outOfRange());
  return ~crc >>> 0;
}

function double(field: number, value: number): Uint8Array {
  const encoded = new Uint8Array(9);
  encoded[0] = (field << 3) | 1;
  new DataView(encoded.buffer).setFloat64(1, value, true);
  return encoded;
}

function float(field: number, value: number): Uint8Array {
  const encoded = new Uint8Array(5);
  encoded[0] = (field << 3) | 5;
  new DataView(encoded.buffer).setFloat32(1, value, true);
  return encoded;
}

const bytes = (field: number, value: Uint8Array): Uint8Array =>
  concatenated([varint((field << 3) | 2), varint(value.length), value]);

function varint(value: number): Uint8Array {
  const encoded: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) encoded.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...encoded, rest]);
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
