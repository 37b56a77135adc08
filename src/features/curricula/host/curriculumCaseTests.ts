/** Cases of curricula in the Test Explorer, and under the debugger. */
import * as vscode from 'vscode';
import { outcomeOf } from '../../../rewards/curricula/curriculumHost.ts';
import { testCurriculumCase, type CurriculumCaseResult } from '../../../rewards/curricula/testCases.ts';
import { namedCall } from '../../../rewards/processes/namedCall.ts';
import { curriculumCases, openCurriculum } from '../../../launch/scoring/curriculum.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import { curriculumCaseName, type CurriculumCaseLine } from '../../../shared/curricula/cases.ts';
import { curriculumLanguage, rewardsFunction } from '../../../shared/curricula/curriculumFile.ts';
import type { ProgramRequest } from '../../../host/debug/programRequest.ts';
import { ProgramCases, wantedLines, type HowRun } from '../../../host/cases/programCases.ts';
import type { ToldResult, ToldResults } from '../../../host/cases/toldResults.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { DebugWork } from '../../rewards/host/debug/registerDebug.ts';
import { curriculumCaseKind } from './curriculumCaseKind.ts';

export interface CurriculumCaseDeps {
  failures: Failures;
  /** The folder of built files. */
  dist: URL;
  /** Determines the interpreter of a user's Python. */
  python: () => Promise<unknown>;
  debugWork: DebugWork;
}

export const curriculumCaseTests = (deps: CurriculumCaseDeps): ProgramCases<CurriculumCaseLine> =>
  new ProgramCases({
    ...{ failures: deps.failures, kind: curriculumCaseKind, id: 'genenv.curriculumCases' },
    label: vscode.l10n.t('Cases of Curricula'),
    run: (file, told, how) => runCases(deps, file, told, how),
  });

/** In a process as in a run, or under the debugger. */
async function runCases(
  { dist, python, debugWork }: CurriculumCaseDeps,
  file: vscode.Uri,
  told: ToldResults,
  { debug, signal, run }: HowRun,
): Promise<void> {
  if (curriculumLanguage(file.path) === 'python') await python();
  if (debug) {
    const lines = await wantedLines(curriculumCaseKind, file, told);
    const made = await debugWork(
      () => Promise.resolve({ ...casesProgram(file, lines), options: { testRun: run } }),
      run.token,
      () => vscode.l10n.t('The curriculum was not debugged'),
    );
    for (const result of made ?? []) told.tell(toldOf(result));
    return;
  }
  const host = await openCurriculum(presets.default, file.fsPath, dist);
  const stop = (): void => host.dispose();
  signal.addEventListener('abort', stop);
  try {
    const cases = await curriculumCases(host, file.fsPath, ({ line }) => told.isWanted(line));
    for await (const result of cases?.results ?? []) {
      // A closed process's answer to a case is none.
      if (signal.aborted) break;
      told.tell(toldOf(result));
    }
  } finally {
    signal.removeEventListener('abort', stop);
    host.dispose();
  }
}

/** Worked cases under the debugger, each once. */
export const casesProgram = (
  file: vscode.Uri,
  lines: readonly CurriculumCaseLine[],
): ProgramRequest<CurriculumCaseResult> => ({
  ...{ file, network: false, entry: [rewardsFunction] },
  pieces: lines.map((line) => ({
    name: 'case' in line ? curriculumCaseName(line.case) : `line ${line.line}`,
    run: (ask) =>
      testCurriculumCase(
        async (families, epoch) => outcomeOf(await ask(...namedCall(rewardsFunction, [families, epoch])), families),
        line,
        1,
      ),
  })),
  told: (name, { given, wrong }) => `${name}: ${wrong ?? given}`,
});

function toldOf({ line, name, wrong, given, expected, outcome }: CurriculumCaseResult): ToldResult {
  const fault = outcome !== null && 'fault' in outcome ? outcome.fault : null;
  const cause = outcome === null ? 'unreadable' : fault === null ? 'rewards' : 'failed';
  return {
    ...{ line, name, given, expected, wrong: wrong === null ? null : { cause, message: wrong } },
    calls: outcome === null ? [] : [{ output: outcome.output, fault }],
  };
}
