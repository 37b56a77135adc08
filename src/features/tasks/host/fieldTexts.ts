/** A task's fields from the texts in which the page sends them. */
import * as z from 'zod';
import { append } from '../../../shared/append.ts';
import { problemsOf } from '../../../shared/experiment/problems/issues.ts';
import { readJson } from '../../../shared/experiment/text/jsonText.ts';
import { taskDraftSchema } from '../../../shared/records/task.ts';
import type { TaskField, TaskRemark } from '../contract.ts';
import type { TaskPart } from '../node/taskValues.ts';

const { prompt, tools, evaluation } = taskDraftSchema.shape;
const schemas = { prompt: prompt.min(1), tools: tools.unwrap(), evaluation };

export type FieldReading = { part: TaskPart } | { remarks: TaskRemark[] };

/** The part of a task that a field's text says, or everything that is wrong with the text. */
export function readField(field: TaskField, text: string): FieldReading {
  switch (field) {
    case 'gold':
      return { part: { gold: text.trim() === '' ? null : text } };
    case 'tools':
      if (text.trim() === '') return { part: { tools: null } };
      return read(field, text, schemas.tools, (value) => ({ tools: value }));
    case 'prompt':
      return read(field, text, schemas.prompt, (value) => ({ prompt: value, plan: '' }));
    case 'evaluation':
      return read(field, text, schemas.evaluation, (value) => ({ evaluation: value }));
  }
}

function read<T>(field: TaskField, text: string, schema: z.ZodType<T>, partOf: (value: T) => TaskPart): FieldReading {
  const reading = readJson(text, field, 1);
  const problems = reading.ok ? [] : reading.problems;
  if (reading.ok) {
    const { value, placeOf, placeOfName } = reading.json;
    const checked = schema.safeParse(value);
    if (checked.success) return { part: partOf(checked.data) };
    const json = z.toJSONSchema(schema, { io: 'input' });
    append(problems, problemsOf(checked.error.issues, { schema: json, value, placeOf, placeOfName }));
  }
  return {
    remarks: problems.map(({ message, remedy, severity }) => ({ field, severity, message, remedy })),
  };
}
