/** A person's file in several processes: each call goes to the one that has least to do. */
import { access } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { RewardLanguage } from '../../shared/rewards/rewardFile.ts';
import { codeOf } from '../../shared/systemError.ts';
import { CallWorker, type Called, type Loaded } from './callWorker.ts';
import { RewardLoadError } from './rewardLoadError.ts';

export interface PoolOptions {
  /** Folder of built files. */
  dist: URL;
  /** The Python interpreter, a path or a name. */
  python: string;
  /** Of one call. */
  seconds: number;
  /** Memory that a process may take beyond its initial use, in MB. */
  megabytes: number;
  network: boolean;
  /** Processes. */
  workers: number;
  /** Whether replies contain the coverage of their calls. */
  coverage?: boolean;
}

/** A file by its absolute path. */
interface PooledFile {
  file: string;
  language: RewardLanguage;
}

export class CallPool {
  readonly #workers: readonly CallWorker[];
  readonly loaded: Loaded;

  private constructor(workers: readonly CallWorker[], loaded: Loaded) {
    this.#workers = workers;
    this.loaded = loaded;
  }

  /** @throws RewardLoadError when the file or its interpreter cannot be used */
  static async open(file: PooledFile, { workers, coverage = false, ...options }: PoolOptions): Promise<CallPool> {
    await insistOnFile(file.file);
    const limits = { ...options, ...file, coverage };
    const first = new CallWorker(limits);
    const others = Array.from({ length: Math.max(0, workers - 1) }, () => new CallWorker(limits));
    // The first alone shows whether the file can be used; the others start with their first call.
    return new CallPool([first, ...others], await first.open());
  }

  /** Never rejects. @param request the request to the process */
  call<Outcome>(request: object, called: Called<Outcome>): Promise<Outcome> {
    const idle = this.#workers.reduce((least, worker) => (worker.load < least.load ? worker : least));
    return idle.call(request, called);
  }

  dispose(): void {
    for (const worker of this.#workers) worker.dispose();
  }
}

/** A process would name its own program in what it says of a file that is not there. @throws RewardLoadError */
async function insistOnFile(file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
    throw new RewardLoadError('missing', file, l10n.t('There is no file {0}.', file));
  }
}
