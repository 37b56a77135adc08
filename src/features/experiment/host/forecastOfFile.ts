/** Time and cost of a file's run before it starts, by the heads of known runs: no server is asked. */
import * as vscode from 'vscode';
import { paceOfRuns } from '../../../runs/store/pace.ts';
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import { forecast } from '../../../shared/money/forecast.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import type { FormForecast } from '../contract.ts';

/** Milliseconds without a change after which it is computed again. */
const pause = 250;

export class ForecastOfFile {
  readonly #catalog: RunCatalog;
  readonly #document: vscode.TextDocument;
  readonly #tell: (forecast: FormForecast | null) => void;
  readonly #subscriptions: { dispose(): unknown }[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Epochs that a branch shares with its run. */
  #shared = 0;

  constructor(document: vscode.TextDocument, catalog: RunCatalog, tell: (forecast: FormForecast | null) => void) {
    this.#document = document;
    this.#catalog = catalog;
    this.#tell = tell;
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed === document) this.soon();
      }),
      catalog.onDidChangeList(() => this.soon()),
      catalog.onDidChangeRuns(() => this.soon()),
    ];
  }

  /** Of a branch only the epochs after those that it shares cost anything. */
  shares(epochs: number): void {
    this.#shared = epochs;
    this.soon();
  }

  /** After a pause in changes. */
  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), pause);
  }

  now(): void {
    const parsed = parseExperiment(this.#document.getText(), this.#document.fileName);
    if ('problems' in parsed) return;
    const { experiment } = parsed;
    const pace = paceOfRuns(
      this.#catalog.runs.map(({ head }) => head),
      experiment.endpoints,
    );
    const epochs = Math.max(1, experiment.epochs - this.#shared);
    this.#tell(pace === null ? null : forecast({ ...experiment, epochs }, pace));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
