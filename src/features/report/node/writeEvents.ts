/** A run's event file for TensorBoard: made from its journal alone, so that a later one begins with the same bytes. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeError } from '../../../runs/files/fileErrors.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { refuseOwnFile } from '../../../runs/files/ownFiles.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { concatenated, scalarsRecord, versionRecord } from '../core/eventRecords.ts';
import { epochScalars, evaluationScalars, validationScalars } from '../core/scalars.ts';
import { CourseFold } from './course.ts';
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

/** Of finished epochs alone: the figures of the one at work may change. */
async function eventsOf(source: Pick<ReportSource, 'events'>): Promise<{ name: string; records: Uint8Array[] }> {
  const fold = new CourseFold();
  let firstAt: number | null = null;
  /** Milliseconds by step. Of step 0, the measurements before any training. */
  const ended = new Map<number, number>();
  for await (const event of source.events()) {
    fold.add(event);
    firstAt ??= event.at;
    if (event.type === 'epoch.finished') ended.set(event.epoch, event.at);
    else if (event.type === 'epoch.started' && event.epoch === 1) ended.set(0, event.at);
  }
  const { epochs, validation, evaluations } = fold.course();
  const begun = (firstAt ?? 0) / 1000;
  const records = [versionRecord(begun)];
  for (const [step, at] of ended) {
    const scalars = [
      ...epochs.filter(({ epoch }) => epoch === step).flatMap(epochScalars),
      ...validation.filter(({ epoch }) => epoch === step).flatMap(validationScalars),
      ...evaluations.filter(({ epoch }) => epoch === step).flatMap(evaluationScalars),
    ];
    if (scalars.length > 0) records.push(scalarsRecord(at / 1000, step, scalars));
  }
  return { name: `events.out.tfevents.${Math.floor(begun)}.genenv`, records };
}
