/** Names of weights in a journal, and where an endpoint finds them again. */
import * as z from 'zod';

export const policyVersionSchema = z.strictObject({ name: z.string(), handle: z.string() });
export const checkpointSchema = z.strictObject({ name: z.string(), handle: z.string() });

/** Of both policies. */
export const bothVersionsSchema = z.strictObject({ agent: policyVersionSchema, environment: policyVersionSchema });
export const bothCheckpointsSchema = z.strictObject({ agent: checkpointSchema, environment: checkpointSchema });
