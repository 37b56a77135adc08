/** The kind of reward for scoring recorded attempts, and the measurements that the record lacks for it. */
import type { Field } from '../../src/shared/experiment/field.ts';
import { curriculumFields } from '../../src/shared/experiment/fields/curriculum.ts';
import { rewardNameSchema } from '../../src/shared/experiment/schema.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import type { RewardName } from './changes.ts';

const { choices }: Field = curriculumFields['curriculum.reward.kind'];

export class RewardSelect {
  readonly node: HTMLElement;
  readonly #select: HTMLSelectElement;
  readonly #about = element('p', { class: 'frame-note' });

  constructor(change: (kind: RewardName) => void) {
    this.#select = element(
      'select',
      { class: 'field', 'aria-label': l10n.t('Reward') },
      ...rewardNameSchema.options.map((kind) => element('option', { value: kind, title: meaningOf(kind) }, kind)),
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
    const words = [meaningOf(kind), kind === inForce ? recorded(kind) : missing(kind)];
    this.#about.replaceChildren(...prose(words.filter((text) => text !== '').join(' ')));
  }
}

function meaningOf(kind: RewardName): string {
  const meaning = choices?.[kind];
  return meaning === undefined ? '' : l10n.t(meaning);
}

/** The part of a reward kind that scoring by counts alone leaves out, for a run recorded with another kind. */
function missing(kind: RewardName): string {
  switch (kind) {
    case 'uncertainty':
      return l10n.t('Without its penalty here: this run did not measure repetition.');
    case 'regret':
    case 'advantage':
      return l10n.t('By verdicts here: this run did not record it from rewards between 0 and 1.');
    case 'progress':
      return l10n.t('Unknown here: this run did not measure changes of p̂, so that nothing is kept.');
    case 'file':
      return l10n.t('Unknown here: this run asked no file, so that nothing is kept.');
    default:
      return '';
  }
}

/** The part of the kind in force that stays as it was recorded. */
const recorded = (kind: RewardName): string =>
  kind === 'file' ? l10n.t('As recorded: the file is not asked again, whatever α and β are.') : '';
