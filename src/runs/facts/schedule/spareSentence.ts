/** For a run's conclusion: that much of what was attempted fell out (`rollouts.spare`), where that may have bent it. */
import * as l10n from '@vscode/l10n';
import { fastFrom } from '../../../shared/journal/fastFrom.ts';
import type { EventOf } from '../../../shared/journal/events.ts';
import { fellOutOf } from './fellOut.ts';

/** Share of groups beyond which the figures of a run may differ much from those of all of its groups. */
const much = 1 / 5;

/** Null where little fell out, or what did was about as long as what counts. */
export function spareSentence(
  rounds: readonly Pick<EventOf<'rollouts.finished'>, 'tasks' | 'dropped'>[],
): string | null {
  const out = fellOutOf(rounds);
  if (out === undefined || out.groups <= much * out.of) return null;
  const { groups, of, expected } = out;
  if (expected === undefined) {
    return l10n.t(
      '{0} of {1} groups of attempts fell out (rollouts.spare), and how long their answers would have been is not known: p̂ and what was learned may lean to tasks that are answered fast.',
      groups,
      of,
    );
  }
  if (expected.dropped < fastFrom * expected.counted) return null;
  return l10n.t(
    '{0} of {1} groups of attempts fell out (rollouts.spare), with {2} tokens expected an answer where those that count have {3}: p̂ and what was learned lean to tasks that are answered fast.',
    groups,
    of,
    expected.dropped,
    expected.counted,
  );
}
