/** The run that an experiment file was made from, to branch or to rerun it, and the way to make the branch. */
import * as vscode from 'vscode';
import { sharedSpending } from '../../../runs/journal/sharedSpending.ts';
import { branchableEpochs } from '../../../runs/store/branch.ts';
import { branchedExperiment, namedFields } from '../../../shared/experiment/branched.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { keepOrigin, originOf, type DraftOrigin } from '../../../host/runs/draftOrigins.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import type { RunCatalog, RunService } from '../../../host/runs/runs.ts';
import { settingsAt } from '../../../host/runs/settingsAt.ts';
import type { FormBranch } from '../contract.ts';

export interface BranchOfFileDeps {
  catalog: RunCatalog;
  service: RunService;
  folders: RunFolders;
  memory: vscode.Memento;
}

/** Why no branch was made. */
class BranchError extends Error {
  override readonly name = 'BranchError';
  readonly reason = 'cannot-branch';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** `reward.file` of `reward.file="mine.reward.ts"`. */
const pathOf = (change: string): string => change.split('=')[0]?.trim() ?? '';

export class BranchOfFile {
  readonly #path: string;
  readonly #deps: BranchOfFileDeps;

  constructor(path: string, deps: BranchOfFileDeps) {
    this.#path = path;
    this.#deps = deps;
  }

  /** Null where the file is no draft of a branch. */
  get #origin(): (DraftOrigin & { epoch: number }) | null {
    const origin = originOf(this.#deps.memory, this.#path);
    return origin === null || origin.epoch === null ? null : { ...origin, epoch: origin.epoch };
  }

  /** The name of the run that the file begins anew; null where it was not made to rerun one, or that run is gone. */
  async rerunOf(): Promise<string | null> {
    const origin = originOf(this.#deps.memory, this.#path);
    if (origin === null || origin.epoch !== null) return null;
    return (await this.#known(origin))?.head.name ?? null;
  }

  /** @returns null where the file is no draft of a branch, or its run is gone */
  async read(): Promise<FormBranch | null> {
    const origin = this.#origin;
    const known = origin === null ? undefined : await this.#known(origin);
    if (origin === null || known === undefined) return null;
    const { run, epoch, reward } = origin;
    const { folders } = this.#deps;
    const experiment = await settingsAt(folders, run, epoch);
    const shared = await folders.reading(run, (reader) => sharedSpending(reader.events(), epoch));
    return { name: known.head.name, epoch, reward, epochs: await branchableEpochs(run), shared, experiment };
  }

  async choose(epoch: number): Promise<void> {
    const origin = this.#origin;
    if (origin !== null) await keepOrigin(this.#deps.memory, this.#path, { ...origin, epoch });
  }

  /**
   * Makes the branch, and continues it.
   * @param changes the form's differences from the run: `curriculum.alpha=0.4`
   * @throws BranchError
   */
  async make(changes: readonly string[], name: string | null): Promise<void> {
    const origin = this.#origin;
    if (origin === null) return;
    const { service, folders } = this.#deps;
    const before = await settingsAt(folders, origin.run, origin.epoch);
    const given = new Set(changes.map(pathOf));
    const overrides = [
      ...(origin.reward === null || given.has('reward.file') ? [] : [`reward.file=${JSON.stringify(origin.reward)}`]),
      ...changes,
      ...(name === null || name === before.name ? [] : [`name=${JSON.stringify(name)}`]),
    ];
    const asked = { experiment: checked(before, overrides, origin.epoch), named: namedFields(overrides) };
    const title = vscode.l10n.t('Branching “{0}”…', before.name);
    const location = vscode.ProgressLocation.Notification;
    const run = await vscode.window.withProgress({ location, title }, () =>
      service.branch(origin.run, origin.epoch, asked),
    );
    await vscode.commands.executeCommand('genenv.resumeRun', { run });
    await vscode.commands.executeCommand('genenv.openCalibration', { run });
  }

  async #known({ run }: DraftOrigin) {
    const { catalog } = this.#deps;
    await catalog.ready;
    return catalog.get(run);
  }
}

function checked(before: Experiment, overrides: readonly string[], epoch: number): Experiment {
  const judged = branchedExperiment(before, overrides, epoch);
  if (!('problems' in judged)) return judged.experiment;
  const [problem] = judged.problems;
  throw new BranchError(problem?.message ?? '', problem?.remedy ?? '');
}
