/** A run's event file for TensorBoard: made from its journal alone, so that a later one begins with the same bytes. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeError } from '../../../runs/files/fileErrors.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { refuseOwnFile } from '../../../runs/files/ownFiles.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { concatenated, scalarsRecord, versionRecord } from '../core/eventRecords.ts';
import { figuresOf } from './figures.ts';
import type { ReportSource } from './source.ts';

export interface WrittenEvents {
  file: string;
  /** Steps with numbers: finished epochs, and 0 where the run was measured before any training. */
  steps: number;
  /** Bytes that were not there before. */
  added: number;
}

/** @throws RunError for a folder that cannot be written, or where runs are kept */
export async function writeEvents(source: Pick<ReportSource, 'events'>, folder: string): Promise<WrittenEvents> {
  const { name, records } = await eventsOf(source);
  const whole = concatenated(records);
  const file = join(folder, name);
  refuseOwnFile(file);
  try {
    await mkdir(folder, { recursive: true });
    const there = await readFile(file).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    });
    const goesOn = there !== null && there.length <= whole.length && there.equals(whole.subarray(0, there.length));
    // TensorBoard reads on in a file that grows: one that took its place would not be seen.
    if (goesOn) await appendFile(file, whole.subarray(there.length));
    else await nodeFiles.replace(file, [whole]);
    return { file, steps: records.length - 1, added: goesOn ? whole.length - there.length : whole.length };
  } catch (error) {
    throw writeError(error, file);
  }
}

async function eventsOf(source: Pick<ReportSource, 'events'>): Promise<{ name: string; records: Uint8Array[] }> {
  const { begun, steps } = await figuresOf(source);
  const seconds = (begun ?? 0) / 1000;
  const records = [
    versionRecord(seconds),
    ...steps.map(({ step, at, scalars }) => scalarsRecord(at / 1000, step, scalars)),
  ];
  return { name: `events.out.tfevents.${Math.floor(seconds)}.genenv`, records };
}
