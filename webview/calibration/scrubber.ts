/** Chooses the epoch that the page looks at; at its end it follows the newest one. */
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { slider, slideTo } from '../lib/components/slider.ts';

export class Scrubber {
  readonly node: HTMLElement;
  readonly #onEpoch: (epoch: number | null) => void;
  readonly #slider: HTMLInputElement;
  readonly #output = element('output', { for: 'looked' });
  readonly #latest: HTMLButtonElement;
  #epochs: readonly number[] = [];
  #looked: number | null = null;

  /** @param onEpoch null follows the newest epoch */
  constructor(onEpoch: (epoch: number | null) => void) {
    this.#onEpoch = onEpoch;
    this.#slider = slider({ id: 'looked', min: '0', step: '1', 'aria-label': l10n.t('Epoch') });
    this.#slider.addEventListener('input', () => this.#choose(Number(this.#slider.value)));
    this.#latest = element(
      'button',
      { type: 'button', class: 'chip', title: l10n.t('Follow the newest epoch') },
      l10n.t('newest'),
    );
    this.#latest.addEventListener('click', () => onEpoch(null));
    this.node = element(
      'div',
      { class: 'scrubber', role: 'group', 'aria-label': l10n.t('Shown epoch') },
      element('label', { for: 'looked' }, l10n.t('Epoch')),
      this.#output,
      iconButton('chevron-left', l10n.t('Previous epoch (←)'), () => this.step(-1)),
      this.#slider,
      iconButton('chevron-right', l10n.t('Next epoch (→)'), () => this.step(1)),
      this.#latest,
    );
  }

  /** @param epochs those that were measured. @param looked null follows the newest */
  update(epochs: readonly number[], looked: number | null): void {
    this.#epochs = epochs;
    this.#looked = looked;
    const at = this.#at();
    this.node.hidden = epochs.length === 0;
    this.#slider.max = String(Math.max(0, epochs.length - 1));
    slideTo(this.#slider, at);
    this.#slider.disabled = epochs.length < 2;
    const epoch = epochs[at];
    this.#output.textContent = epoch === undefined ? '' : String(epoch);
    this.#slider.setAttribute('aria-valuetext', epoch === undefined ? '' : l10n.t('epoch {0}', epoch));
    this.#latest.setAttribute('aria-pressed', String(looked === null));
  }

  step(by: number): void {
    this.#choose(this.#at() + by);
  }

  #at(): number {
    const last = this.#epochs.length - 1;
    if (this.#looked === null) return Math.max(0, last);
    const at = this.#epochs.indexOf(this.#looked);
    return at === -1 ? Math.max(0, last) : at;
  }

  #choose(at: number): void {
    const last = this.#epochs.length - 1;
    const index = Math.max(0, Math.min(last, at));
    const epoch = this.#epochs[index];
    if (epoch === undefined) return;
    // At once: the next key may come before the page is drawn.
    this.update(this.#epochs, index === last ? null : epoch);
    this.#onEpoch(this.#looked);
  }
}
