import * as l10n from '@vscode/l10n';
import { constants, cp, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { CheckpointRef } from '../../engine/ports.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { CheckpointLedger, checkpointFile, type CheckpointPair } from './checkpoints.ts';
import { writeError } from '../files/fileErrors.ts';
import { completionKind, taskKind, traceKind, type RecordKind } from '../index/recordKind.ts';
import { deletedSaves } from '../journal/deletedSaves.ts';
import { readJournal, readSessions } from '../journal/journalFile.ts';
import { RecordLog } from '../records/recordLog.ts';
import { rescoredPaths } from '../rescored/rescoredPaths.ts';
import { RunError } from './runError.ts';
import { runPaths, type RunPaths } from './runPaths.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { isThere } from '../files/isThere.ts';
import type { RunContext } from './runContext.ts';

const copyBytes = 4 * 2 ** 20;

/** Events between the end of an epoch and the start of the next belong to the next one. */
const beforeEpoch: readonly JournalEvent['type'][] = [
  'epoch.started',
  'settings.changed',
  'tasks.edited',
  'verdicts.rescored',
  'rescoring.withdrawn',
];

/**
 * Fills the folder of a new run with a parent's journal, records and checkpoints up to the end of an epoch; 0 is before
 * the first epoch. The parent may be live. @throws RunError `cannot-branch`, `disk-full`, `unwritable`, `format`
 */
export async function branchInto(parentDir: string, epoch: number, dir: string, context: RunContext): Promise<void> {
  const parent = runPaths(parentDir);
  const own = runPaths(dir);
  const { ledger, ends, rescorings, admits } = await readEnds(parent.journal);
  const end = ends.get(epoch);
  const pair = ledger.at(epoch);
  const deleted = deletedSaves(await readSessions(parent.sessions));
  if (end === undefined || pair === null || !(await areThere(parent.checkpoints, pair, deleted))) {
    throw await cannotBranch(parent, epoch, { ledger, ends, deleted });
  }
  await context.files.makeFolder(own.index);
  await context.files.makeFolder(own.checkpoints);
  await copyRange(parent.journal, own.journal, [{ from: 0, to: end }]);
  await copyRecords(taskKind, parent.tasks, own.tasks, epoch);
  await copyRecords(traceKind, parent.traces, own.traces, epoch);
  await copyRecords(completionKind, parent.completions, own.completions, epoch);
  for (const ref of ledger.upTo(epoch)) await copyCheckpoint(parent.checkpoints, own.checkpoints, ref);
  await copyIfThere(parent.inputs, own.inputs);
  for (const { id, at } of rescorings) {
    if (at < end) await copyIfThere(rescoredPaths(parent, id).dir, rescoredPaths(own, id).dir);
  }
  // The agent pool names attempts of people: they come along.
  if (admits !== null && admits < end) await copyIfThere(parent.plays, own.plays);
  for (const folder of [own.checkpoints, own.dir]) await context.files.syncFolder(folder);
}

/** Epochs that a run can be branched from, in order; 0 is before the first. @throws RunError `format`, `unreadable` */
export async function branchableEpochs(parentDir: string): Promise<number[]> {
  const { journal, checkpoints, sessions } = runPaths(parentDir);
  const { ledger, ends } = await readEnds(journal);
  return possibleEpochs(checkpoints, { ledger, ends, deleted: deletedSaves(await readSessions(sessions)) });
}

interface Ends {
  ledger: CheckpointLedger;
  ends: Map<number, number>;
  /** By id, with the byte where each one's event begins. */
  rescorings: { id: string; at: number }[];
  /** Where the first attempt of a person came into the agent pool; null where none did. */
  admits: number | null;
}

interface Course extends Pick<Ends, 'ledger' | 'ends'> {
  /** Addresses of saves that a person deleted. */
  deleted: ReadonlySet<string>;
}

/** Where each epoch's part of the journal ends, in bytes; epoch 0 ends where epoch 1 starts. */
async function readEnds(path: string): Promise<Ends> {
  const ledger = new CheckpointLedger();
  const rescorings: Ends['rescorings'] = [];
  const ends = new Map<number, number>();
  let end = 0;
  let admits: Ends['admits'] = null;
  for await (const placed of readJournal(path)) {
    ledger.add(placed.event);
    const begins = beforeEpoch.includes(placed.event.type);
    if (begins && !ends.has(0)) ends.set(0, end);
    if (placed.event.type === 'epoch.finished') ends.set(placed.event.epoch, placed.end);
    if (placed.event.type === 'verdicts.rescored') rescorings.push({ id: placed.event.rescoring, at: end });
    const { event } = placed;
    if (event.type === 'tasks.edited' && event.edits.some(({ action }) => action === 'admit')) admits ??= end;
    end = placed.end;
  }
  return { ledger, ends, rescorings, admits };
}

/** Checkpoints that live at their endpoint are taken to be there, save for those that a person deleted. */
async function areThere(
  folder: string,
  { agent, environment }: CheckpointPair,
  deleted: ReadonlySet<string>,
): Promise<boolean> {
  for (const ref of [agent, environment]) {
    if (deleted.has(ref.handle)) return false;
    const file = checkpointFile(folder, ref);
    if (file !== null && !(await isThere(file))) return false;
  }
  return true;
}

async function possibleEpochs(folder: string, { ledger, ends, deleted }: Course): Promise<number[]> {
  const possible: number[] = [];
  for (const epoch of [...ends.keys()].sort((a, b) => a - b)) {
    const pair = ledger.at(epoch);
    if (pair !== null && (await areThere(folder, pair, deleted))) possible.push(epoch);
  }
  return possible;
}

async function cannotBranch(parent: RunPaths, epoch: number, course: Course): Promise<RunError> {
  const { ledger, ends, deleted } = course;
  const possible = await possibleEpochs(parent.checkpoints, course);
  const pair = ledger.at(epoch);
  const isDeleted = pair !== null && [pair.agent, pair.environment].some(({ handle }) => deleted.has(handle));
  const what = ends.has(epoch)
    ? isDeleted
      ? l10n.t('the saves of epoch {0} were deleted on their server', epoch)
      : l10n.t('the checkpoints of epoch {0} are no longer kept', epoch)
    : l10n.t('epoch {0} has not finished in this run', epoch);
  return new RunError('cannot-branch', {
    path: parent.dir,
    what,
    remedy:
      possible.length === 0
        ? l10n.t('No epoch of this run can be branched yet.')
        : l10n.t('Branch from one of: {0}.', possible.join(', ')),
  });
}

interface Range {
  from: number;
  to: number;
}

/** Copies the records of epochs up to `epoch`, in order. Without a gap that is one range. */
async function copyRecords<T extends { id: string; epoch: number }>(
  kind: RecordKind<T>,
  from: { records: string; index: string },
  to: { records: string; index: string },
  epoch: number,
): Promise<void> {
  const log = new RecordLog(kind, from);
  try {
    await log.refresh();
    const { columns } = log;
    const ranges: Range[] = [];
    for (let row = 0; row < columns.count; row++) {
      if ((columns.epoch[row] ?? outOfRange()) > epoch) continue;
      const start = columns.offset[row] ?? outOfRange();
      const last = ranges.at(-1);
      if (last?.to === start) last.to = columns.endOf(row);
      else ranges.push({ from: start, to: columns.endOf(row) });
    }
    await copyRange(from.records, to.records, ranges);
  } finally {
    await log.close();
  }
}

async function copyRange(from: string, to: string, ranges: readonly Range[]): Promise<void> {
  try {
    const output = await open(to, 'wx');
    try {
      const input = ranges.length === 0 ? null : await open(from, 'r');
      try {
        for (const range of ranges) {
          for (let at = range.from; at < range.to && input !== null;) {
            const bytes = Buffer.allocUnsafe(Math.min(copyBytes, range.to - at));
            const { bytesRead } = await input.read(bytes, 0, bytes.byteLength, at);
            if (bytesRead === 0) throw new Error(l10n.t('{0} became shorter while it was copied', from));
            await output.writeFile(bytes.subarray(0, bytesRead));
            at += bytesRead;
          }
        }
      } finally {
        await input?.close();
      }
      await output.datasync();
    } finally {
      await output.close();
    }
  } catch (error) {
    throw writeError(error, to);
  }
}

/** Skips a checkpoint pruned in the meantime. */
async function copyCheckpoint(from: string, to: string, ref: CheckpointRef): Promise<void> {
  const source = checkpointFile(from, ref);
  if (source !== null) await copyIfThere(source, join(to, relative(from, source)));
}

/** A file or a folder; a copy-on-write clone where the disk can, so that neither run can harm the other. */
async function copyIfThere(from: string, to: string): Promise<void> {
  if (!(await isThere(from))) return;
  try {
    await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } catch (error) {
    throw writeError(error, to);
  }
}
