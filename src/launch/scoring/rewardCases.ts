/** The worked cases beside a reward file. */
import * as l10n from '@vscode/l10n';
import type { RewardHost } from '../../rewards/processes/rewardHost.ts';
import { testCases, type CaseResult } from '../../rewards/testCases.ts';
import { casesFile, readCases, type CaseLine } from '../../shared/rewards/cases.ts';
import { codeOf } from '../../shared/systemError.ts';
import { InputError } from '../inputs/inputError.ts';
import { strictText } from '../inputs/strictText.ts';

/** Cases of a reward file, yielded when judged; null where there is no file of cases. @param wanted all when absent */
export async function runCases(
  host: RewardHost,
  file: string,
  signal: AbortSignal,
  wanted: (line: CaseLine) => boolean = () => true,
): Promise<{ file: string; results: AsyncGenerator<CaseResult> } | null> {
  const path = casesFile(file);
  try {
    const text = await strictText(path);
    return { file: path, results: testCases(host, [...readCases(text)].filter(wanted), signal) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @throws InputError that names every case that is judged wrong */
export async function insistOnCases(host: RewardHost, file: string): Promise<void> {
  const run = await runCases(host, file, new AbortController().signal);
  if (run === null) return;
  const problems = [];
  for await (const { line, name, wrong } of run.results) {
    if (wrong === null) continue;
    const message = l10n.t('The reward judges the case “{0}” wrong: {1}.', name, wrong.replace(/\.$/, ''));
    const remedy = l10n.t('Correct the reward, or the case.');
    problems.push({ file: run.file, line, column: 1, field: 'reward', message, remedy, severity: 'error' as const });
  }
  if (problems.length > 0) throw new InputError(problems);
}
