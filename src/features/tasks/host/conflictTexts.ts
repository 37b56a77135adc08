/** Conflicts as the page shows them: each field as two texts. */
import { isUndecided, type Conflict } from '../node/unsaved/conflicts.ts';
import { readFileLine } from '../node/fileLine.ts';
import { lineOf } from '../node/unsaved/unsavedEdits.ts';
import type { TaskPart, ValueName } from '../node/taskValues.ts';
import type { TaskConflict, TaskConflicts } from '../contract.ts';
import type { TasksDocument } from './tasksDocument.ts';

/** More are too many to decide one by one. */
const mostShown = 100;

export function conflictsOf(document: TasksDocument): TaskConflicts {
  const { conflicts } = document;
  return {
    shown: conflicts.slice(0, mostShown).map((conflict) => shownConflict(conflict, document.mineOf(conflict))),
    count: conflicts.length,
    undecided: conflicts.filter(isUndecided).length,
  };
}

function shownConflict({ key, id, fields, theirs, gone }: Conflict, mine: TaskPart): TaskConflict {
  return {
    ...{ key, id, gone: gone !== null },
    fields: fields.map(({ name, choice }) =>
      name === 'task'
        ? { name, choice, mine: gone === null ? '' : taskText(lineOf(gone)), theirs: '' }
        : { name, choice, mine: textOf(name, mine), theirs: textOf(name, theirs) },
    ),
  };
}

function textOf(name: ValueName, { prompt, tools, evaluation, gold, plan, excluded, tags }: TaskPart): string {
  switch (name) {
    case 'prompt':
      return (prompt ?? []).map(({ role, content }) => `${role}: ${content}`).join('\n');
    case 'tools':
      return tools == null ? '' : JSON.stringify(tools, null, 2);
    case 'evaluation':
      return JSON.stringify(evaluation, null, 2);
    case 'gold':
      return gold ?? '';
    case 'plan':
      return plan ?? '';
    case 'excluded':
      return excluded ?? '';
    case 'tags':
      return (tags ?? []).join(' ');
  }
}

function taskText(line: string): string {
  const { task } = readFileLine(line, 0);
  return [textOf('prompt', { prompt: task.prompt }), task.gold ?? ''].filter((text) => text !== '').join('\n');
}
