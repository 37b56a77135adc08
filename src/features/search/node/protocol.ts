/** Messages between `SearchClient` and its worker thread. A search streams hits before its end. */
import * as z from 'zod';
import { searchHitSchema, searchSummarySchema } from '../contract/searchHit.ts';

const search = { id: z.int().nonnegative() };

export const toWorkerSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...search,
    type: z.literal('search'),
    /** The run's folder. */
    dir: z.string(),
    /** As typed; it can be read. */
    text: z.string(),
    limit: z.int().positive(),
  }),
  /** Gives up a search; its end still comes, early. */
  z.strictObject({ ...search, type: z.literal('cancel') }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...search, type: z.literal('hits'), hits: z.array(searchHitSchema) }),
  /** 0…1 of the records. */
  z.strictObject({ ...search, type: z.literal('progress'), share: z.number() }),
  z.strictObject({ ...search, type: z.literal('done'), summary: searchSummarySchema }),
  z.strictObject({ ...search, type: z.literal('failed'), message: z.string() }),
  /** Of the work between searches: it is not needed for any. */
  z.strictObject({ type: z.literal('trouble'), message: z.string() }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
