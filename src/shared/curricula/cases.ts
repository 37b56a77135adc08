/** Worked cases of a curriculum file: families whose rewards are known, one JSON object a line in `NAME.curriculum.cases.jsonl`. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { parseOrUndefined } from '../json.ts';
import { defined } from '../defined.ts';
import { firstIssue } from '../firstIssue.ts';
import { withoutMark } from '../text/byteOrderMark.ts';
import {
  curriculumEpochSchema,
  curriculumTaskSchema,
  familyOf,
  type CurriculumEpoch,
  type CurriculumFamily,
} from './given.ts';

/** `10-`: solved, not solved, not judged. */
const outcomes = z
  .string()
  .regex(/^[01-]*$/, { error: () => l10n.t('a text of 1 (solved), 0 (not solved) and - (not judged)') });

const taskSchema = curriculumTaskSchema.partial().extend({
  attempts: z.union([outcomes, curriculumTaskSchema.shape.attempts]),
});

const familySchema = z.strictObject({
  id: z.string().optional(),
  seed: z.string().nullable().default(null),
  plan: z.string().default(''),
  tasks: z.array(taskSchema).min(1),
});

const reward = z.number().nullable();

const caseSchema = z.strictObject({
  v: z.literal(1),
  note: z.string().default(''),
  families: z.array(familySchema),
  epoch: curriculumEpochSchema.partial().default({}),
  /** One a family; a list is one a task. */
  expected: z.array(z.union([reward, z.array(reward)])),
  tolerance: z.number().min(0).default(1e-6),
});
export type CurriculumCase = z.infer<typeof caseSchema>;

/** A case, or why the line holds none; lines from 1. */
export type CurriculumCaseLine = { line: number; case: CurriculumCase } | { line: number; fault: string };

/** A case's name for people. */
export const curriculumCaseName = ({ note, families }: CurriculumCase): string => {
  if (note !== '') return note;
  const told = families.flatMap(({ tasks }) =>
    tasks.map(({ attempts }) => (typeof attempts === 'string' ? attempts : '…')),
  );
  return told.join(' ').slice(0, 60);
};

/** Its families and its epoch as the function is given them. */
export function givenOf({ families, epoch }: CurriculumCase): { families: CurriculumFamily[]; epoch: CurriculumEpoch } {
  return {
    families: families.map(({ id, seed, plan, tasks }, i): CurriculumFamily => {
      const family = id ?? `family${i + 1}`;
      return familyOf({
        ...{ id: family, seed, plan },
        tasks: tasks.map(({ attempts, ...given }, j) => ({
          ...{ id: `${family}.task${j + 1}`, family, epoch: epoch.epoch ?? 1, prompt: [] },
          ...{ evaluation: { kind: 'text' }, gold: null, seed, plan, difficulty: {} },
          ...defined(given),
          attempts: typeof attempts === 'string' ? attempts.split('').map(attemptOf) : attempts,
        })),
      });
    }),
    epoch: { epoch: 1, alpha: 0.5, beta: 2, kMin: 0.25, seed: 1, ...defined(epoch) },
  };
}

const attemptOf = (sign: string) => ({
  success: sign === '-' ? null : sign === '1',
  reward: sign === '-' ? null : Number(sign),
  answer: '',
  stopReason: 'stop' as const,
});

export function* readCurriculumCases(text: string): Generator<CurriculumCaseLine> {
  for (const [index, content] of withoutMark(text).split('\n').entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    const value = parseOrUndefined(content);
    const read = caseSchema.safeParse(value);
    if (read.success) yield { line, case: read.data };
    else if (value === undefined) yield { line, fault: l10n.t('The line is no JSON.') };
    else {
      const { field, message } = firstIssue(read.error);
      yield { line, fault: `${field}: ${message}.` };
    }
  }
}
