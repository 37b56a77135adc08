import type * as z from 'zod';

/** The first thing that is wrong with a value: its field as a path with dots, '' for the value itself, and why. */
export function firstIssue({ issues: [issue] }: z.ZodError): { field: string; message: string } {
  return { field: issue?.path.join('.') ?? '', message: issue?.message ?? '' };
}
