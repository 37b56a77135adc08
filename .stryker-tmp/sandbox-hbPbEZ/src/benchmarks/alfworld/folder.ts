import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as z from 'zod';
import { GameError } from './gameError.ts';
import { readGameFile } from './gameFile.ts';
import { taskTypeSchema, type TaskType } from './taskTypes.ts';

/** The official splits with how many games each has: rooms of the training games, the same rooms again, new rooms. */
const splitSizes = { train: 3553, valid_seen: 140, valid_unseen: 134 } as const;
export type AlfworldSplit = keyof typeof splitSizes;

/** One game that counts. */
interface GameEntry {
  /** Its folder below the split's: `pick_heat…-Potato-None-SinkBasin-14/trial_T…`. */
  id: string;
  file: string;
  taskType: TaskType;
  /** What people called the task. */
  descriptions: string[];
}

/** Games of a split, and why other folders are none. */
export interface FoundGames {
  /** How many the official split has. */
  official: number;
  games: GameEntry[];
  skipped: Record<'movable-or-sliced' | 'task-type' | 'no-game' | 'unsolvable' | 'unreadable', number>;
}

export type DataFolderErrorReason = 'missing' | 'empty';

/** A folder that holds no ALFWorld games of a split. `remedy` says where they are to be had. */
export class DataFolderError extends Error {
  readonly reason: DataFolderErrorReason;
  readonly remedy =
    'The games are a download of the ALFWorld project (github.com/alfworld/alfworld, “alfworld-download”); point at its ' +
    'folder json_2.1.1, or the folder that has it.';

  constructor(reason: DataFolderErrorReason, message: string) {
    super(message);
    this.name = 'DataFolderError';
    this.reason = reason;
  }
}

const trajectorySchema = z.looseObject({
  task_type: z.string(),
  turk_annotations: z.looseObject({ anns: z.array(z.looseObject({ task_desc: z.string() })) }).optional(),
});

/**
 * The games of a split in the official layout, `json_2.1.1/SPLIT/TASK/TRIAL`, in ascending order. One counts when its
 * folder has `traj_data.json`, names neither `movable` nor `Sliced`, is of the six task types, and its game is solvable.
 * @throws DataFolderError
 */
export async function findGames(root: string, split: AlfworldSplit): Promise<FoundGames> {
  const folder = await splitFolder(root, split);
  const found: FoundGames = {
    official: splitSizes[split],
    games: [],
    skipped: { 'movable-or-sliced': 0, 'task-type': 0, 'no-game': 0, unsolvable: 0, unreadable: 0 },
  };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const trials = entries.filter((entry) => entry.isFile() && entry.name === 'traj_data.json');
  for (const trial of trials.map(({ parentPath }) => parentPath).sort()) {
    const entry = await readTrial(trial, relative(folder, trial).replaceAll('\\', '/'));
    if (typeof entry === 'string') found.skipped[entry] += 1;
    else found.games.push(entry);
  }
  if (found.games.length === 0) throw new DataFolderError('empty', `${folder} has no game that counts.`);
  return found;
}

async function splitFolder(root: string, split: AlfworldSplit): Promise<string> {
  const tried = [join(root, 'json_2.1.1', split), join(root, split), ...(basename(root) === split ? [root] : [])];
  for (const folder of tried) if (await isFolder(folder)) return folder;
  throw new DataFolderError('missing', `There is no folder json_2.1.1/${split} in ${root}.`);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    await readdir(path);
    return true;
  } catch {
    // Whatever keeps it from being read keeps its games from being read.
    return false;
  }
}

async function readTrial(folder: string, id: string): Promise<GameEntry | keyof FoundGames['skipped']> {
  if (id.includes('movable') || id.includes('Sliced')) return 'movable-or-sliced';
  const trajectory = await readTrajectory(join(folder, 'traj_data.json'));
  if (trajectory === null) return 'unreadable';
  const taskType = taskTypeSchema.safeParse(trajectory.task_type);
  if (!taskType.success) return 'task-type';
  const file = join(folder, 'game.tw-pddl');
  try {
    const { solvable } = readGameFile(await readFile(file, 'utf8'));
    if (solvable === undefined) return 'no-game';
    if (!solvable) return 'unsolvable';
  } catch (error) {
    if (error instanceof GameError) return 'unreadable';
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'no-game';
    throw error;
  }
  const descriptions = trajectory.turk_annotations?.anns.map(({ task_desc }) => task_desc) ?? [];
  return { id, file, taskType: taskType.data, descriptions };
}

/** Null when it is not in its form. */
async function readTrajectory(file: string): Promise<z.infer<typeof trajectorySchema> | null> {
  const text = await readFile(file, 'utf8');
  try {
    return trajectorySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
