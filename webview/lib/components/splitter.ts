/** The divider between two panes side by side, moved by mouse or keys. */
import { element } from '../element.ts';

/** In percent of both together. */
const [least, most, step] = [20, 70, 2];

export interface SplitterOptions {
  /** The sized pane's name for screen readers. */
  name: string;
  /** Holds both panes: its `--first` is the first one's part. */
  panes: HTMLElement;
  /** The first pane's part, also restored by a double click, in percent. */
  share: number;
  usual: number;
  moved: () => void;
}

export class Splitter {
  readonly node: HTMLElement;
  readonly #options: SplitterOptions;
  #share = 0;

  constructor(options: SplitterOptions) {
    this.#options = options;
    this.node = element('div', {
      ...{ class: 'splitter', role: 'separator', tabindex: '0', 'aria-orientation': 'vertical' },
      ...{ 'aria-label': options.name, 'aria-valuemin': String(least), 'aria-valuemax': String(most) },
    });
    this.#place(options.share);
    this.node.addEventListener('keydown', (event) => this.#key(event));
    this.node.addEventListener('dblclick', () => this.#move(options.usual));
    this.node.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      // Prevents text selection during the drag.
      event.preventDefault();
      this.node.focus();
      this.node.setPointerCapture(event.pointerId);
    });
    this.node.addEventListener('pointermove', ({ pointerId, clientX }) => {
      if (!this.node.hasPointerCapture(pointerId)) return;
      this.#move(this.#shareAt(clientX));
    });
  }

  /** The first pane's part, in percent. */
  get share(): number {
    return this.#share;
  }

  #key(event: KeyboardEvent): void {
    const to = new Map([
      ['ArrowLeft', this.#share - step],
      ['ArrowRight', this.#share + step],
      ['Home', least],
      ['End', most],
    ]).get(event.key);
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#move(to);
  }

  #move(share: number): void {
    this.#place(share);
    // In a small window the panes' own least widths count.
    this.#place(this.#shareAt(this.node.getBoundingClientRect().left));
    this.#options.moved();
  }

  #shareAt(x: number): number {
    const { left, width } = this.#options.panes.getBoundingClientRect();
    return (100 * (x - left)) / width;
  }

  #place(share: number): void {
    this.#share = Math.min(most, Math.max(least, share));
    this.#options.panes.style.setProperty('--first', `${this.#share}%`);
    this.node.setAttribute('aria-valuenow', String(Math.round(this.#share)));
  }
}
