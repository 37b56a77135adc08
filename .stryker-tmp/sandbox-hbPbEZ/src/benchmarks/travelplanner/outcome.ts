/** Whether a plan keeps a constraint (null: the query sets none) and why not, as the official program words it. */
export type Outcome = readonly [holds: boolean | null, reason: string | null];

export const holds: Outcome = [true, null];
export const unset: Outcome = [null, null];
export const broken = (reason: string): Outcome => [false, reason];
