/** Cases of one kind of program in the Test Explorer: listed, run, debugged. */
import * as vscode from 'vscode';
import { InputError } from '../../launch/inputs/inputError.ts';
import type { Failures } from '../feedback/failures.ts';
import { savedText } from '../currentText.ts';
import { requireTrust } from '../runs/steerError.ts';
import { CaseItems, type CaseKind } from './caseItems.ts';
import { chosenCases } from './chosenCases.ts';
import { ToldResults } from './toldResults.ts';

/** How the cases of a program are run. */
export interface HowRun {
  debug: boolean;
  signal: AbortSignal;
  run: vscode.TestRun;
}

export interface ProgramCasesDeps<Line extends { line: number }> {
  failures: Failures;
  kind: CaseKind<Line>;
  /** Of the controller: `genenv.domainCases`, "Cases of Domains". */
  id: string;
  label: string;
  /** Runs those cases of a program that are wanted. @throws InputError where it does not load */
  run: (program: vscode.Uri, told: ToldResults, how: HowRun) => Promise<void>;
}

export class ProgramCases<Line extends { line: number }> implements vscode.Disposable {
  readonly controller: vscode.TestController;
  readonly profiles: Readonly<Record<'run' | 'debug', vscode.TestRunProfile>>;
  readonly #items: CaseItems<Line>;
  readonly #deps: ProgramCasesDeps<Line>;

  constructor(deps: ProgramCasesDeps<Line>) {
    const { failures, kind, id, label } = deps;
    this.#deps = deps;
    this.controller = vscode.tests.createTestController(id, label);
    this.#items = new CaseItems(this.controller, kind);
    const { Run, Debug } = vscode.TestRunProfileKind;
    const profile = (title: string, of: vscode.TestRunProfileKind, debug: boolean): vscode.TestRunProfile =>
      this.controller.createRunProfile(
        title,
        of,
        (request, token) =>
          failures.guard(vscode.l10n.t('The cases were not run'), async () => {
            requireTrust();
            await this.#run(request, token, debug);
          }),
        true,
      );
    this.profiles = {
      run: profile(vscode.l10n.t('Run'), Run, false),
      debug: profile(vscode.l10n.t('Debug'), Debug, true),
    };
  }

  /** Lists the programs of a file of cases. */
  list(cases: vscode.Uri): Promise<void> {
    return this.#items.list(cases);
  }

  dispose(): void {
    this.#items.dispose();
    this.controller.dispose();
  }

  /** Program after program, case after case. */
  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken, debug: boolean): Promise<void> {
    const run = this.controller.createTestRun(request);
    const ending = new AbortController();
    const end = (): void => ending.abort(new Error('Cancelled.'));
    const isOver = (): boolean => ending.signal.aborted;
    const stopped = vscode.Disposable.from(token.onCancellationRequested(end), run.token.onCancellationRequested(end));
    try {
      const chosen = await chosenCases(this.controller, this.#items, request);
      for (const cases of chosen.values()) for (const one of cases) run.enqueued(one);
      for (const [item, cases] of chosen) {
        const program = this.#items.programOf(item);
        if (program === null || isOver()) continue;
        const told = await this.#ready(item, program, cases, run);
        try {
          await this.#deps.run(program, told, { debug, signal: ending.signal, run });
        } catch (error) {
          if (error instanceof InputError) told.fail(error.problems);
          else if (!isOver()) throw error;
        }
        told.skip();
      }
    } finally {
      stopped.dispose();
      run.end();
    }
  }

  /** Saved, for both are read from the disk; items deleted since the choice are not run. */
  async #ready(
    item: vscode.TestItem,
    program: vscode.Uri,
    cases: readonly vscode.TestItem[],
    run: vscode.TestRun,
  ): Promise<ToldResults> {
    const files = [program, this.#deps.kind.casesOf(program)].map(String);
    for (const document of vscode.workspace.textDocuments) {
      if (files.includes(document.uri.toString())) await document.save();
    }
    await this.#items.read(item);
    const lines = this.#items.linesOf(item);
    for (const one of cases) if (!lines.has(one)) run.skipped(one);
    return new ToldResults(
      run,
      [...lines].filter(([one]) => cases.includes(one)),
    );
  }
}

/** The wanted lines of a file of cases, as they are on the disk. @throws InputError where it is not UTF-8 */
export async function wantedLines<Line extends { line: number }>(
  { casesOf, linesOf }: CaseKind<Line>,
  program: vscode.Uri,
  told: ToldResults,
): Promise<Line[]> {
  const text = await savedText(casesOf(program));
  return [...linesOf(text)].flatMap(([, line]) => (told.isWanted(line.line) ? [line] : []));
}
