/** Tests a domain file on its seed tasks at each save: problems that a run would have are reported at their lines. */
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { checkDomain } from '../../../domains/checkDomain.ts';
import { openDomainTrial, soloExperiment } from '../node/openTrial.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import { append } from '../../../shared/append.ts';
import { problemsByFile } from '../../../host/fileProblems.ts';
import { placed } from './trial/trialProblems.ts';

interface CheckNeeds {
  /** The folder of built files. */
  dist: URL;
  problems: vscode.DiagnosticCollection;
}

export class DomainChecks {
  readonly #needs: CheckNeeds;
  /** Under way; `again` where the file was saved once more meanwhile. */
  readonly #running = new Map<string, { again: boolean }>();

  constructor(needs: CheckNeeds) {
    this.#needs = needs;
  }

  /** One check of a file at a time: the last one belongs to the last saved text. */
  async check(domain: vscode.Uri): Promise<void> {
    const key = domain.toString();
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const own = { again: false };
    this.#running.set(key, own);
    try {
      let found = await problemsOf(domain, this.#needs.dist);
      while (takenBack(own)) found = await problemsOf(domain, this.#needs.dist);
      this.#needs.problems.delete(domain);
      problemsByFile(this.#needs.problems, found);
    } finally {
      this.#running.delete(key);
    }
  }
}

/** Whether another check was requested meanwhile; several requests count once. */
function takenBack(running: { again: boolean }): boolean {
  const { again } = running;
  running.again = false;
  return again;
}

/** With the default limits. */
async function problemsOf(domain: vscode.Uri, dist: URL): Promise<readonly Problem[]> {
  try {
    const left: Problem[] = [];
    const solo = soloExperiment(domain.fsPath);
    const trial = await openDomainTrial(solo, dirname(domain.fsPath), dist, ({ leftOut }) => append(left, leftOut));
    try {
      const { domain: file, functions, exported, base, heldOut, heldOutLike } = trial;
      const tasks = [...base, ...heldOut];
      const { problems } = await checkDomain({ domain: file, functions, exported, heldOutLike, tasks, texts: null });
      return [...left, ...(await placed(domain, problems))];
    } finally {
      trial.close();
    }
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}
