/** How answers to imported tasks are judged: what a person writes, made whole, and whether a task can be judged so. */
import * as z from 'zod';
import { ScorerTable } from '../../../benchmarks/scorerTable.ts';
import type { AnswerKind } from '../../../shared/adapters/answer.ts';
import type { ScorerKind } from '../../../shared/adapters/scorer.ts';
import { answerStarts, scorerStarts } from '../../../shared/adapters/starts.ts';
import { parseSaid } from '../../../shared/json.ts';
import type { Task } from '../../../shared/records/task.ts';

/** How the answer is read where nothing says it; the other rules read answers in a way of their own. */
const answers: Partial<Record<ScorerKind, AnswerKind>> = {
  ...{ exact: 'text', contains: 'text', number: 'final-number', 'token-f1': 'text', 'rouge-l': 'text' },
  ...{ json: 'json', 'json-schema': 'json', 'tool-calls': 'tool-calls', bamboogle: 'between' },
  ...{ toolrl: 'text', bfcl: 'text', 'bfcl-relevance': 'text', 'alfworld-steps': 'text' },
};

const givenSchema = z.looseObject({ kind: z.string() });
type Evaluation = z.infer<typeof givenSchema>;

const isKind = (kind: string): kind is ScorerKind => Object.hasOwn(scorerStarts, kind);

export const evaluationKinds: readonly string[] = Object.keys(scorerStarts);

/** Of a rule's name, or of JSON with some of its options; the others are those that forms begin with. Null for neither. */
export function evaluationOf(text: string): Evaluation | null {
  const given = text.trim().startsWith('{') ? givenSchema.safeParse(parseSaid(text)).data : { kind: text.trim() };
  if (given === undefined || !isKind(given.kind)) return null;
  const answer = answers[given.kind];
  return { ...scorerStarts[given.kind], ...(answer !== undefined && { answer: answerStarts[answer] }), ...given };
}

/** Why no answer to a task can be judged, as an experiment that names it would say. */
export function taskFaults(): (task: Task) => Promise<string | null> {
  const tables = new Map<string, ScorerTable>();
  return async (task) => {
    const { kind } = task.evaluation;
    const table = tables.get(kind) ?? (await ScorerTable.open([kind]));
    tables.set(kind, table);
    return table.fault(task);
  };
}
