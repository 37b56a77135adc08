/** The guard over spare groups (`rollouts.spare`): those that count are the fast ones. */
import * as l10n from '@vscode/l10n';
import { fastFrom } from '../../../shared/journal/fastFrom.ts';
import type { EventOf } from '../../../shared/journal/events.ts';
import type { GuardFinding } from '../guards/guardFinding.ts';
import { Streak } from '../guards/streak.ts';

/** Rounds in a row. */
const fewest = 2;

export class SpareGuard {
  readonly #streak = new Streak();
  #newest: { out: number; of: number; counted: number; dropped: number } | null = null;

  add({ epoch, tasks, dropped }: EventOf<'rollouts.finished'>): void {
    const expected = dropped?.expected;
    if (dropped === undefined || expected === undefined) return;
    const out = dropped.groups.length;
    this.#newest = { out, of: out + tasks, ...expected };
    this.#streak.add(epoch, expected.dropped >= fastFrom * expected.counted);
  }

  finding(): GuardFinding | null {
    const { since, length } = this.#streak;
    if (since === null || length < fewest || this.#newest === null) return null;
    const { out, of, counted, dropped } = this.#newest;
    return {
      guard: 'fast-groups',
      since,
      message: l10n.t(
        'Long answers fall out: {0} of {1} groups did in the newest round, with {2} tokens expected an answer where those that count have {3}. p̂ and what is learned lean to tasks that are answered fast.',
        out,
        of,
        dropped,
        counted,
      ),
      remedy: l10n.t('Lower rollouts.spare, or set rollouts.order to "longest", which begins long ones first.'),
      field: 'rollouts.spare',
    };
  }
}
