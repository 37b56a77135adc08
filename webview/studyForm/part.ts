/** One part of the form, built again when its structure changes. */
import type { StudyProblem } from '../../src/features/studyForm/contract.ts';
import { rebuilt } from '../lib/components/rebuilt.ts';
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
    let settle = (): void => undefined;
    if (this.#section === null || shape !== this.#shape) {
      const section = this.#build();
      this.#section = section;
      settle = rebuilt(
        this.node,
        () => this.node.replaceChildren(section.node),
        (before) => keyed(this.node, before.dataset['key']),
      );
    }
    this.#shape = shape;
    this.#section.update();
    this.#section.complain(problems);
    settle();
  }
}

/** The control with a key, else the part's title, so that the focus does not leave the part. */
function keyed(node: HTMLElement, key: string | undefined): HTMLElement {
  const same = key === undefined ? null : node.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  return same ?? node.querySelector<HTMLElement>('h2') ?? node;
}
