/** The text indexes of a run: beside its indexes, made with the first search, never needed. */
import { runPaths } from '../../../runs/store/runPaths.ts';
import { taskKind, traceKind, type RecordKind } from '../../../runs/index/recordKind.ts';
import type { RecordPaths } from '../../../runs/records/recordLog.ts';
import { extendTextIndex, type Turn } from './extendTextIndex.ts';
import { RecordFile } from './recordFile.ts';
import type { RunContext } from '../../../runs/store/runContext.ts';

/** `index/traces.text.bin` beside `index/traces.bin` */
export const textIndexOf = (index: string): string => index.replace(/\.bin$/, '.text.bin');

/**
 * Extends both to the length of their records; traces first, since they gain most. @throws RunError, and the disk's
 * errors
 */
export async function extendTextIndexes(dir: string, context: RunContext, turn: Turn): Promise<void> {
  const paths = runPaths(dir);
  await extend(traceKind, paths.traces, paths.lease, context, turn);
  await extend(taskKind, paths.tasks, paths.lease, context, turn);
}

async function extend<T extends { id: string; epoch: number }>(
  kind: RecordKind<T>,
  paths: RecordPaths,
  lease: string,
  context: RunContext,
  turn: Turn,
): Promise<void> {
  const records = await RecordFile.open(kind, paths, lease, context);
  try {
    await extendTextIndex(records, textIndexOf(paths.index), turn);
  } finally {
    await records.close();
  }
}
