/** How a reward process is started: which program, which limits, which environment. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RewardLanguage } from '../../shared/rewards/rewardFile.ts';

export interface Program {
  /** Folder of built files. */
  dist: URL;
  /** Absolute. */
  file: string;
  language: RewardLanguage;
  /** The Python interpreter, a path or a name. */
  python: string;
  megabytes: number;
  network: boolean;
  /** Whether each reply contains the coverage of its call. */
  coverage: boolean;
  /** It waits for a debugger before it loads the file; the limit of memory does not hold then. */
  debug?: {
    /** Where it listens on this machine; 0 for any free one. */
    port: number;
    /** Folder that holds debugpy, for an interpreter without one. */
    packages?: string;
  };
}

/** A reward gets the variables that programs need to start, and none of the user's keys. */
export const passedNames =
  /^(?:PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|PYENV_\w+|VIRTUAL_ENV|CONDA_PREFIX|PYTHONPATH|LD_LIBRARY_PATH)$/i;

export function passedVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => passedNames.test(name)));
}

/** Its pipes: requests at `from`, replies at `to`; other output is read and dropped. */
export const pipes = (language: RewardLanguage): { requests: number; replies: number } =>
  language === 'python' ? { requests: 0, replies: 1 } : { requests: 3, replies: 4 };

export function startProgram(program: Program): ChildProcess {
  const { dist, file, language, python, megabytes, network, coverage, debug } = program;
  const how =
    debug === undefined ? [coverage ? 'coverage' : 'plain'] : ['debug', String(debug.port), debug.packages ?? ''];
  const given = [file, String(megabytes), network ? 'open' : 'closed', ...how];
  if (language === 'python') {
    const worker = fileURLToPath(new URL('reward-worker.py', dist));
    // Python hides frozen modules from a debugger, which warns about it.
    const flags = debug === undefined ? ['-u'] : ['-u', '-X', 'frozen_modules=off'];
    // Sets of texts in one order in every process: the same input gives the same output.
    const env = { ...passedVariables(), PYTHONHASHSEED: '0' };
    return spawn(python, [...flags, worker, ...given], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  }
  const worker = fileURLToPath(new URL('reward-worker.js', dist));
  const flags = ['--no-warnings', ...(debug === undefined ? [`--max-old-space-size=${megabytes}`] : [])];
  return spawn(process.execPath, [...flags, worker, ...given], {
    env: { ...passedVariables(), ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
}
