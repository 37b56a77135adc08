/** Tasks that another program wrote, as a task file that an experiment can name (`domain.seeds`). */
import { taskContent } from '../../shared/records/taskContent.ts';
import * as l10n from '@vscode/l10n';
import { outOfRange } from '../../shared/outOfRange.ts';
import type { Task } from '../../shared/records/task.ts';
import { idsInRuns } from '../../shared/records/idInFile.ts';
import { parseTaskFile } from '../../shared/records/taskFile.ts';
import { handEditsOf } from './handEdits.ts';
import { exportFile } from '../export/exportFile.ts';
import { writeJsonLines } from '../export/writeJsonLines.ts';
import { RunError } from '../store/runError.ts';
import { rowsOf } from './rows.ts';
import { taskOfRow, type Columns, type NoTask } from './taskOfRow.ts';

const reasons = {
  'no-prompt': (): string => l10n.t('no prompt was found: name its column with --prompt'),
  'no-evaluation': (): string => l10n.t('it does not say how an answer is judged: give --evaluation KIND'),
  'json-gold': (): string =>
    l10n.t(
      'its gold is JSON, and the rule compares with texts: name another column with --gold, or give --evaluation json',
    ),
  attempt: (): string => l10n.t('an attempt is no task'),
  rejected: (): string => l10n.t('the run that wrote it rejected it'),
  excluded: (): string => l10n.t('people took it out of the pools of its run'),
  'held-out': (): string => l10n.t('it is marked as held out: tasks that measure are not trained on'),
  'same-task': (): string => l10n.t('the same task stands before it'),
  'same-id': (): string => l10n.t('another task with the same id stands before it'),
  unfit: (): string => l10n.t('it does not fit the form of a task'),
  unjudged: (): string => l10n.t('no answer to it can be judged'),
} as const satisfies Record<NoTask | 'json-gold' | 'same-task' | 'same-id' | 'unfit' | 'unjudged', () => string>;
type Reason = keyof typeof reasons;

interface LeftOutRows {
  why: string;
  count: number;
  /** Row numbers of the first few, as in the file; for an invalid row with its fault. */
  examples: string[];
}

export interface ImportedTasks {
  tasks: number;
  leftOut: LeftOutRows[];
}

const examplesKept = 3;
/** Columns of a file that a message about a missing one names. */
const namesTold = 20;

export interface TaskImport {
  /** The file to read and the file to write, absolute. */
  from: string;
  file: string;
  columns: Columns;
  /** Why a task can never be judged; null where nothing is wrong. */
  faultOf: (task: Task) => Promise<string | null>;
  /** The folder of built files. */
  dist: URL;
}

/** Writes the task file when every row was read. @throws RunError, also `format` when no row is a task */
export async function importTasks({ from, file, columns, faultOf, dist }: TaskImport): Promise<ImportedTasks> {
  const leftOut = new Map<Reason, LeftOutRows>();
  const leave = (reason: Reason, example: string): void => {
    const line = leftOut.get(reason) ?? { why: reasons[reason](), count: 0, examples: [] };
    line.count += 1;
    if (line.examples.length < examplesKept) line.examples.push(example);
    leftOut.set(reason, line);
  };
  const seen = new Map<string, number>();
  const idColumns = new Set<string>();
  const names = new Set<string>();
  async function* tasks() {
    const edits = await handEditsOf(from);
    for await (const { row, at, written } of rowsOf(from, dist)) {
      for (const name of Object.keys(row)) names.add(name);
      const read = edits === null ? taskOfRow(row, columns, written) : taskOfRow(edits(row), columns);
      if (typeof read === 'string') {
        leave(read, read === 'rejected' ? l10n.t('row {0}: {1}', at, String(row['cause'])) : l10n.t('row {0}', at));
        continue;
      }
      if ('goldColumn' in read) {
        leave('json-gold', l10n.t('row {0}: {1}', at, read.goldColumn));
        continue;
      }
      const { line: task, idColumn } = read;
      const id = typeof task['id'] === 'string' ? task['id'] : `r${at}`;
      const line = { ...task, id };
      const checked = parseTaskFile(JSON.stringify(line), from, 'base');
      if ('problems' in checked) {
        const [problem] = checked.problems;
        leave('unfit', l10n.t('row {0}: {1}', at, problem === undefined ? '' : `${problem.field}: ${problem.message}`));
        continue;
      }
      const fault = await faultOf(checked.tasks[0] ?? outOfRange());
      if (fault !== null) {
        leave('unjudged', l10n.t('row {0}: {1}', at, fault));
        continue;
      }
      const { prompt, tools, evaluation, gold } = task;
      const content = taskContent({ prompt, tools, evaluation, gold });
      const twin = seen.get(content);
      const namesake = idsInRuns(id)
        .map((one) => seen.get(one))
        .find(Number.isInteger);
      if (twin !== undefined) leave('same-task', l10n.t('row {0}, as in row {1}', at, twin));
      else if (namesake !== undefined) {
        leave('same-id', l10n.t('row {0}: “{1}”, as in row {2}', at, id, namesake));
        if (idColumn !== null) idColumns.add(idColumn);
      } else {
        yield line;
        seen.set(content, at);
        for (const one of idsInRuns(id)) seen.set(one, at);
      }
    }
  }
  return await exportFile(file, async (out) => {
    const count = await writeJsonLines(tasks(), out);
    for (const name of [columns.prompt, columns.gold]) {
      if (name !== null && names.size > 0 && !names.has(name)) throw noColumn(from, name, [...names]);
    }
    const namesakes = leftOut.get('same-id')?.count ?? 0;
    if (namesakes > count) throw sharedIds(from, [...idColumns], { namesakes, count });
    const lines = [...leftOut.values()].sort((a, b) => b.count - a.count);
    if (count > 0) return { tasks: count, leftOut: lines };
    const [most] = lines;
    throw new RunError('format', {
      path: from,
      what:
        most === undefined
          ? l10n.t('the file has no rows')
          : l10n.t('no row is a task: {0} ({1})', most.why, most.examples.join('; ')),
      remedy: l10n.t('See docs/data.md for the forms that are read.'),
    });
  });
}

function noColumn(path: string, name: string, names: readonly string[]): RunError {
  const more = names.length > namesTold ? ' …' : '';
  return new RunError('format', {
    path,
    what: l10n.t('no row has the column “{0}”', name),
    remedy: l10n.t('Name one of these: {0}.', names.slice(0, namesTold).join(', ') + more),
  });
}

/** Most tasks would be lost without a word that everybody reads. */
function sharedIds(
  path: string,
  columns: readonly string[],
  { namesakes, count }: { namesakes: number; count: number },
): RunError {
  const names = columns.join(', ');
  return new RunError('format', {
    path,
    what: l10n.t('{0} of {1} tasks have the id of another one (column {2})', namesakes, namesakes + count, names),
    remedy: l10n.t('Rename that column, or remove it: a task without an id is called by its row.'),
  });
}
