/** The basis of a run's time and cost before it starts: the pace of known runs, and how many tasks its files hold. No server is asked. */
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { paceOfRuns } from '../../../runs/store/pace.ts';
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import type { TaskCounts } from '../../../shared/experiment/tasks/taskCounts.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { once } from '../../../host/once.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { TaskCounter } from '../../../launch/inputs/taskCounter.ts';
import type { FormBasis } from '../contract.ts';

/** Milliseconds without a change after which it is found anew. */
const pause = 250;

export interface ForecastNeeds {
  catalog: RunCatalog;
  /** The folder of built files. */
  dist: URL;
  log: Pick<vscode.LogOutputChannel, 'error'>;
}

export class ForecastOfFile {
  readonly #needs: ForecastNeeds;
  readonly #document: vscode.TextDocument;
  readonly #tell: (basis: FormBasis) => void;
  readonly #subscriptions: { dispose(): unknown }[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #counter: () => Promise<TaskCounter>;
  #isStale = false;
  /** Counts that are under way: older ones are not told. */
  #asked = 0;

  constructor(document: vscode.TextDocument, needs: ForecastNeeds, tell: (basis: FormBasis) => void) {
    this.#document = document;
    this.#needs = needs;
    this.#tell = tell;
    const { catalog, dist } = needs;
    this.#counter = once(async () => new (await import('../../../launch/inputs/taskCounter.ts')).TaskCounter(dist));
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === document) this.soon();
      }),
      // It may be one that the experiment names.
      vscode.workspace.onDidSaveTextDocument((saved) => {
        if (saved !== document) this.soon();
      }),
      catalog.onDidChangeList(() => this.soon()),
      catalog.onDidChangeRuns(() => this.soon()),
    ];
  }

  /** Another program may have changed the files. */
  recount(): void {
    this.#isStale = true;
    this.soon();
  }

  /** After a pause in changes. */
  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#now(), pause);
  }

  dispose(): void {
    this.#asked += 1;
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #now(): Promise<void> {
    const parsed = parseExperiment(this.#document.getText(), this.#document.fileName);
    if ('problems' in parsed) return;
    const { experiment } = parsed;
    const pace = paceOfRuns(
      this.#needs.catalog.runs.map(({ head }) => head),
      experiment.endpoints,
    );
    const asked = (this.#asked += 1);
    const counter = await this.#counter();
    if (this.#isStale) counter.recount();
    this.#isStale = false;
    const directory = dirname(this.#document.fileName);
    const known = counter.known(experiment, directory);
    if (asked !== this.#asked) return;
    this.#tell({ pace, counts: sent(known) });
    try {
      const counts = await counter.count(experiment, directory);
      if (asked === this.#asked && !isDeepStrictEqual(counts, known)) this.#tell({ pace, counts: sent(counts) });
    } catch (error) {
      // The form tells the rest of the work all the same.
      this.#needs.log.error(`${this.#document.fileName}: ${messageOf(error)}`);
    }
  }
}

const sent = ({ base, heldOut, evaluation }: TaskCounts): FormBasis['counts'] => ({
  ...{ base: Object.fromEntries(base), heldOut: Object.fromEntries(heldOut), evaluation },
});
