/** Reads and extends a run's `attemptLabels.jsonl`. */
import {
  foldLabels,
  labelEventSchema,
  labelVersion,
  type LabelEvent,
  type PersonLabel,
} from '../../shared/records/label.ts';
import { appendSharedLine, readSharedLines } from '../files/sharedLines.ts';
import type { RunError } from '../store/runError.ts';

export interface AttemptLabels {
  /** By id of the attempt. */
  attempts: ReadonlyMap<string, readonly PersonLabel[]>;
  /** Lines that could not be read, each with file, line and remedy. */
  damaged: readonly RunError[];
}

/** A run without labels has none. @throws RunError `unreadable` */
export async function readLabels(path: string): Promise<AttemptLabels> {
  const { events, damaged } = await readSharedLines(path, labelEventSchema, labelVersion);
  return { attempts: foldLabels(events), damaged };
}

/** On the device when it resolves. @throws RunError `disk-full`, `unwritable` */
export const appendLabel = (path: string, event: LabelEvent): Promise<void> => appendSharedLine(path, event);
