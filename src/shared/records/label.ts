/** `attemptLabels.jsonl`: people's verdicts and labels on attempts, one line each; lines are never overwritten. */
import * as z from 'zod';

export const labelVersion = 1;

/** A word that people file attempts under: no spaces, so that a search can name it. */
export const labelNameSchema = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,39}$/u);

const personVerdicts = ['pass', 'fail'] as const;
export type PersonVerdict = (typeof personVerdicts)[number];

export const labelEventSchema = z.strictObject({
  v: z.literal(labelVersion),
  /** Milliseconds since the epoch. */
  at: z.number(),
  author: z.string(),
  /** Id of the attempt. */
  trace: z.string(),
  /** Whether the attempt solves its task, in this person's eyes; null where they do not say. */
  verdict: z.enum(personVerdicts).nullable(),
  labels: z.array(labelNameSchema).max(20),
});
/** Replaces all that its author said of the attempt before. */
export type LabelEvent = z.infer<typeof labelEventSchema>;

/** One person's verdict on an attempt, and their labels. */
export type PersonLabel = Pick<LabelEvent, 'author' | 'verdict' | 'labels'>;

/** Labels of each attempt by its id, one entry a person; events are in the order written. */
export function foldLabels(events: Iterable<LabelEvent>): Map<string, PersonLabel[]> {
  const attempts = new Map<string, Map<string, PersonLabel>>();
  for (const { trace, author, verdict, labels } of events) {
    const people = attempts.get(trace) ?? new Map<string, PersonLabel>();
    if (verdict === null && labels.length === 0) people.delete(author);
    else people.set(author, { author, verdict, labels });
    attempts.set(trace, people);
  }
  return new Map(
    [...attempts].flatMap(([trace, people]) => (people.size === 0 ? [] : [[trace, [...people.values()]]])),
  );
}

/** The verdict of all who gave one; `disputed` where they differ, null without any. */
export function verdictOf(people: readonly PersonLabel[]): PersonVerdict | 'disputed' | null {
  const verdicts = new Set(people.flatMap(({ verdict }) => verdict ?? []));
  const [first = null] = verdicts;
  return verdicts.size > 1 ? 'disputed' : first;
}
