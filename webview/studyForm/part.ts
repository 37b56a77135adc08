/** One part of the form, built again when its structure changes. */
import type { StudyProblem } from '../../src/features/studyForm/contract.ts';
import { element } from '../lib/element.ts';
import type { Section } from './section.ts';

export class Part {
  readonly node = element('div', {});
  readonly field: string;
  readonly #build: () => Section;
  readonly #shapeNow: () => unknown;
  #section: Section | null = null;
  #shape = '';

  /**
   * @param field in the file
   * @param shape its structure, whose change needs other controls
   */
  constructor(field: string, build: () => Section, shape: () => unknown) {
    this.field = field;
    this.#build = build;
    this.#shapeNow = shape;
  }

  update(problems: readonly StudyProblem[]): void {
    const shape = JSON.stringify([this.#shapeNow()]);
    const before = focusIn(this.node);
    if (this.#section === null || shape !== this.#shape) {
      this.#section = this.#build();
      this.node.replaceChildren(this.#section.node);
    }
    this.#shape = shape;
    this.#section.update();
    this.#section.complain(problems);
    // After the values: a field that has the focus keeps its text.
    if (before !== null && !before.isConnected) keyed(this.node, before.dataset['key']).focus();
  }
}

function focusIn(node: HTMLElement): HTMLElement | null {
  const focused = document.activeElement;
  return focused instanceof HTMLElement && node.contains(focused) ? focused : null;
}

/** The control with a key, else the part's title, so that the focus does not leave the part. */
function keyed(node: HTMLElement, key: string | undefined): HTMLElement {
  const same = key === undefined ? null : node.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  return same ?? node.querySelector<HTMLElement>('h2') ?? node;
}
