/** Worked cases of a domain file under the debugger, each once. */
import type * as vscode from 'vscode';
import { testDomainCase, type DomainCaseResult } from '../../../../domains/domainCases.ts';
import { FileDomain } from '../../../../domains/fileDomain.ts';
import { WatchedFunctions } from '../../../../domains/watchedFunctions.ts';
import { openBase } from '../../../../launch/recipeOf.ts';
import type { Ask } from '../../../../rewards/processes/debuggedProgram.ts';
import { domainCaseName, type DomainCaseLine } from '../../../../shared/domains/cases.ts';
import type { ProgramRequest } from '../../../../host/debug/programRequest.ts';
import type { DomainTrial } from '../../node/openTrial.ts';
import { debuggedFunctions } from '../debug/debugDomain.ts';

/** Undefined where no line holds a case. */
export function casesProgram(
  file: vscode.Uri,
  { experiment, base, heldOut, rules }: Pick<DomainTrial, 'experiment' | 'base' | 'heldOut' | 'rules'>,
  lines: readonly DomainCaseLine[],
): ProgramRequest<DomainCaseResult> | undefined {
  const cases = lines.flatMap((line) => ('case' in line ? [line] : []));
  if (cases.length === 0) return undefined;
  const pieces = cases.map((line) => ({
    name: domainCaseName(line.case),
    async run(ask: Ask, names: readonly string[]): Promise<DomainCaseResult> {
      const functions = new WatchedFunctions(debuggedFunctions(ask, names));
      const behind = await openBase(functions, file.fsPath, { experiment, seeds: base, heldOut, rules });
      const domain = new FileDomain(file.fsPath, functions, { base, heldOut }, rules, { base: behind });
      return testDomainCase({ domain, functions, rules, seed: base[0] ?? null }, line, 1);
    },
  }));
  return {
    ...{ file, pieces, network: false },
    entry: ['parse', 'verify', 'judge'],
    told: (name, { given, wrong }) => `${name}: ${wrong?.message ?? given}`,
  };
}
