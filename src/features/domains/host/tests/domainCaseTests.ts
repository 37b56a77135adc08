/** Cases of domains in the Test Explorer. Loaded when the workspace has a domain with cases. */
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { DomainCaseResult } from '../../../../domains/domainCases.ts';
import type { Failures } from '../../../../host/feedback/failures.ts';
import { ProgramCases, wantedLines, type HowRun } from '../../../../host/cases/programCases.ts';
import type { ToldResults } from '../../../../host/cases/toldResults.ts';
import type { DomainCaseLine } from '../../../../shared/domains/cases.ts';
import { domainLanguage } from '../../../../shared/domains/domainFile.ts';
import type { DebugWork } from '../../../rewards/host/debug/registerDebug.ts';
import { openDomainTrial, soloExperiment } from '../../node/openTrial.ts';
import { runDomainCases } from '../../node/trialCases.ts';
import { casesProgram } from './casesProgram.ts';
import { domainCaseKind } from './domainCaseKind.ts';

interface DomainCaseDeps {
  failures: Failures;
  /** The folder of built files. */
  dist: URL;
  /** Determines the interpreter of a user's Python. */
  python: () => Promise<unknown>;
  debugWork: DebugWork;
}

export const domainCaseTests = (deps: DomainCaseDeps): ProgramCases<DomainCaseLine> =>
  new ProgramCases({
    ...{ failures: deps.failures, kind: domainCaseKind, id: 'genenv.domainCases' },
    label: vscode.l10n.t('Cases of Domains'),
    run: (domain, told, how) => runCases(deps, domain, told, how),
  });

/** In processes as in a run, or under the debugger. */
async function runCases(
  { dist, python, debugWork }: DomainCaseDeps,
  domain: vscode.Uri,
  told: ToldResults,
  { debug, signal, run }: HowRun,
): Promise<void> {
  const language = domainLanguage(domain.path);
  if (language === 'python') await python();
  const trial = await openDomainTrial(soloExperiment(domain.fsPath), dirname(domain.fsPath), dist);
  try {
    // An adapter has no code to stop in.
    if (debug && language !== null) {
      const lines = await wantedLines(domainCaseKind, domain, told);
      for (const line of lines) if ('fault' in line) told.tell(unreadable(line));
      const work = casesProgram(domain, trial, lines);
      const made = await debugWork(
        () => Promise.resolve(work && { ...work, options: { testRun: run } }),
        run.token,
        () => vscode.l10n.t('The domain was not debugged'),
      );
      for (const result of made ?? []) told.tell(result);
      return;
    }
    const stop = (): void => trial.close();
    signal.addEventListener('abort', stop);
    try {
      const cases = await runDomainCases(trial, signal, ({ line }) => told.isWanted(line));
      for await (const result of cases?.results ?? []) {
        // A closed process's answer to a case is no verdict.
        if (signal.aborted) break;
        told.tell(result);
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  } finally {
    trial.close();
  }
}

const unreadable = ({ line, fault }: { line: number; fault: string }): DomainCaseResult => ({
  ...{ line, name: `line ${line}`, wrong: { cause: 'unreadable', message: fault } },
  ...{ given: '', expected: '', calls: [] },
});
