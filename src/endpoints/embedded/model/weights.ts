/**
 * The weights file, which is also the checkpoint file: `GENENVW1`, header length (u32, little-endian), header (JSON),
 * payload (little-endian floats, row-major, tensors in layout order; a checkpoint adds both Adam moments), and the SHA-256
 * of everything before it.
 */
import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { modelConfigSchema } from './config.ts';
import { EmbeddedError } from '../errors.ts';
import { fromHalf, toHalf } from './half.ts';
import { layoutOf } from './layout.ts';

const magic = new TextEncoder().encode('GENENVW1');
const digestBytes = 32;

const headerSchema = z
  .strictObject({
    version: z.literal(1),
    config: modelConfigSchema,
    /** Words in id order; rendering splits text at spaces. */
    vocabulary: z.array(z.string().regex(/^\S+$/)),
    /** The word that ends a completion. */
    end: z.string(),
    precision: z.enum(['f16', 'f32']),
    /** Optimiser steps taken so far; the moments follow the weights when they are kept. */
    steps: z.int().nonnegative(),
    moments: z.boolean(),
  })
  .refine((header) => header.vocabulary.length === header.config.vocabulary, {
    error: (): string => l10n.t('the number of words is not config.vocabulary'),
  })
  .refine((header) => new Set(header.vocabulary).size === header.vocabulary.length, {
    error: (): string => l10n.t('a word occurs twice'),
  })
  .refine((header) => header.vocabulary.includes(header.end), {
    error: (): string => l10n.t('the end word is not in the vocabulary'),
  });
type Header = z.infer<typeof headerSchema>;

interface Moments {
  first: Float32Array;
  second: Float32Array;
}

/** A model at rest. Arrays are row-major, as on disk (layout.ts). */
export interface ModelState extends Pick<Header, 'config' | 'vocabulary' | 'end' | 'steps'> {
  weights: Float32Array;
  /** Adam's, of a checkpoint; absent from shipped weights. */
  moments: Moments | null;
}

export function writeWeights(state: ModelState, precision: Header['precision']): Uint8Array {
  const { config, vocabulary, end, steps, weights, moments } = state;
  const header = headerSchema.parse({
    version: 1,
    config,
    vocabulary,
    end,
    precision,
    steps,
    moments: moments !== null,
  });
  const head = new TextEncoder().encode(JSON.stringify(header));
  const arrays = moments === null ? [weights] : [weights, moments.first, moments.second];
  const width = precision === 'f16' ? 2 : 4;
  const length = magic.length + 4 + head.length + arrays.reduce((sum, a) => sum + a.length * width, 0);
  const bytes = new Uint8Array(length + digestBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint32(magic.length, head.length, true);
  bytes.set(head, magic.length + 4);
  let at = magic.length + 4 + head.length;
  for (const array of arrays) {
    for (const value of array) {
      if (width === 2) view.setUint16(at, toHalf(value), true);
      else view.setFloat32(at, value, true);
      at += width;
    }
  }
  bytes.set(digest(bytes.subarray(0, length)), length);
  return bytes;
}

/** `source` is how messages name the file. Throws `EmbeddedError` with reason `weights`. */
export function readWeights(bytes: Uint8Array, source: string): ModelState {
  const { header, payload } = open(bytes, source);
  const count = layoutOf(header.config).diskSize;
  const width = header.precision === 'f16' ? 2 : 4;
  const arrays = header.moments ? 3 : 1;
  if (payload.length !== count * width * arrays) {
    throw broken(
      source,
      l10n.t('it holds {0} bytes of weights where its shape needs {1}', payload.length, count * width * arrays),
    );
  }
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  const read = (index: number): Float32Array => {
    const start = index * count * width;
    return Float32Array.from({ length: count }, (_, i) =>
      width === 2 ? fromHalf(view.getUint16(start + i * 2, true)) : view.getFloat32(start + i * 4, true),
    );
  };
  const { config, vocabulary, end, steps } = header;
  const moments = header.moments ? { first: read(1), second: read(2) } : null;
  return { config, vocabulary, end, steps, weights: read(0), moments };
}

/** Only the header, checked against the digest: what the main thread needs of a model that a worker hosts. */
export function readHeader(bytes: Uint8Array, source: string): Header {
  return open(bytes, source).header;
}

function open(bytes: Uint8Array, source: string): { header: Header; payload: Uint8Array } {
  const start = magic.length + 4;
  if (bytes.length < start + digestBytes || !magic.every((byte, i) => bytes[i] === byte)) {
    throw broken(source, l10n.t('it does not begin like a GenEnv weights file'));
  }
  const length = bytes.length - digestBytes;
  const written = bytes.subarray(length);
  if (!digest(bytes.subarray(0, length)).every((byte, i) => written[i] === byte)) {
    throw broken(source, l10n.t('its checksum does not match: it is damaged or was cut short'));
  }
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(magic.length, true);
  const header = headerSchema.safeParse(parseJson(bytes.subarray(start, start + headLength), source));
  if (!header.success) throw broken(source, z.prettifyError(header.error));
  return { header: header.data, payload: bytes.subarray(start + headLength, length) };
}

function parseJson(bytes: Uint8Array, source: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw broken(source, l10n.t('its header is not JSON ({0})', String(cause)));
  }
}

function digest(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function broken(source: string, why: string): EmbeddedError {
  return new EmbeddedError(
    'weights',
    l10n.t(
      '{0} cannot be read as weights: {1}. Use another checkpoint, or restore the shipped weights with npm run build.',
      source,
      why,
    ),
  );
}
