/**
 * Fuzzes one decoder in a thread, which its parent can end: an input that never ends, or takes all memory, is a
 * finding.
 */
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { Coverage } from './coverage.ts';
import { decoders } from './decoders.ts';
import { Fuzzer } from './fuzzer.ts';
import { readCorpus } from './corpus.ts';

const jobSchema = z.object({
  name: z.string(),
  inputs: z.int(),
  seed: z.int(),
  /** How many inputs were begun; how many bytes the one at work has. */
  counts: z.instanceof(Int32Array),
  current: z.instanceof(Uint8Array),
});

const { name, inputs, seed, counts, current } = jobSchema.parse(workerData);
const decoder = decoders[name];
if (decoder === undefined || parentPort === null) throw new Error(`There is no decoder ${name}.`);
const begin = (input: string): void => {
  const { written } = new TextEncoder().encodeInto(input, current);
  Atomics.store(counts, 1, written);
  Atomics.add(counts, 0, 1);
};
const coverage = new Coverage();
const fuzzer = new Fuzzer(name, decoder, { corpus: await readCorpus(name), seed, begin });
await fuzzer.replay(coverage);
await fuzzer.run(inputs, coverage);
parentPort.postMessage({
  inputs: fuzzer.inputs,
  blocks: coverage.blocks,
  corpus: fuzzer.corpus,
  findings: [...fuzzer.findings.values()],
});
coverage.stop();
