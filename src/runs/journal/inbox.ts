/**
 * A run's mailbox, `inbox/`: requests of any process to the run's writer, one file each. The writer takes them at the
 * next phase boundary; waiting requests survive it.
 */
import * as z from 'zod';
import { taskEditSchema } from '../../shared/records/taskEdit.ts';
import { Mailbox, type MailboxContext } from '../mailbox.ts';

const inboxVersion = 1;
const head = { v: z.literal(inboxVersion), at: z.number(), author: z.string() };

const requestSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('change'),
    changes: z.array(z.strictObject({ field: z.string(), to: z.unknown() })),
  }),
  z.strictObject({ ...head, type: z.literal('edit'), edits: z.array(taskEditSchema).min(1) }),
  /** Pause at the next phase boundary. */
  z.strictObject({ ...head, type: z.literal('pause') }),
]);
export type InboxRequest = z.infer<typeof requestSchema>;

export class Inbox extends Mailbox<InboxRequest> {
  constructor(dir: string, context: MailboxContext) {
    super(dir, { schema: requestSchema, version: inboxVersion }, context);
  }
}
