import { element } from '../lib/element.ts';

/** A part of the report under its heading. `wide` figures take the whole width, others form two columns. */
export function section(id: string, title: string, ...content: Node[]): HTMLElement {
  const heading = `${id}-heading`;
  return element('section', { id, 'aria-labelledby': heading }, element('h2', { id: heading }, title), ...content);
}

export function columns(...figures: Node[]): HTMLElement {
  return element('div', { class: 'columns' }, ...figures);
}
