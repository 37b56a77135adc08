/** A page that is one view of a text document, which the host owns: it shows failures, and passes on typed text. */
import type { JsonEdit } from '../../src/shared/experiment/text/textEdit.ts';
import type { Channel } from '../../src/shared/rpc/channel.ts';
import { failureOf, RpcError } from '../../src/shared/rpc/rpcError.ts';
import { element } from './element.ts';
import { connect } from './host.ts';
import { loadingText } from './loading.ts';
import type { Pending } from './pending.ts';

export class DocumentPage<Edit extends JsonEdit> {
  readonly channel: Channel;
  readonly #notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
  readonly #page = element('div', {}, loadingText());
  readonly #pending: () => Pending<Edit> | undefined;
  /** Handed over for saving: in the document with its next change. */
  #arriving: (() => void)[] = [];

  /** @param pending the form's typed text, once there is a form */
  constructor(pending: () => Pending<Edit> | undefined) {
    this.#pending = pending;
    (document.getElementById('root') ?? document.body).append(this.#notice, this.#page);
    this.channel = connect((error) => this.say(error));
    // Leaving the page commits typed text.
    window.addEventListener('blur', () => pending()?.flush());
    window.addEventListener('keydown', (event) => this.#undo(event), { capture: true });
  }

  say(error: unknown): void {
    if (RpcError.is(error, 'cancelled') || RpcError.is(error, 'closed')) return;
    const { message, remedy } = failureOf(error);
    this.#notice.hidden = false;
    this.#notice.textContent = `${message} ${remedy}`.trim();
  }

  async ask(question: Promise<unknown>): Promise<void> {
    try {
      await question;
      this.#notice.hidden = true;
    } catch (error) {
      this.say(error);
    }
  }

  /** After typed text is in the document. */
  afterTyping(question: () => Promise<unknown>): void {
    this.#pending()?.flush();
    void this.ask(question());
  }

  /** Replaces the page's content; nodes already shown stay. */
  show(...nodes: readonly HTMLElement[]): void {
    if (nodes.every((node) => node.isConnected)) return;
    this.#page.replaceChildren(...nodes);
  }

  /** The document arrived again and contains the sent edits. */
  changed(): void {
    for (const arrived of this.#arriving.splice(0)) arrived();
  }

  /** Returns the typed text, for a document that is about to be saved. */
  handOver(): readonly Edit[] {
    const taken = this.#pending()?.take();
    if (taken === undefined) return [];
    this.#arriving.push(taken.arrived);
    return taken.edits;
  }

  /** The editor undoes its last step; text typed after that step is dropped first. */
  #undo(event: KeyboardEvent): void {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!command || event.key.toLowerCase() !== 'z' || this.#pending()?.drop() !== true) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
