/** Writes a run into MLflow's file store; called again, it adds what has finished since. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../../../runs/files/sha256.ts';
import { readError, writeError } from '../../../runs/files/fileErrors.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { refuseOwnFile } from '../../../runs/files/ownFiles.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import type { RunState } from '../../../runs/store/runHead.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { againIn, isPeoples, mlflowFiles, type MlflowRun } from '../core/mlflowRun.ts';
import { figuresOf } from './figures.ts';
import type { ReportSource } from './source.ts';

export interface WrittenRun {
  /** Of the run, in the store. */
  folder: string;
  steps: number;
  metrics: number;
}

const stateOf: Record<RunState, MlflowRun['state']> = {
  running: 'running',
  paused: 'running',
  interrupted: 'running',
  finished: 'finished',
  failed: 'failed',
  stopped: 'killed',
};

/** @param name as lists show it @throws RunError for a folder that cannot be written, or where runs are kept */
export async function writeMlflow(
  source: Pick<ReportSource, 'events' | 'head'> & { manifest: Pick<Manifest, 'id' | 'createdAt' | 'experiment'> },
  name: string,
  store: string,
): Promise<WrittenRun> {
  const { id, createdAt, experiment } = source.manifest;
  const { begun, ended, steps } = await figuresOf(source);
  const digest = sha256(id);
  const run: MlflowRun = {
    ...{ id, name, experiment: experiment.name, settings: experiment, steps, ended },
    experimentId: decimal(createHash('sha256').update(experiment.name).digest()),
    runId: digest.slice(0, 32),
    state: stateOf[(await source.head()).state],
    begun: begun ?? Date.parse(createdAt),
  };
  const files = mlflowFiles(run, pathToFileURL(store).href);
  const root = await rootOf(store, run.experimentId);
  const folder = join(root, run.experimentId, run.runId);
  for (const [path, text] of files) {
    const file = join(root, path);
    refuseOwnFile(file);
    try {
      await mkdir(dirname(file), { recursive: true });
      const there = isPeoples(path) ? await textOf(file) : null;
      await nodeFiles.replace(file, there === null ? text : againIn(there, text));
    } catch (error) {
      throw writeError(error, file);
    }
  }
  // MLflow takes a folder without this one for no run.
  await mkdir(join(folder, 'artifacts'), { recursive: true });
  const metrics = [...files.keys()].filter((path) => path.includes('/metrics/')).length;
  return { folder, steps: steps.length, metrics };
}

/** Where an experiment is: MLflow moves one that is deleted there into a folder of its own. */
async function rootOf(store: string, experiment: string): Promise<string> {
  const trash = join(store, '.trash');
  const isDeleted =
    (await textOf(join(store, experiment, 'meta.yaml'))) === null &&
    (await textOf(join(trash, experiment, 'meta.yaml'))) !== null;
  return isDeleted ? trash : store;
}

/** Null where there is nothing in it. @throws RunError `unreadable` */
async function textOf(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')) || null;
  } catch (error) {
    // Making the folder reports why it cannot be there.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
    throw readError(error, file);
  }
}

/** 18 digits, as MLflow's own numbers of experiments have. */
const decimal = (digest: Buffer): string =>
  String((digest.readBigUInt64BE() % 9n) * 10n ** 17n + 10n ** 17n + (digest.readBigUInt64BE(8) % 10n ** 17n));
