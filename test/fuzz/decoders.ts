import type { Decoder } from './decoder.ts';
import { benchmarks } from './decoders/benchmarks.ts';
import { people } from './decoders/people.ts';
import { records } from './decoders/records.ts';
import { wires } from './decoders/wires.ts';

/** Every way in, by its name. */
export const decoders: Readonly<Record<string, Decoder>> = { ...people, ...records, ...benchmarks, ...wires };
