/** Answers of Ray's dashboard (Ray Jobs REST API). Unused fields are let through. */
import * as z from 'zod';

export const versionSchema = z.object({ version: z.string(), ray_version: z.string() });

/** Who may ask: older ones have no such call. */
export const authenticationSchema = z.object({ authentication_mode: z.string() });

export const submittedSchema = z.object({ submission_id: z.string() });

export const jobSchema = z.object({
  status: z.enum(['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED']),
  message: z.string().nullish(),
  error_type: z.string().nullish(),
  driver_exit_code: z.int().nullish(),
});
export type RayJob = z.infer<typeof jobSchema>;

export const logsSchema = z.object({ logs: z.string().nullable() });
export const stoppedSchema = z.object({ stopped: z.boolean() });
