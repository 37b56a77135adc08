/** How a run ended, or why it cannot continue now: that decides whether, and when, it is tried again. */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../endpoints/endpointError.ts';
import { RunError } from '../../runs/store/runError.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { codeOf } from '../../shared/systemError.ts';
import { KeyError } from '../access/keys.ts';
import type { Landing } from '../launch.ts';
import { StrayFailure } from '../strayFailures.ts';
import type { How } from '../../shared/nextTry.ts';

export interface HowEnded {
  how: How;
  /** In a sentence; '' where there is nothing to say. */
  why: string;
}

export function howLanded({ state, error, ending }: Landing): HowEnded {
  const why = error?.message ?? '';
  if (state === 'finished') {
    return ending === 'no-tasks'
      ? { how: 'gone', why: l10n.t('It ended because no text of the environment became a task.') }
      : { how: 'finished', why };
  }
  if (state !== 'paused' || error === undefined) return { how: state, why };
  return { how: causeOf(error), why };
}

type Cause = 'key' | 'disk' | 'server' | 'failed';

/** Why a run that paused by itself cannot continue. A failure that nothing waited for may come again at every try. */
export function causeOf(error: Error, otherwise: Cause = 'server'): Cause {
  if (KeyError.is(error)) return 'key';
  // An endpoint says of its checkpoint what the disk said.
  if (RunError.is(error) || isOfFullDisk(error)) return 'disk';
  if (error instanceof EndpointError) return 'server';
  const known = error instanceof StrayFailure ? 'failed' : otherwise;
  const [first] = within(error);
  return first instanceof Error ? causeOf(first, known) : known;
}

/** The cause of an error, or all that happened together. */
const within = (error: Error): readonly unknown[] => (error instanceof AggregateError ? error.errors : [error.cause]);

const isOfFullDisk = (error: unknown): boolean =>
  error instanceof Error && (['ENOSPC', 'EDQUOT'].includes(codeOf(error)) || within(error).some(isOfFullDisk));

/** Of a run that did not begin, or was not taken up again. */
export function howNotOpened(error: unknown): HowEnded {
  const why = messageOf(error);
  if (RunError.is(error, 'in-use')) return { how: 'busy', why };
  if (RunError.is(error, 'disk-full') || RunError.is(error, 'unwritable')) return { how: 'disk', why };
  return { how: RunError.is(error) ? 'gone' : 'failed', why };
}
