/** The worked cases beside a domain file. */
import { testDomainCases, type DomainCaseResult } from '../../../domains/domainCases.ts';
import { readDomainCases, type DomainCaseLine } from '../../../shared/domains/cases.ts';
import { casesFile } from '../../../shared/rewards/cases.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { DomainTrial } from './openTrial.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

/**
 * Cases of a domain file, yielded when they finish; null where there is no file of cases. @param wanted all when absent
 */
export async function runDomainCases(
  { file, domain, functions, rules, base }: DomainTrial,
  signal: AbortSignal,
  wanted: (line: DomainCaseLine) => boolean = () => true,
): Promise<{ file: string; results: AsyncGenerator<DomainCaseResult> } | null> {
  const path = casesFile(file);
  try {
    const lines = [...readDomainCases(await strictText(path))].filter(wanted);
    return { file: path, results: testDomainCases({ domain, functions, rules, seed: base[0] ?? null }, lines, signal) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
