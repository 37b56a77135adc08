import { basename } from 'node:path';
import type * as vscode from 'vscode';
import type { CaseResult } from '../../../../rewards/testCases.ts';
import type { CaseLine } from '../../../../shared/rewards/cases.ts';
import { scoreLines } from '../scoreLines.ts';
import { tellBroken, tellCase } from './caseVerdict.ts';

/** Cases of one reward in a test run, reported one after another. */
export class ToldCases {
  readonly #run: vscode.TestRun;
  readonly #name: string;
  /** Those without a result yet, by their line. */
  readonly #left: Map<number, { item: vscode.TestItem; line: CaseLine }>;

  constructor(run: vscode.TestRun, reward: vscode.Uri, cases: readonly (readonly [vscode.TestItem, CaseLine])[]) {
    this.#run = run;
    this.#name = basename(reward.path);
    this.#left = new Map(cases.map(([item, line]) => [line.line, { item, line }]));
    this.#start();
  }

  /** In the order of their lines. */
  get left(): CaseLine[] {
    return [...this.#left.values()].map(({ line }) => line);
  }

  tell(result: CaseResult): void {
    const told = this.#left.get(result.line);
    if (told === undefined) return;
    this.#left.delete(result.line);
    const { item, line } = told;
    const { name, outcome } = result;
    if ('fault' in line || outcome === null) tellBroken(this.#run, item, result.wrong ?? '');
    else {
      const lines = scoreLines(this.#name, { name, before: null, document: null, outcome });
      this.#run.appendOutput(`${lines.join('\n')}\n\n`.replaceAll('\n', '\r\n'), undefined, item);
      tellCase(this.#run, item, line.case, result);
    }
    this.#start();
  }

  /** None of the others could be judged. */
  fail(messages: readonly vscode.TestMessage[]): void {
    for (const { item } of this.#left.values()) this.#run.errored(item, messages);
    this.#left.clear();
  }

  skip(): void {
    for (const { item } of this.#left.values()) this.#run.skipped(item);
    this.#left.clear();
  }

  #start(): void {
    const [next] = this.#left.values();
    if (next !== undefined) this.#run.started(next.item);
  }
}
