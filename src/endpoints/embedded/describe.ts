/** A description of the embedded endpoint for people: read from its files, nothing is started. */
import { readFile } from 'node:fs/promises';
import type { Capabilities } from '../../engine/ports.ts';
import type { EmbeddedAssets } from './assets.ts';
import { capabilitiesOf } from './capabilities.ts';
import { mergesVectors } from './model/compileKernels.ts';
import type { ModelConfig } from './model/config.ts';
import { layoutOf } from './model/layout.ts';
import { readHeader } from './model/weights.ts';

export interface EmbeddedModel {
  config: ModelConfig;
  parameters: number;
  capabilities: Capabilities;
  /** How the file keeps its numbers. */
  precision: 'f16' | 'f32';
  bytes: number;
  /** First letters of the SHA-256 that the file ends in: another release, other letters. */
  version: string;
}

/** A shipped warm start. @throws EmbeddedError `weights` for a damaged file; what the system says of one it cannot read */
export async function describeModel(
  name: 'agent' | 'environment',
  { weights }: EmbeddedAssets,
): Promise<EmbeddedModel> {
  const bytes = await readFile(weights[name]);
  const { config, precision } = readHeader(bytes, weights[name].pathname);
  return {
    config,
    parameters: layoutOf(config).diskSize,
    capabilities: capabilitiesOf(config),
    precision,
    bytes: bytes.byteLength,
    version: bytes.subarray(-32).toString('hex').slice(0, 8),
  };
}

/** Bits of the vectors that the kernels compute with on this machine. */
export const kernelWidth = (): 128 | 256 => (mergesVectors() ? 256 : 128);
