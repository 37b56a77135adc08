/** Any thrown value as an exit code and a message with a remedy. */
import { OptionError } from '../benchmarks/offline/offlineScorer.ts';
import { DataError } from '../launch/adapters/dataError.ts';
import { EvaluationError } from '../features/evaluation/node/evaluationError.ts';
import { InputError } from '../launch/inputs/inputError.ts';
import { MakeTasksError } from '../features/makeTasks/node/makeTasksError.ts';
import { ReattemptError } from '../launch/policies/reattemptError.ts';
import { TaskEditError } from '../launch/taskEdits.ts';
import { ChangeError } from '../runs/journal/requestChange.ts';
import { PlayError } from '../features/play/node/playError.ts';
import { PoolError } from '../features/pools/node/poolError.ts';
import { TalkError } from '../features/talk/core/talkError.ts';
import { SavesError } from '../features/saves/node/savesError.ts';
import { RunnerError } from '../features/runner/node/runnerError.ts';
import { RunError, type RunErrorReason } from '../runs/store/runError.ts';
import { isError, type Problem } from '../shared/experiment/problems/problem.ts';
import { defined } from '../shared/defined.ts';
import { exitCode, type ExitCode } from './exitCode.ts';
import { FewOfAKind } from './show/fewOfAKind.ts';
import { writeLines, type Stream } from './terminal.ts';
import { plural } from '../shared/text/figures/numbers.ts';
import { style } from './text/style.ts';
import { onOneLine, Styled, styled, type Printable } from './text/styled.ts';
import { UsageError } from './usageError.ts';

export interface Failure {
  code: ExitCode;
  reason: string;
  message: string;
  problems?: readonly Problem[];
}

/** Errors of the machine, not of the user's input. */
const machine: readonly RunErrorReason[] = ['disk-full', 'unwritable', 'unreadable', 'closed'];

export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { code: exitCode.badInput, reason: error.reason, message: `${error.message} ${error.remedy}`.trim() };
  }
  if (error instanceof InputError) {
    const { reason, problems } = error;
    const errors = problems.filter(isError).length;
    return { code: exitCode.badInput, reason, message: `${plural(errors, 'error')} in the input.`, problems };
  }
  if (error instanceof EvaluationError || error instanceof DataError || error instanceof OptionError) {
    return { code: exitCode.badInput, reason: error.reason, message: `${error.message} ${error.remedy}`.trim() };
  }
  if (
    ChangeError.is(error) ||
    error instanceof TaskEditError ||
    error instanceof ReattemptError ||
    error instanceof PlayError ||
    error instanceof PoolError ||
    error instanceof TalkError ||
    error instanceof SavesError ||
    error instanceof MakeTasksError
  ) {
    return { code: exitCode.badInput, reason: error.reason, message: `${error.message} ${error.remedy}`.trim() };
  }
  if (RunnerError.is(error)) {
    const code = error.reason === 'held' ? exitCode.badInput : exitCode.failed;
    return { code, reason: error.reason, message: `${error.message} ${error.remedy}`.trim() };
  }
  if (RunError.is(error)) {
    const code = machine.includes(error.reason) ? exitCode.failed : exitCode.badInput;
    return { code, reason: error.reason, message: error.message };
  }
  if (error instanceof Error) {
    const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : 'unexpected';
    // An error without a reason is a bug of ours; its report needs the stack.
    const message = reason === 'unexpected' ? (error.stack ?? error.message) : error.message;
    return { code: exitCode.failed, reason, message };
  }
  return { code: exitCode.failed, reason: 'unexpected', message: String(error) };
}

/** On stderr, as JSON where a program reads it. */
export function writeFailure(err: Stream, { reason, message, problems }: Failure, json: boolean): void {
  if (json) {
    const error = { reason, message, ...defined({ problems }) };
    err.write(Styled.json(`${JSON.stringify({ error })}\n`));
    return;
  }
  if (problems !== undefined) writeLines(err, fewProblemLines(problems));
  err.write(styled`${style.bad('genenv:')} ${message}\n`);
}

/** `file:line:column: error: message`, as compilers and editors write and read it; the remedy below. */
export function problemLines(problems: readonly Problem[]): Printable[] {
  return problems.flatMap(({ file, line, column, severity, message, remedy }) => {
    const place = file.startsWith('--set ') ? file : `${file}:${line}:${column}`;
    const kind = severity === 'error' ? style.bad('error') : style.warn('warning');
    return [styled`${style.bold(onOneLine(place))}: ${kind}: ${message}`, ...(remedy === '' ? [] : [`    ${remedy}`])];
  });
}

/** The same, where thousands of lines of one file may have the same fault: the first few of each kind. */
export function fewProblemLines(problems: readonly Problem[]): Printable[] {
  const few = new FewOfAKind();
  const lines = problemLines(problems.filter((problem) => few.add(problem)));
  return [...lines, ...few.others];
}
