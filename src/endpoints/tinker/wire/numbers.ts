/** Arrays of numbers as the protocol's bytes: little-endian, whatever the machine. */
import * as l10n from '@vscode/l10n';
import { ProtoError } from './protoBytes.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Numbering of the compiled descriptor. */
export const dtypes = ['unspecified', 'float32', 'int64', 'int32', 'bfloat16'] as const;
export type Dtype = (typeof dtypes)[number];

const widths: Record<Exclude<Dtype, 'unspecified'>, number> = { float32: 4, int64: 8, int32: 4, bfloat16: 2 };

export function encodeNumbers(values: ArrayLike<number>, dtype: 'float32' | 'int64' | 'int32'): Uint8Array {
  const width = widths[dtype];
  const bytes = new Uint8Array(values.length * width);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? outOfRange();
    if (dtype === 'float32') view.setFloat32(i * width, value, true);
    else if (dtype === 'int32') view.setInt32(i * width, value, true);
    else view.setBigInt64(i * width, BigInt(value), true);
  }
  return bytes;
}

/** @throws ProtoError when the bytes are no whole number of values */
export function decodeNumbers(bytes: Uint8Array, dtype: Dtype): number[] {
  if (dtype === 'unspecified') throw new ProtoError(l10n.t('An array of numbers without its type.'));
  const width = widths[dtype];
  if (bytes.length % width !== 0)
    throw new ProtoError(l10n.t('{0} bytes are no whole number of {1} values.', bytes.length, dtype));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / width }, (_, i) => {
    if (dtype === 'float32') return view.getFloat32(i * width, true);
    if (dtype === 'int32') return view.getInt32(i * width, true);
    if (dtype === 'int64') return Number(view.getBigInt64(i * width, true));
    // The upper half of a float32.
    const half = new DataView(new ArrayBuffer(4));
    half.setUint16(2, view.getUint16(i * width, true), true);
    return half.getFloat32(0, true);
  });
}

export const dtypeOf = (number: number): Dtype => {
  const dtype = dtypes[number];
  if (dtype === undefined) throw new ProtoError(l10n.t('Number type {0} is unknown.', number));
  return dtype;
};
