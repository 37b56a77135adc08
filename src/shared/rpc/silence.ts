import * as z from 'zod';

/** `Silence` on its way to a page or to a runner. */
export const silenceSchema = z.object({ url: z.string(), seconds: z.number(), what: z.string() });
