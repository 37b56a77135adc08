/** A line of a form: the study in the queue that this file belongs to is not as its files are. */
import * as l10n from '@vscode/l10n';
import type { QueuedNoticeData } from '../../../src/shared/rpc/queuedNotice.ts';
import { element } from '../element.ts';

export class QueuedNotice {
  readonly node: HTMLElement;
  readonly #text: HTMLElement;
  readonly #anew: HTMLButtonElement;

  constructor(queueAnew: () => void) {
    this.#text = element('span', {});
    this.#anew = element('button', { class: 'link', type: 'button' }, l10n.t('Run Study'));
    this.#anew.addEventListener('click', queueAnew);
    this.node = element('p', { class: 'queued-notice', role: 'status', hidden: '' }, this.#text, ' ', this.#anew);
  }

  /** @param notice null for none */
  update(notice: QueuedNoticeData): void {
    this.node.hidden = notice === null;
    this.#text.textContent = notice?.text ?? '';
    this.#anew.hidden = notice?.waits !== true;
  }
}
