/** A proposal: one file of the workspace as a coding agent would have it, for a person to decide. */
import * as z from 'zod';

const proposalKinds = ['experiment', 'study', 'reward', 'tasks'] as const;
export type ProposalKind = (typeof proposalKinds)[number];

/** UTF-16 units of a proposed text. */
export const longestProposal = 1_000_000;

export const proposalSchema = z.strictObject({
  v: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]{1,60}$/),
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  /** The program that proposed it, by its own account. */
  by: z.string().max(200),
  /** From the workspace folder, with `/`. */
  file: z.string().min(1).max(500),
  kind: z.enum(proposalKinds),
  /** SHA-256 of the file’s bytes when it was proposed, hexadecimal; null where there was no file. */
  base: z.string().nullable(),
  /** The whole file as it would be; empty once it is answered. */
  text: z.string().max(longestProposal),
  why: z.string().max(2000),
  /** Null while it waits for a person. */
  answer: z.enum(['accepted', 'refused']).nullable(),
});
/** `proposals/ID.json` beside the folder of runs. */
export type Proposal = z.infer<typeof proposalSchema>;
