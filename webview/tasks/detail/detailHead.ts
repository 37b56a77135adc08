/** The task's identity and facts. */
import { flagWord } from '../../../src/features/health/core/flagWord.ts';
import * as l10n from '@vscode/l10n';
import { successRate } from '../../../src/engine/math/successRate.ts';
import { withMarksShown } from '../../../src/shared/text/hiddenMarks.ts';
import type { TaskDetail } from '../../../src/features/tasks/contract.ts';
import { count, number, rate } from '../../../src/shared/text/figures/numbers.ts';
import { intervalGlyph } from '../../charts/intervalGlyph.ts';
import { iconButton } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';
import { prose } from '../../lib/symbols.ts';
import { badge, weightText } from '../rowView.ts';
import { attemptsText, flagMeaning, originWord, rateText, statusWord } from '../words.ts';

export interface HeadHost {
  /** One more term of the filter. */
  filter: (term: string) => void;
  menu: (at: { x: number; y: number }) => void;
  open: () => void;
  back: () => void;
}

export class DetailHead {
  readonly node: HTMLElement;
  readonly #host: HeadHost;
  readonly #id = element('h2', { tabindex: '-1' });
  readonly #rate = element('p', { class: 'detail-rate' });
  readonly #facts = element('p', { class: 'facts' });
  readonly #flags = element('ul', { class: 'flags' });

  constructor(host: HeadHost) {
    this.#host = host;
    const back = iconButton('arrow-left', l10n.t('Back to the list (Esc)'), () => host.back());
    back.classList.add('back');
    const more = iconButton('ellipsis', l10n.t('Actions'), () => {
      const { left, bottom } = more.getBoundingClientRect();
      host.menu({ x: left, y: bottom });
    });
    more.setAttribute('aria-haspopup', 'menu');
    this.node = element(
      'header',
      { class: 'detail-head' },
      element(
        'div',
        { class: 'detail-title' },
        ...[back, this.#id, iconButton('go-to-file', l10n.t('Open Task'), () => host.open()), more],
      ),
      ...[this.#rate, this.#facts, this.#flags],
    );
  }

  focus(): void {
    this.#id.focus();
  }

  show({ row, complexity, plan, flags }: TaskDetail): void {
    this.#id.textContent = withMarksShown(row.name);
    const { p, low, high } = successRate(row.rate.successes, row.rate.attempts);
    this.#rate.replaceChildren(
      ...(p === null ? [] : [intervalGlyph({ p, low, high, tone: 'agent' }, 140, 14)]),
      rateText(row.rate),
      ...(p === null ? [] : [element('span', { class: 'row-marks' }, attemptsText(row.rate))]),
    );
    const parts: (Node | string)[] = [
      ...(row.epoch === 0 ? [] : [l10n.t('epoch {0}', count(row.epoch))]),
      originWord(row.origin),
      this.#link(l10n.t('family {0}', row.family), `family:${row.family}`),
      ...(row.status === 'accepted' ? [] : [this.#link(statusWord(row.status), `status:${row.status}`)]),
      ...(row.environmentReward === null
        ? []
        : [element('span', {}, ...prose(l10n.t('R_env {0}', rate(row.environmentReward))))]),
      ...(row.weight === null ? [] : [weightText(row.weight)]),
      ...Object.entries(complexity).map(([name, value]) => `${name} ${number(value)}`),
      l10n.t('{0} characters', count(row.length)),
      ...(plan === '' ? [] : [l10n.t('plan: {0}', plan)]),
      ...row.tags.map((tag) => this.#link(`#${tag}`, `tag:${tag}`)),
    ];
    this.#facts.replaceChildren(...parts.flatMap((part, i) => (i === 0 ? [part] : [' · ', part])));
    this.#flags.hidden = flags.length === 0;
    this.#flags.replaceChildren(
      ...flags.map(({ flag, why }) => {
        const name = element('button', { type: 'button', class: 'link' }, badge('badge badge-flag', flagWord(flag)));
        name.title = l10n.t('{0} Show all tasks with this flag', flagMeaning(flag));
        name.addEventListener('click', () => this.#host.filter(`flag:${flag}`));
        return element('li', {}, name, ' ', why);
      }),
    );
  }

  #link(text: string, term: string): HTMLElement {
    const link = element('button', { type: 'button', class: 'link', title: l10n.t('Filter by {0}', term) }, text);
    link.addEventListener('click', () => this.#host.filter(term));
    return link;
  }
}
