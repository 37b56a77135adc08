/** The GPUs of a machine, by its own nvidia-smi. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import { smallest } from '../../../shared/extremes.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { SetupError } from '../contract.ts';

export interface Gpus {
  count: number;
  /** Of the smallest, in GB. */
  memory: number;
}

const query = ['nvidia-smi', '--query-gpu=memory.total', '--format=csv,noheader,nounits'];

/**
 * @param host how ssh reaches the machine, without a password; null for this one
 * @throws SetupError where none is found
 */
export async function findGpus(host: string | null): Promise<Gpus> {
  const ssh = ['ssh', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10', '--'];
  const [program = '', ...words] = host === null ? query : [...ssh, host, ...query];
  const there = host ?? l10n.t('this machine');
  try {
    const { stdout } = await promisify(execFile)(program, words, { timeout: 30_000, maxBuffer: 1 << 20 });
    return gpusIn(stdout, there);
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const why = codeOf(error) === 'ENOENT' ? l10n.t('there is no {0} here', program) : lastLine(error);
    throw new SetupError(
      l10n.t('The GPUs of {0} were not found: {1}.', there, why),
      l10n.t('Say what there is: --gpus 8 --memory 80. With --host, nvidia-smi is asked there.'),
    );
  }
}

/** @throws SetupError for an answer without GPUs */
export function gpusIn(answer: string, there: string): Gpus {
  const sizes = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
  if (sizes.length === 0)
    throw new SetupError(
      l10n.t('nvidia-smi names no GPU of {0}.', there),
      l10n.t('Say what there is: --gpus 8 --memory 80.'),
    );
  // An “80 GB” GPU has 81,559 MiB, and one of 24 GB 24,564: the next whole GB below.
  return { count: sizes.length, memory: Math.floor(smallest(sizes) / 1024) };
}

function lastLine(error: unknown): string {
  const said = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : '';
  const text = said.trim() === '' && error instanceof Error ? error.message : said;
  return (text.trim().split('\n').at(-1) ?? '').replace(/\.$/, '').slice(0, 300);
}
