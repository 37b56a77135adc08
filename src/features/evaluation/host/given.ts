/** Arguments of commands about evaluations: rows of trees, or a whole request. */
import * as z from 'zod';
import { endpointSchema } from '../../../shared/experiment/endpoints/endpoint.ts';
import { evaluationRequestSchema } from '../../../shared/records/evaluation.ts';

/** A run, or one of its epochs, as a row of the Runs tree is. */
const runSchema = z.object({ run: z.string(), epoch: z.int().optional() });
/** An endpoint that a person keeps. */
const endpointGivenSchema = z.object({ endpoint: z.object({ name: z.string(), endpoint: endpointSchema }) });

/** The policy, as far as a row names it. */
export const givenPolicySchema = z.union([endpointGivenSchema, runSchema]);
export type GivenPolicy = z.infer<typeof givenPolicySchema>;

/** A request that leaves nothing to ask; `folder` is carried on. */
export const givenRequestSchema = z.object({ request: evaluationRequestSchema });

/** A row of an evaluation, or its folder. */
export const givenFolderSchema = z.union([
  z.object({ folder: z.string() }),
  z.object({ head: z.object({ folder: z.string() }) }).transform(({ head }) => head),
]);
