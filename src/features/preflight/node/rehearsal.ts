/**
 * A run's ports opened for a rehearsal: real endpoints, real domain and scorer, but records that stay in memory and a
 * temporary folder for inputs and checkpoints, which is removed again.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { CompletionRecord } from '../../../shared/records/completionRecord.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { keepEvaluation, type KeptEvaluation } from '../../../launch/inputs/evaluation.ts';
import { keepInputs, type loadInputs } from '../../../launch/inputs/inputs.ts';
import { openPorts, type OpenPorts, type PortOptions, type RunHome } from '../../../launch/openPorts.ts';
import { keepDomains, type LoadedDomains } from '../../../launch/domains/domainFile.ts';
import type { LoadedFiles } from '../../../launch/inputs/keptFiles.ts';
import { MemoryRecords } from '../../../launch/memoryRecords.ts';
import { keepCurriculum } from '../../../launch/scoring/curriculum.ts';
import { keepReward } from '../../../launch/scoring/reward.ts';
import { keepTestSets, type loadTestSets } from '../../../launch/inputs/testSets.ts';
import { keepWeights, type loadWeights } from '../../../launch/policies/weightFiles.ts';

/** The files an experiment names, as they were read. */
export interface Files {
  inputs: Awaited<ReturnType<typeof loadInputs>>;
  weights: Awaited<ReturnType<typeof loadWeights>>;
  reward: LoadedFiles | null;
  curriculum: LoadedFiles | null;
  domains: LoadedDomains;
  evaluation: KeptEvaluation | null;
  testSets: Awaited<ReturnType<typeof loadTestSets>>;
}

export interface Rehearsal {
  ports: OpenPorts;
  /** Where checkpoints go while it lasts. */
  dir: string;
  tasks: Task[];
  traces: Trace[];
  completions: CompletionRecord[];
  /** Closes the endpoints and removes the folder. */
  close(): Promise<void>;
}

/** @throws the endpoint's own errors, and InputError */
export async function openRehearsal(experiment: Experiment, files: Files, options: PortOptions): Promise<Rehearsal> {
  const dir = await mkdtemp(join(tmpdir(), 'genenv-check-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  try {
    await mkdir(join(dir, 'checkpoints'));
    await keepInputs(dir, files.inputs);
    await keepWeights(dir, files.weights);
    await keepReward(dir, files.reward);
    await keepCurriculum(dir, files.curriculum);
    await keepDomains(dir, experiment, files.domains);
    await keepEvaluation(dir, files.evaluation);
    await keepTestSets(dir, files.testSets);
    const home = new Scratch(dir);
    const ports = await openPorts(experiment, home, options);
    const { tasks, traces, completions } = home;
    const close = async (): Promise<void> => {
      await ports.close();
      await remove();
    };
    return { ports, dir, tasks, traces, completions, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

class Scratch extends MemoryRecords implements RunHome {
  readonly dir: string;

  constructor(dir: string) {
    super();
    this.dir = dir;
  }

  confirm(): Promise<void> {
    return Promise.resolve();
  }

  append(): Promise<void> {
    return Promise.resolve();
  }
}
