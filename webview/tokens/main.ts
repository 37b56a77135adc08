/** The tokens of one attempt. */
import '../lib/l10n.ts';
import * as z from 'zod';
import {
  keptTokensSchema,
  openTrace,
  shown,
  showVersion,
  type ShownTokens,
} from '../../src/features/tokens/contract.ts';
import { messageOf } from '../../src/shared/messageOf.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { Page } from './page.ts';

const keptSchema = keptTokensSchema.extend({ measure: z.string() });

const channel = connect((error) => {
  loading.done();
  page.tell(error.message);
});
let measure = restore(keptSchema)?.measure ?? 'sampled';
let last: ShownTokens | null = null;

const page = new Page(measure, {
  keep: (chosen) => {
    measure = chosen;
    kept();
  },
  openTrace: () => ask(channel.call(openTrace, null)),
  showVersion: (version) => ask(channel.call(showVersion, { version })),
});
const loading = new Loading(page.node);

function kept(): void {
  if (last !== null) keep({ of: last.of, run: last.run, trace: last.trace, other: last.other, measure });
}

function ask(answer: Promise<unknown>): void {
  answer.catch((error: unknown) => page.tell(messageOf(error)));
}

channel.on(shown, (tokens) => {
  last = tokens;
  loading.done();
  page.show(tokens);
  kept();
});
