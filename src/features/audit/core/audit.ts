/** The report of an audit of a run's reward: hints to inspect, never verdicts. */

/** The checks, in the order of the report. */
export const checkNames = ['length', 'constant', 'form', 'last-action', 'twins', 'majority'] as const;
export type CheckName = (typeof checkNames)[number];

/** One thing that was looked at. */
export interface AuditCheck {
  name: CheckName;
  /** Whether the numbers are more than chance gives. */
  hint: boolean;
  /** A sentence with the numbers it rests on. */
  words: string;
  /** How many were looked at. */
  n: number;
  /** A share, or for `length` a rank correlation; null where nothing could be measured. */
  value: number | null;
  /** 95 % interval. */
  low: number;
  high: number;
}

/** A finding: `examples` are rows of traces, 20 at most. */
export type FoundCheck = AuditCheck & { examples: readonly number[] };

/** Attempts that a hint leads to. */
export const mostExamples = 20;
