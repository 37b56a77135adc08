import * as z from 'zod';

/** Tokens by a server's own count, where it returns no ids. */
export const tokenCountsSchema = z.strictObject({ prompt: z.int().nonnegative(), answer: z.int().nonnegative() });
export type TokenCounts = z.infer<typeof tokenCountsSchema>;
