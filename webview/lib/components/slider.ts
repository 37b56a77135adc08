/** A slider in the editor's colours: browsers draw their own in light ones when the theme's accent is dark. */
import { element } from '../element.ts';

/** The filled part must be set after the value. */
export function slider(attributes: Readonly<Record<string, string>>): HTMLInputElement {
  const input = element('input', { type: 'range', ...attributes, class: 'slider' });
  input.addEventListener('input', () => fill(input));
  return input;
}

/** Sets a slider and fills it up to there. */
export function slideTo(input: HTMLInputElement, value: number): void {
  if (Number(input.value) !== value) input.value = String(value);
  fill(input);
}

function fill(input: HTMLInputElement): void {
  const [min, max] = [Number(input.min), Number(input.max)];
  const share = max > min ? (Number(input.value) - min) / (max - min) : 1;
  input.style.setProperty('--share', `${100 * share}%`);
}
