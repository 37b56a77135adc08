/** Results of a program's cases in a test run: at the line that failed, else at the case's own. */
import * as vscode from 'vscode';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import type { RewardFault } from '../../shared/rewards/outcome.ts';

/** The result of one case. */
export interface ToldResult {
  /** Of the file of cases, from 1. */
  line: number;
  name: string;
  /** Null for a case that is as it expects; causes `failed` and `unreadable` are errors, others differences. */
  wrong: { cause: string; message: string } | null;
  /** Its outcome in a few words; '' where the line holds no case. */
  given: string;
  expected: string;
  /** Its calls of the program: their output, and where they failed. */
  calls: readonly { output: string; fault: Pick<RewardFault, 'at'> | null }[];
}

export class ToldResults {
  readonly #run: vscode.TestRun;
  /** Those without a result yet, by their line. */
  readonly #left: Map<number, vscode.TestItem>;

  constructor(run: vscode.TestRun, cases: readonly (readonly [vscode.TestItem, { line: number }])[]) {
    this.#run = run;
    this.#left = new Map(cases.map(([item, { line }]) => [line, item]));
    this.#start();
  }

  isWanted(line: number): boolean {
    return this.#left.has(line);
  }

  tell({ line, name, wrong, given, expected, calls }: ToldResult): void {
    const item = this.#left.get(line);
    if (item === undefined) return;
    this.#left.delete(line);
    const printed = calls.flatMap(({ output }) => (output === '' ? [] : [output.trimEnd()]));
    const words = [`${name}: ${given === '' ? (wrong?.message ?? '') : given}`, ...printed].join('\n');
    this.#run.appendOutput(`${words}\n`.replaceAll('\n', '\r\n'), undefined, item);
    const fault = calls.findLast((call) => call.fault !== null)?.fault?.at ?? null;
    if (wrong === null) this.#run.passed(item);
    else if (wrong.cause === 'failed' || wrong.cause === 'unreadable') {
      const message = new vscode.TestMessage(wrong.message);
      this.#run.errored(item, fault === null ? at(item, message) : placed(message, fault));
    } else this.#run.failed(item, at(item, vscode.TestMessage.diff(sentence(wrong.message), expected, given)));
    this.#start();
  }

  /** None of the others could be run. */
  fail(problems: readonly Problem[]): void {
    const messages = problems.map(({ file, line, column, message, remedy }) => {
      const told = new vscode.TestMessage(`${message} ${remedy}`.trim());
      return file === '' ? told : placed(told, { file, line, column });
    });
    for (const item of this.#left.values()) this.#run.errored(item, messages);
    this.#left.clear();
  }

  skip(): void {
    for (const item of this.#left.values()) this.#run.skipped(item);
    this.#left.clear();
  }

  #start(): void {
    const [next] = this.#left.values();
    if (next !== undefined) this.#run.started(next);
  }
}

/** A message at the line of its case. */
function at({ uri, range }: vscode.TestItem, message: vscode.TestMessage): vscode.TestMessage {
  if (uri !== undefined && range !== undefined) message.location = new vscode.Location(uri, range);
  return message;
}

function placed(
  message: vscode.TestMessage,
  { file, line, column }: { file: string; line: number; column: number },
): vscode.TestMessage {
  message.location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, column - 1));
  return message;
}

const sentence = (clause: string): string => `${clause}${clause.endsWith('.') ? '' : '.'}`;
