/** Pointer, wheel and keys over the cloud, translated into its actions. */
import type { Range } from './cloudOverlay.ts';
import type { Plane } from './cloudView.ts';
import type { CloudFrame } from './cloudData.ts';

/** The effect of dragging; with Alt or the middle button it pans in either mode. */
export type DragMode = 'select' | 'pan';

export interface Gestures {
  frame: () => CloudFrame | null;
  hover: (x: number, y: number) => void;
  leave: () => void;
  click: (x: number, y: number) => void;
  /** By a factor around a point of the plane. */
  zoom: (factor: { x: number; y: number }, at: { x: number; y: number }) => void;
  /** By epochs and rates. */
  pan: (dx: number, dy: number) => void;
  select: (range: Range | null) => void;
  /** @returns whether it meant something */
  key: (event: KeyboardEvent) => boolean;
}

interface Drag {
  x: number;
  y: number;
  pans: boolean;
  /** Further than a hand trembles. */
  moved: boolean;
}

const tremble = 4;

export class CloudGestures {
  readonly #node: HTMLElement;
  readonly #gestures: Gestures;
  #drag: Drag | null = null;

  constructor(node: HTMLElement, gestures: Gestures) {
    this.#node = node;
    this.#gestures = gestures;
    node.addEventListener('pointerdown', (event) => this.#down(event));
    node.addEventListener('pointermove', (event) => this.#moveTo(event));
    node.addEventListener('pointerup', (event) => this.#up(event));
    node.addEventListener('pointercancel', () => {
      this.#drag = null;
    });
    node.addEventListener('pointerleave', () => this.#gestures.leave());
    node.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    node.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.#gestures.key(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  #at(event: MouseEvent): { x: number; y: number } {
    const { left, top } = this.#node.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #down(event: PointerEvent): void {
    if (event.button > 1) return;
    const pans = event.button === 1 || event.altKey || this.#node.dataset['drag'] === 'pan';
    this.#drag = { ...this.#at(event), pans, moved: false };
    this.#node.setPointerCapture(event.pointerId);
    if (event.button === 1) event.preventDefault();
  }

  #moveTo(event: PointerEvent): void {
    const { x, y } = this.#at(event);
    const drag = this.#drag;
    const plane = this.#gestures.frame()?.plane;
    if (drag === null || plane === undefined) {
      this.#gestures.hover(x, y);
      return;
    }
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < tremble) return;
    if (!drag.moved) this.#gestures.leave();
    drag.moved = true;
    if (!drag.pans) {
      this.#gestures.select(rangeOf(plane, drag, { x, y }));
      return;
    }
    this.#gestures.pan((drag.x - x) / plane.column, (y - drag.y) / plane.rise);
    [drag.x, drag.y] = [x, y];
  }

  #up(event: PointerEvent): void {
    const drag = this.#drag;
    this.#drag = null;
    if (drag === null || drag.moved || event.button !== 0) return;
    const { x, y } = this.#at(event);
    this.#gestures.click(x, y);
  }

  /** Pinching and Ctrl or ⌘ zoom, Shift and sideways pan; a plain wheel belongs to the page. */
  #wheel(event: WheelEvent): void {
    const plane = this.#gestures.frame()?.plane;
    if (plane === undefined) return;
    const sideways = event.shiftKey ? event.deltaY + event.deltaX : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      const { x, y } = this.#at(event);
      const factor = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004);
      const at = { x: plane.epochAt(x), y: plane.rateAt(y) };
      this.#gestures.zoom({ x: factor, y: event.altKey ? factor : 1 }, at);
    } else if (Math.abs(sideways) > (event.shiftKey ? 0 : Math.abs(event.deltaY))) {
      this.#gestures.pan(sideways / plane.column, 0);
    } else return;
    event.preventDefault();
  }
}

/** Whole epochs, and the rates between two heights. */
function rangeOf(plane: Plane, from: { x: number; y: number }, to: { x: number; y: number }): Range {
  const epoch = (x: number): number =>
    Math.round(plane.epochAt(Math.min(plane.box.right, Math.max(plane.box.left, x))));
  const rate = (y: number): number => Math.round(100 * Math.min(1, Math.max(0, plane.rateAt(y)))) / 100;
  return {
    epochs: [epoch(Math.min(from.x, to.x)), epoch(Math.max(from.x, to.x))],
    rates: [rate(Math.max(from.y, to.y)), rate(Math.min(from.y, to.y))],
  };
}
