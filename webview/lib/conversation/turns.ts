/** A conversation as a list that grows: a turn that stands there already keeps its place. */
import { element } from '../element.ts';

export interface ShownTurn {
  speaker: string;
  text: string;
  /** Written by the person. */
  own: boolean;
}

export class Turns {
  /** New turns are read out. */
  readonly node: HTMLElement;
  readonly #list = element('ol', { class: 'turns' });
  #shown: readonly ShownTurn[] = [];

  constructor(label: string) {
    this.node = element('div', { role: 'log', 'aria-label': label }, this.#list);
  }

  show(turns: readonly ShownTurn[]): void {
    let same = 0;
    while (same < turns.length && isSame(this.#shown[same], turns[same])) same += 1;
    while (this.#list.children.length > same) this.#list.lastElementChild?.remove();
    this.#list.append(...turns.slice(same).map(turnItem));
    this.#shown = turns;
  }
}

const isSame = (a: ShownTurn | undefined, b: ShownTurn | undefined): boolean =>
  a !== undefined && b !== undefined && a.speaker === b.speaker && a.text === b.text && a.own === b.own;

export const turnItem = ({ speaker, text, own }: ShownTurn): HTMLElement =>
  element(
    'li',
    { class: own ? 'turn own' : 'turn' },
    element('span', { class: 'speaker' }, speaker),
    element('pre', {}, text),
  );
