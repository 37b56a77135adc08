/** The agent's answers, token by token, in colours; one tab stop, walked by the arrow keys. */
import * as l10n from '@vscode/l10n';
import type { ShownToken, ShownTokens } from '../../src/features/tokens/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import { palette } from './colours.ts';
import { shownText, tokenWords } from './figures.ts';
import type { Measure } from './measures.ts';

/** A page of more nodes is slow; the table has every token. */
const mostDrawn = 5000;

export class TokenText {
  readonly node = element('div', { class: 'answers' });
  readonly #tell: (at: number) => void;
  #tokens: { token: ShownToken; node: HTMLElement }[] = [];
  #shown: ShownTokens | null = null;
  #at = 0;

  /** @param tell a token is pointed at or has the focus */
  constructor(tell: (at: number) => void) {
    this.#tell = tell;
    this.node.addEventListener('keydown', (event) => this.#key(event));
    for (const kind of ['focusin', 'mouseover'] as const) {
      this.node.addEventListener(kind, ({ target }) => {
        const at = this.#tokens.findIndex(({ node }) => node === target);
        if (at < 0) return;
        if (kind === 'focusin') this.#stopAt(at);
        this.#tell(at);
      });
    }
  }

  show(shown: ShownTokens): void {
    this.#shown = shown;
    this.#tokens = [];
    const answers = shown.answers.map(({ turn, tokens }, i) => {
      const drawn = tokens.slice(0, Math.max(0, mostDrawn - this.#tokens.length)).map((token) => {
        const node = element('span', { class: 'token', role: 'option', tabindex: '-1' }, shownText(token));
        this.#tokens.push({ token, node });
        return node;
      });
      const title = turn === null ? l10n.t('Answer {0}', i + 1) : l10n.t('Turn {0}', turn + 1);
      const left = tokens.length - drawn.length;
      return element(
        'section',
        {},
        element('h2', {}, title),
        element('p', { class: 'tokens', role: 'listbox', 'aria-label': title }, ...drawn.flatMap((one) => [one, ' '])),
        ...(left > 0 ? [element('p', { class: 'quiet' }, l10n.t('{0} more stand in the table.', count(left)))] : []),
      );
    });
    this.node.replaceChildren(...answers);
    this.#stopAt(Math.min(this.#at, this.#tokens.length - 1));
  }

  colour({ shade }: Measure): void {
    const colours = palette();
    for (const { token, node } of this.#tokens) {
      const own = shade(token);
      const { background, text } = (own === null ? null : colours?.(own)) ?? { background: '', text: '' };
      node.classList.toggle('unknown', own === null);
      node.dataset['mark'] = own?.mark ?? '';
      node.style.backgroundColor = background;
      node.style.color = text;
      if (this.#shown !== null) node.setAttribute('aria-label', tokenWords(token, this.#shown));
    }
  }

  focus(at: number): void {
    this.#tokens[at]?.node.focus();
  }

  #stopAt(at: number): void {
    this.#tokens[this.#at]?.node.setAttribute('tabindex', '-1');
    this.#at = Math.max(0, at);
    this.#tokens[this.#at]?.node.setAttribute('tabindex', '0');
  }

  #key(event: KeyboardEvent): void {
    const last = this.#tokens.length - 1;
    const to =
      { ArrowRight: this.#at + 1, ArrowLeft: this.#at - 1, Home: 0, End: last }[event.key] ?? this.#line(event.key);
    if (to === null) return;
    event.preventDefault();
    this.focus(Math.min(last, Math.max(0, to)));
  }

  /** The nearest token of the line above or below; null for another key. */
  #line(key: string): number | null {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
    const step = key === 'ArrowDown' ? 1 : -1;
    const places = this.#tokens.map(({ node }) => node.getBoundingClientRect());
    const own = places[this.#at];
    if (own === undefined) return null;
    let best: number | null = null;
    let line: number | null = null;
    for (let at = this.#at + step; at >= 0 && at < places.length; at += step) {
      const place = places[at];
      if (place === undefined || place.top === own.top) continue;
      line ??= place.top;
      if (place.top !== line) break;
      if (best === null || Math.abs(place.left - own.left) < Math.abs((places[best]?.left ?? 0) - own.left)) best = at;
    }
    return best ?? this.#at;
  }
}
