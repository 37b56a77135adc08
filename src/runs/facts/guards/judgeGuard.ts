/** A guard over the reward or judge: attempts on which it fails are paid for and teach nothing. */
import * as l10n from '@vscode/l10n';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import { measureChange } from '../../../shared/journal/measures.ts';
import { changesOf } from '../../journal/experimentNow.ts';
import { Streak } from './streak.ts';
import type { GuardFinding } from './guardFinding.ts';

/** Share of an epoch's attempts that failed in their judge, of so many attempts at least, epochs in a row. */
const failing = { share: 0.5, attempts: 8, epochs: 2 };

export class JudgeGuard {
  readonly #field: string;
  readonly #failing = new Streak();
  /** Of the last finished epoch that had attempts. */
  #last = { failed: 0, of: 0 };
  /** Of the epoch in progress, over its rounds. */
  #now = { epoch: 0, failed: 0, of: 0 };

  /** @param byFile whether a reward file judges, not the domain */
  constructor(byFile: boolean) {
    this.#field = byFile ? 'reward.file' : 'domain.file';
  }

  add(event: JournalEvent): void {
    // A branch's shared epochs had another judge.
    if (event.type === 'settings.changed' && measureChange('attempts', changesOf(event)) !== null)
      this.#failing.forget();
    if (event.type === 'rollouts.finished') {
      const { epoch, checkerErrors, rollouts } = event;
      const before = this.#now.epoch === epoch ? this.#now : { failed: 0, of: 0 };
      this.#now = { epoch, failed: before.failed + checkerErrors, of: before.of + rollouts };
    } else if (event.type === 'epoch.finished' && this.#now.epoch === event.epoch) {
      const { epoch, failed, of } = this.#now;
      this.#last = { failed, of };
      this.#failing.add(epoch, of >= failing.attempts && failed >= failing.share * of);
    }
  }

  finding(): GuardFinding | null {
    const { since, length } = this.#failing;
    if (since === null || length < failing.epochs) return null;
    const { failed, of } = this.#last;
    return {
      guard: 'judge-fails',
      since,
      message: l10n.t(
        'The reward or judge failed on {0} of {1} attempts, now for {2} epochs: nothing is learned from these.',
        failed,
        of,
        length,
      ),
      remedy: l10n.t(
        'Read the error in a trace of the epoch. If what it asks was away, bring that back; else correct the file and branch the run.',
      ),
      field: this.#field,
    };
  }
}
