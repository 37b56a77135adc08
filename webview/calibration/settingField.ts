/** One setting of the curriculum as a slider and a number, with the value in force marked. */
import type { SettingKey } from './changes.ts';
import { number } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { slider, slideTo } from '../lib/components/slider.ts';
import { prose } from '../lib/symbols.ts';

export interface SettingOptions {
  key: SettingKey;
  symbol: string;
  name: string;
  /** Smallest and largest value that a run takes, and the largest on the slider. */
  min: number;
  max: number;
  most: number;
  step: number;
  /** Even steps of the logarithm: for settings whose size matters more than their difference. */
  logarithmic: boolean;
}

/** In a function, so that names are read in the page's language. */
export function settingFields(): SettingOptions[] {
  return [
    {
      key: 'alpha',
      symbol: 'α',
      name: l10n.t('target success rate'),
      min: 0.01,
      max: 0.99,
      most: 0.99,
      step: 0.01,
      logarithmic: false,
    },
    {
      key: 'beta',
      symbol: 'β',
      name: l10n.t('sharpness of the reward'),
      min: 0.01,
      max: 1000,
      most: 100,
      step: 0.1,
      logarithmic: true,
    },
    {
      key: 'lambda',
      symbol: 'λ',
      name: l10n.t('temperature of the weights'),
      min: 0,
      max: 1000,
      most: 20,
      step: 0.1,
      logarithmic: false,
    },
    {
      key: 'kMin',
      symbol: 'k_min',
      name: l10n.t('half width of the band'),
      min: 0,
      max: 1,
      most: 0.5,
      step: 0.01,
      logarithmic: false,
    },
  ];
}

const steps = 500;

export class SettingField {
  readonly node: HTMLElement;
  readonly key: SettingKey;
  readonly #options: SettingOptions;
  readonly #slider: HTMLInputElement;
  readonly #field: HTMLInputElement;
  #shown: number | null = null;
  readonly #inForce = element('span', { class: 'in-force quiet' });

  constructor(options: SettingOptions, onChange: (value: number) => void) {
    this.#options = options;
    this.key = options.key;
    const { symbol, name, min, max, step } = options;
    const label = l10n.t('{0}, {1}', symbol, name);
    this.#slider = slider({ min: '0', max: String(steps), step: '1', 'aria-label': label });
    this.#field = element('input', {
      type: 'number',
      class: 'field',
      min: String(min),
      max: String(max),
      step: String(step),
      'aria-label': label,
    });
    this.#slider.addEventListener('input', () => onChange(this.#valueAt(Number(this.#slider.value))));
    this.#field.addEventListener('input', () => {
      const value = this.#field.valueAsNumber;
      if (value >= min && value <= max) onChange(value);
    });
    // Invalid input is corrected when the field is left.
    this.#field.addEventListener('change', () => {
      const value = this.#field.valueAsNumber;
      if (Number.isNaN(value)) return;
      const kept = Math.min(max, Math.max(min, value));
      if (kept !== value) this.#field.value = String(kept);
      onChange(kept);
    });
    this.node = element(
      'div',
      { class: 'setting', title: name },
      element('span', { class: 'symbol', 'aria-hidden': 'true' }, ...prose(symbol)),
      this.#slider,
      this.#field,
      this.#inForce,
    );
  }

  update(value: number, inForce: number): void {
    slideTo(this.#slider, this.#placeOf(value));
    this.#slider.setAttribute('aria-valuetext', number(value));
    // An empty field is one that a person is about to fill, and 0.0 one that is about to be 0.05.
    const isUnfinished = Number.isNaN(this.#field.valueAsNumber) || value === this.#shown;
    const typing = document.activeElement === this.#field && isUnfinished;
    this.#shown = value;
    if (!typing && this.#field.valueAsNumber !== value) this.#field.value = String(value);
    this.#inForce.textContent = value === inForce ? '' : l10n.t('is {0}', number(inForce));
    this.node.classList.toggle('tried', value !== inForce);
  }

  #valueAt(place: number): number {
    const { min, most, step, logarithmic } = this.#options;
    const share = place / steps;
    const value = logarithmic ? lowest * (most / lowest) ** share : min + share * (most - min);
    const decimals = step < 0.1 ? 2 : 1;
    return Math.max(min, Number(value.toFixed(decimals)));
  }

  #placeOf(value: number): number {
    const { min, most, logarithmic } = this.#options;
    const share = logarithmic
      ? Math.log(Math.max(lowest, value) / lowest) / Math.log(most / lowest)
      : (value - min) / (most - min);
    return Math.round(steps * Math.min(1, Math.max(0, share)));
  }
}

/** Where a logarithmic slider begins. */
const lowest = 0.5;
