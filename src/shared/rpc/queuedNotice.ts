/** A study in the queue in both forms of files: the host's message, and the request to queue it anew. */
import * as z from 'zod';
import { event, request } from './contract.ts';

const queuedNoticeSchema = z.strictObject({ text: z.string(), waits: z.boolean() }).nullable();
export type QueuedNoticeData = z.infer<typeof queuedNoticeSchema>;

/** Null where the file belongs to no study in the queue, and where its files are as they were queued. */
export const queuedChanged = event('queued', queuedNoticeSchema);
export const queueAnew = request('queueAnew', z.null(), z.null());
