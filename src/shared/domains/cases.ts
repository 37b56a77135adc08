/** Worked cases of a domain file: calls whose outcome is known, one JSON object a line in `NAME.domain.cases.jsonl`. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { parseOrUndefined } from '../json.ts';
import { taskDraftSchema } from '../records/task.ts';
import { rewardTaskSchema, rewardTraceSchema } from '../rewards/given.ts';
import { firstIssue } from '../firstIssue.ts';
import { withoutMark } from '../text/byteOrderMark.ts';

const common = {
  v: z.literal(1),
  /** Its name for people. */
  note: z.string().default(''),
};

/** In the reason; any is right without it. */
const reason = z.string().optional();

const draftSchema = taskDraftSchema.pick({ prompt: true, tools: true, evaluation: true, gold: true }).extend({
  evaluation: taskDraftSchema.shape.evaluation.default({ kind: 'domain' }),
  gold: taskDraftSchema.shape.gold.default(null),
  plan: z.string().default(''),
});

const parseCaseSchema = z.strictObject({
  ...common,
  call: z.literal('parse'),
  text: z.string(),
  plan: z.string().default(''),
  /** That the text varies; the first seed task of the domain without it. */
  seed: rewardTaskSchema.optional(),
  expected: z.union([
    z.strictObject({
      accepted: z.literal(true),
      /** Any is right without it. */
      gold: taskDraftSchema.shape.gold.optional(),
    }),
    z.strictObject({ accepted: z.literal(false), reason }),
  ]),
});

const verifyCaseSchema = z.strictObject({
  ...common,
  call: z.literal('verify'),
  task: draftSchema,
  expected: z.union([
    z.strictObject({ verified: z.literal(true) }),
    z.strictObject({ verified: z.literal(false), reason }),
  ]),
});

const judgeCaseSchema = z.strictObject({
  ...common,
  call: z.literal('judge'),
  task: rewardTaskSchema,
  trace: rewardTraceSchema,
  expected: z.strictObject({
    success: z.boolean(),
    /** Any reward is right without it. */
    reward: z.number().min(0).max(1).optional(),
    tolerance: z.number().min(0).default(1e-6),
  }),
});

const domainCaseSchema = z.discriminatedUnion('call', [parseCaseSchema, verifyCaseSchema, judgeCaseSchema]);
export type DomainCase = z.infer<typeof domainCaseSchema>;

/** A case, or why the line holds none; lines from 1. */
export type DomainCaseLine = { line: number; case: DomainCase } | { line: number; fault: string };

/** A case's name for people. */
export function domainCaseName(one: DomainCase): string {
  if (one.note !== '') return one.note;
  const of = one.call === 'parse' ? one.text : one.call === 'verify' ? one.task.prompt.at(-1)?.content : one.task.id;
  return `${one.call} ${(of ?? '').replaceAll(/\s+/g, ' ').slice(0, 60)}`;
}

export function* readDomainCases(text: string): Generator<DomainCaseLine> {
  for (const [index, content] of withoutMark(text).split('\n').entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    const value = parseOrUndefined(content);
    const read = domainCaseSchema.safeParse(value);
    if (read.success) yield { line, case: read.data };
    else if (value === undefined) yield { line, fault: l10n.t('The line is no JSON.') };
    else {
      const { field, message } = firstIssue(read.error);
      yield { line, fault: `${field}: ${message}.` };
    }
  }
}
