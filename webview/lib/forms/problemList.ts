/** The problems of one part of a file, each with its remedy and a link to its line. */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../../src/shared/experiment/problems/problem.ts';
import { element } from '../element.ts';
import { prose } from '../symbols.ts';

export type ListedProblem = Pick<Problem, 'message' | 'remedy' | 'severity' | 'line' | 'column'>;

export class ProblemList {
  readonly node: HTMLElement;
  readonly #openText: (at: { line: number; column: number }) => void;
  #shown = '[]';

  /** @param name accessible name of a list that stands at no field; null where its surroundings name it */
  constructor(openText: (at: { line: number; column: number }) => void, name: string | null = null) {
    this.#openText = openText;
    this.node = element('ul', { class: 'problems', hidden: '', ...(name !== null && { 'aria-label': name }) });
  }

  update(problems: readonly ListedProblem[]): void {
    // A focused link stays in place while the list is the same.
    const shown = JSON.stringify(problems);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.node.hidden = problems.length === 0;
    this.node.replaceChildren(
      ...problems.map(({ message, remedy, severity, line, column }) => {
        const link = element('button', { class: 'place', type: 'button' }, l10n.t('line {0}', line));
        link.addEventListener('click', () => this.#openText({ line, column }));
        return element('li', { class: severity }, ...prose(`${message} ${remedy}`.trim()), ' ', link);
      }),
    );
  }
}
