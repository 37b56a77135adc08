/** Everything that is wrong with a task file's text. */
import * as l10n from '@vscode/l10n';
import { append } from '../../../../shared/append.ts';
import type { Problem } from '../../../../shared/experiment/problems/problem.ts';
import { parseTaskFile, type TaskFile } from '../../../../shared/records/taskFile.ts';
import { openFileJudge } from '../../../../launch/scoring/openFileJudge.ts';
import { Breather } from '../../../../runs/files/breather.ts';
import { once } from '../../../../host/once.ts';

const judge = once(openFileJudge);

/**
 * By line, with the messages of a run that reads the file as its seed tasks, and the faults found by each task's rule.
 */
export async function taskFileProblems(text: string, path: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  const read = readable(text, path, problems);
  const { verify, fingerprint, seeds } = await judge();
  const heldOut = new Map(seeds('validation').map((task) => [fingerprint(task), task.id]));
  const breather = new Breather();
  for (const [i, task] of read.tasks.entries()) {
    await breather.breathe();
    const place = { file: path, line: read.lines[i] ?? 1, column: 1 };
    const verified = verify(task);
    if (!verified.ok) {
      const field = verified.cause === 'gold' ? 'gold' : 'prompt';
      const remedy = l10n.t('Correct the task, or take it out.');
      problems.push({
        ...place,
        field,
        severity: 'error',
        message: l10n.t('It does not verify: {0}.', verified.note),
        remedy,
      });
    }
    const held = heldOut.get(fingerprint(task));
    if (held === undefined) continue;
    const message = l10n.t('It is the held-out task {0}: training on it would spoil the measurement.', held);
    problems.push({ ...place, field: 'prompt', severity: 'error', message, remedy: l10n.t('Take it out.') });
  }
  return problems.sort((a, b) => a.line - b.line);
}

/** The lines that are tasks; faults of the others go to `problems`. */
function readable(text: string, path: string, problems: Problem[]): Extract<TaskFile, { tasks: unknown }> {
  const read = parseTaskFile(text, path, 'base');
  if (!('problems' in read)) {
    append(problems, read.leftOut);
    return read;
  }
  append(problems, read.problems);
  const bad = new Set(read.problems.filter(({ severity }) => severity === 'error').map(({ line }) => line));
  // Blank lines keep the others where they stand.
  const rest = text.split('\n').map((line, i) => (bad.has(i + 1) ? '' : line));
  const again = parseTaskFile(rest.join('\n'), path, 'base');
  return 'problems' in again ? { tasks: [], lines: [], leftOut: [] } : again;
}
