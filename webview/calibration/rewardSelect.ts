/** Which kind of reward recorded attempts are scored by, and what the record lacks for it. */
import { fields } from '../../src/shared/experiment/fields.ts';
import { rewardNameSchema } from '../../src/shared/experiment/schema.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import type { RewardName } from './changes.ts';

export class RewardSelect {
  readonly node: HTMLElement;
  readonly #select: HTMLSelectElement;
  readonly #about = element('p', { class: 'frame-note' });

  constructor(change: (kind: RewardName) => void) {
    const { choices } = fields['curriculum.reward.kind'];
    this.#select = element(
      'select',
      { class: 'field', 'aria-label': l10n.t('Reward') },
      ...rewardNameSchema.options.map((kind) => element('option', { value: kind, title: choices?.[kind] ?? '' }, kind)),
    );
    this.#select.addEventListener('change', () => {
      const chosen = rewardNameSchema.safeParse(this.#select.value);
      if (chosen.success) change(chosen.data);
    });
    this.node = element(
      'div',
      { class: 'what-if-reward' },
      element('label', {}, l10n.t('reward'), ' ', this.#select),
      this.#about,
    );
  }

  update(kind: RewardName, inForce: RewardName): void {
    this.#select.value = kind;
    const words = [fields['curriculum.reward.kind'].choices?.[kind] ?? '', kind === inForce ? '' : missing(kind)];
    this.#about.replaceChildren(...prose(words.filter((text) => text !== '').join(' ')));
  }
}

/** What scoring by counts alone leaves out of a kind that the run was not recorded with. */
function missing(kind: RewardName): string {
  switch (kind) {
    case 'uncertainty':
      return l10n.t('Without its penalty here: this run did not measure repetition.');
    case 'regret':
    case 'advantage':
      return l10n.t('By verdicts here: this run did not record it from rewards between 0 and 1.');
    case 'progress':
      return l10n.t('Unknown here: this run did not measure changes of p̂, so that nothing is kept.');
    default:
      return '';
  }
}
