/** All attempts at one task side by side, turn by turn. */
import '../lib/l10n.ts';
import * as z from 'zod';
import {
  difference,
  keptAttemptsSchema,
  openTask,
  openTrace,
  shown,
  showEpoch,
  underWay,
  type ShownTask,
} from '../../src/features/attempts/contract.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { Page } from './page.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

const keptSchema = keptAttemptsSchema.extend({ reference: z.string().nullable() });

const channel = connect((error) => {
  loading.done();
  page.tell(error.message);
});
const page = new Page(restore(keptSchema)?.reference ?? null, {
  keep: ({ run, task, epoch }, reference) => keep({ run, task, epoch, reference }),
  open: (trace) => ask(channel.call(openTrace, { trace })),
  compare: (first, second) => ask(channel.call(difference, { first, second })),
  openTask: () => ask(channel.call(openTask, null)),
  showEpoch: (epoch) => ask(channel.call(showEpoch, { epoch })),
});
const loading = new Loading(page.node);

function ask(answer: Promise<unknown>): void {
  answer.catch((error: unknown) => page.tell(messageOf(error)));
}

channel.on(shown, (task: ShownTask) => {
  loading.done();
  page.show(task);
});
channel.on(underWay, (attempts) => page.watch(attempts));
