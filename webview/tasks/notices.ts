/** The page's message, until the next one or until it was read. */
import * as l10n from '@vscode/l10n';
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';

export class Notices {
  readonly #told = element('span', { role: 'status' });
  readonly #failed = element('span', { role: 'alert' });
  // In one child: the close button stands at the edge, whichever of the two is empty.
  readonly node = element('div', { class: 'notice', hidden: '' }, element('p', {}, this.#told, this.#failed));

  constructor() {
    this.node.append(iconButton('close', l10n.t('Dismiss'), () => this.clear()));
  }

  say(text: string): void {
    this.#show(text, '');
  }

  fail(message: string, remedy: string): void {
    this.#show('', `${message} ${remedy}`.trim());
  }

  clear(): void {
    this.#show('', '');
  }

  #show(told: string, failed: string): void {
    this.#told.textContent = told;
    this.#failed.textContent = failed;
    this.node.hidden = told === '' && failed === '';
    this.node.classList.toggle('failed', failed !== '');
  }
}
