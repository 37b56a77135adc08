/** Guards over a domain's functions: what is written, verified and judged without a difference teaches nothing. */
import * as l10n from '@vscode/l10n';
import { isOwnDomain } from '../../../shared/experiment/tasks/shippedDomains.ts';
import { domainsOf } from '../../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../shared/journal/events.ts';
import { measureChange } from '../../../shared/journal/measures.ts';
import { changesOf } from '../../journal/experimentNow.ts';
import { Streak } from './streak.ts';
import { ofDomain, type GuardFinding } from './guardFinding.ts';

/** Epochs in a row without a task, and texts that each of them has at least. */
const empty = { epochs: 2, texts: 8 };
/** Texts since the run began of which none was rejected, attempts since then that were all judged alike. */
const alike = { texts: 256, attempts: 64, epochs: 2 };

export type GuardedDomains = Pick<Experiment, 'domain' | 'domains' | 'validation' | 'reward'>;

type Texts = Pick<EventOf<'tasks.generated'>, 'epoch' | 'written' | 'accepted' | 'rejected'>;
type Rate = EventOf<'families.scored'>['successRate'];

/** Of a run's domain, and of each of several, whose functions are other people's work each. */
export class DomainGuards {
  readonly #own: (domain: string) => boolean;
  readonly #judged: boolean;
  readonly #domains = new Map<string, OneDomain>();

  /** A domain that ships is not blamed for verifying or judging everything alike: its functions are tested. */
  constructor(experiment: GuardedDomains) {
    const parts = domainsOf(experiment);
    const own = new Set(parts.filter(({ settings }) => isOwnDomain(settings)).map(({ name }) => name));
    this.#own = (domain) => (domain === '' ? own.size === parts.length && own.size > 0 : own.has(domain));
    this.#judged = experiment.reward.file !== null;
  }

  add(event: JournalEvent): void {
    // A branch's shared epochs had another judge.
    if (event.type === 'settings.changed' && measureChange('attempts', changesOf(event)) !== null)
      for (const one of this.#domains.values()) one.forgetRates();
    if (event.type === 'tasks.generated') {
      const parts = event.domains ?? [{ domain: '', ...event }];
      for (const { domain, ...own } of parts) this.#of(domain).addTexts({ ...own, epoch: event.epoch });
    }
    if (event.type === 'families.scored') {
      const parts = event.domains ?? [{ domain: '', ...event }];
      for (const one of parts) this.#of(one.domain).addRates(event.epoch, [one.successRate, one.baseSuccessRate]);
    }
  }

  /** Of several domains the first one that shows it is named. */
  findings(): GuardFinding[] {
    return (['nothingAccepted', 'nothingRejected', 'oneVerdict'] as const).flatMap(
      (kind) => [...this.#domains.values()].map((one) => one[kind]()).find((found) => found !== null) ?? [],
    );
  }

  #of(domain: string): OneDomain {
    const known = this.#domains.get(domain);
    if (known !== undefined) return known;
    const own = this.#own(domain);
    const made = new OneDomain(domain === '' ? null : domain, own, own || this.#judged);
    this.#domains.set(domain, made);
    return made;
  }
}

class OneDomain {
  /** One of several; its findings name it. */
  readonly #domain: string | null;
  readonly #verified: boolean;
  readonly #judged: boolean;
  readonly #without = new Streak();
  #causes: Readonly<Record<string, number>> = {};
  #first = 0;
  readonly #texts = { written: 0, rejected: 0, epochs: 0 };
  #attempts = { since: 0, judged: 0, solved: 0, epochs: 0 };

  /** @param verified whether a person's functions verify its tasks. @param judged whether they judge its attempts */
  constructor(domain: string | null, verified: boolean, judged: boolean) {
    this.#domain = domain;
    this.#verified = verified;
    this.#judged = judged;
  }

  addTexts({ epoch, written, accepted, rejected }: Texts): void {
    if (this.#first === 0) this.#first = epoch;
    if (written > 0) this.#texts.epochs += 1;
    this.#texts.written += written;
    this.#texts.rejected += written - accepted;
    if (written < empty.texts) return;
    this.#without.add(epoch, accepted === 0);
    this.#causes = rejected;
  }

  addRates(epoch: number, rates: readonly Rate[]): void {
    if (this.#attempts.since === 0) this.#attempts.since = epoch;
    const judged = rates.reduce((sum, { attempts }) => sum + attempts, 0);
    if (judged > 0) this.#attempts.epochs += 1;
    this.#attempts.judged += judged;
    this.#attempts.solved += rates.reduce((sum, { successes }) => sum + successes, 0);
  }

  forgetRates(): void {
    this.#attempts = { since: 0, judged: 0, solved: 0, epochs: 0 };
  }

  nothingAccepted(): GuardFinding | null {
    const { since, length } = this.#without;
    if (since === null || length < empty.epochs) return null;
    const causes = Object.entries(this.#causes).sort(([, a], [, b]) => b - a);
    const told = causes.map(([cause, times]) => `${cause} ${times}`).join(', ');
    const blamed = causes[0]?.[0] === 'gold' ? 'verify' : l10n.t('parse or environmentPrompt');
    return {
      guard: 'nothing-accepted',
      since,
      message: ofDomain(
        this.#domain,
        l10n.t('No text of the environment became a task for {0} epochs (the last one: {1}).', length, told),
      ),
      remedy: l10n.t(
        'See the texts and their reasons (genenv show RUN --written); then correct {0} of the domain, or let another model write.',
        blamed,
      ),
      field: 'domain.file',
    };
  }

  nothingRejected(): GuardFinding | null {
    const { written, rejected, epochs } = this.#texts;
    if (!this.#verified || rejected > 0 || written < alike.texts || epochs < alike.epochs) return null;
    return {
      guard: 'nothing-rejected',
      since: this.#first,
      message: ofDomain(
        this.#domain,
        l10n.t(
          'None of {0} texts of the environment was rejected since the run began: parse and verify may accept anything.',
          written,
        ),
      ),
      remedy: l10n.t(
        'Try them on texts that are no tasks: genenv check-domain FILE --texts FILE. If these are rejected, all is well.',
      ),
      field: 'domain.file',
    };
  }

  oneVerdict(): GuardFinding | null {
    const { since, judged, solved, epochs } = this.#attempts;
    const one = solved === 0 || solved === judged;
    if (!this.#judged || !one || judged < alike.attempts || epochs < alike.epochs) return null;
    return {
      guard: 'one-verdict',
      since,
      message: ofDomain(
        this.#domain,
        solved === 0
          ? l10n.t('All {0} judged attempts since the run began failed: judge may refuse every answer.', judged)
          : l10n.t('All {0} judged attempts since the run began succeeded: judge may accept every answer.', judged),
      ),
      remedy:
        solved === 0
          ? l10n.t(
              'Try it on an answer that is right and one that is wrong: Pose and Attempt above judge, or a case of each beside the file. If both verdicts are right, the tasks are too hard.',
            )
          : l10n.t(
              'Try it on an answer that is right and one that is wrong: Pose and Attempt above judge, or a case of each beside the file. If both verdicts are right, the tasks are too easy.',
            ),
      field: this.#judgedBy(),
    };
  }

  /** The function that is to blame is the domain's, unless only a reward file judges. */
  #judgedBy(): string {
    return this.#verified ? 'domain.file' : 'reward.file';
  }
}
