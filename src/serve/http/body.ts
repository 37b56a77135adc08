/** The body of a request: bounded, unpacked. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { codeOf } from '../../shared/systemError.ts';
import { Refusal } from './refusal.ts';

/** After unpacking: far above the chunks of a client that follows the protocol. */
const largest = 256 * 1024 * 1024;
const limits = { maxOutputLength: largest };

const unpackers: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: (bytes) => promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip)(bytes, limits),
  deflate: (bytes) => promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate)(bytes, limits),
  br: (bytes) => promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)(bytes, limits),
  // Node has it from 22.15 on.
  ...('zstdDecompress' in zlib && {
    zstd: (bytes) => promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)(bytes, limits),
  }),
};

/** @throws Refusal 413 for too much, 415 for a packing that is unknown, 400 for one that is broken */
export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const packed = await readAll(request);
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return packed;
  const unpack = unpackers[encoding];
  if (unpack === undefined) throw new Refusal(415, `Content-Encoding ${encoding} is not understood here.`);
  try {
    return await unpack(packed);
  } catch (cause) {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw new Refusal(413, 'The body is too large.');
    throw new Refusal(400, `The body is not ${encoding}: ${String(cause)}.`);
  }
}

async function readAll(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) throw new Error('Unreachable: no encoding was set, so parts are buffers.');
    size += part.length;
    if (size > largest) throw new Refusal(413, 'The body is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
