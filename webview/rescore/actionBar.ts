/** The actions on a rescoring, and their results. */
import * as l10n from '@vscode/l10n';
import type { RescoreAct, RescoreState } from '../../src/features/rescore/contract/page.ts';
import { moment } from '../../src/shared/text/figures/moments.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import { element } from '../lib/element.ts';

export class ActionBar {
  readonly node: HTMLElement;
  readonly #again: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  readonly #apply: HTMLButtonElement;
  readonly #takeBack: HTMLButtonElement;
  readonly #branch: HTMLButtonElement;
  readonly #progress = element('progress', { max: '1', 'aria-label': l10n.t('Scoring'), hidden: '' });
  readonly #said = element('span', { class: 'quiet', role: 'status' });
  readonly #stale = element('p', { class: 'stale', role: 'status', hidden: '' });
  readonly #applied = element('p', { class: 'applied', role: 'status', hidden: '' });

  constructor(act: (act: RescoreAct) => void) {
    const button = (text: string, what: RescoreAct): HTMLButtonElement => {
      const node = element('button', { type: 'button', class: 'button' }, text);
      node.addEventListener('click', () => act(what));
      return node;
    };
    this.#again = button(l10n.t('Score Again'), 'again');
    this.#stop = button(l10n.t('Stop'), 'stop');
    this.#apply = button(l10n.t('Apply to Run…'), 'apply');
    this.#takeBack = button(l10n.t('Take Back'), 'takeBack');
    this.#branch = button(l10n.t('Continue with This Reward…'), 'branch');
    this.#branch.title = l10n.t('Branches the run after one of its epochs; what comes then is judged by this reward.');
    this.node = element(
      'div',
      { class: 'action-bar' },
      element(
        'div',
        { class: 'actions' },
        ...[this.#again, this.#stop, this.#apply, this.#branch, this.#takeBack],
        button(l10n.t('Open Reward'), 'openReward'),
        this.#progress,
        this.#said,
      ),
      this.#stale,
      this.#applied,
    );
  }

  show({ share, stale, result, applied, appliedAs, reward }: RescoreState): void {
    const scoring = share !== null;
    this.#again.hidden = scoring;
    this.#stop.hidden = this.#progress.hidden = !scoring;
    this.#progress.value = share ?? 0;
    this.#said.textContent = scoring ? percent(share) : '';
    this.#apply.disabled = scoring || result === null || appliedAs !== null;
    this.#branch.disabled = scoring;
    this.#takeBack.hidden = applied === null;
    this.#stale.hidden = !stale || scoring;
    this.#stale.textContent = l10n.t('{0} was saved since: score again to see what it says now.', nameOf(reward));
    // The usual next step.
    this.#again.classList.toggle('button-primary', stale || result === null);
    this.#apply.classList.toggle('button-primary', !stale && result !== null && appliedAs === null);
    this.#applied.hidden = applied === null;
    if (applied === null) return;
    const { rescoring, author, at, attempts } = applied;
    const when = moment(at);
    const whose =
      rescoring === appliedAs
        ? l10n.t('These verdicts are in effect for the run as rescoring {0}', rescoring)
        : l10n.t('Verdicts of {0} are in effect for the run as rescoring {1}', applied.reward, rescoring);
    this.#applied.textContent = l10n.t(
      '{0}: {1} attempts, applied by {2}, {3}. The recorded ones stay beside them.',
      whose,
      count(attempts),
      author,
      when,
    );
  }
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
