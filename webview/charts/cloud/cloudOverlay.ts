/** The layer over the cloud: the selection, the current reading, and its tooltip. */
import { element } from '../../lib/element.ts';
import type { CloudStop } from './cloudStop.ts';
import type { Palette } from './colours.ts';
import { CanvasPen } from './canvasPen.ts';
import type { CloudFrame } from './cloudData.ts';

/** Epochs and rates, ends included. */
export interface Range {
  epochs: readonly [number, number];
  rates: readonly [number, number];
}

export interface PlacedStop {
  stop: CloudStop;
  x: number;
  y: number;
  /** Of a family: drawn while it is read. */
  interval: { low: number; high: number } | null;
}

export class CloudOverlay {
  readonly node: HTMLElement;
  /** Takes pointer and keys. */
  readonly reader: HTMLElement;
  selection: Range | null = null;
  /** Where a selection by keys began. */
  anchor: number | null = null;
  readonly #canvas = element('canvas', { 'aria-hidden': 'true' });
  readonly #tooltip = element('div', { class: 'tooltip', 'aria-hidden': 'true', hidden: '' });
  #frame: CloudFrame | null = null;
  #palette: Palette | null = null;
  #scale = 1;
  #shown: PlacedStop | null = null;

  constructor(name: string) {
    this.reader = element('div', {
      class: 'chart-reader',
      role: 'slider',
      tabindex: '0',
      'aria-label': name,
      'aria-valuemin': '1',
      'data-drag': 'select',
    });
    this.node = element('div', { class: 'cloud-overlay' }, this.#canvas, this.reader, this.#tooltip);
    this.reader.addEventListener('blur', () => this.show(null, []));
  }

  resize(frame: CloudFrame, palette: Palette, scale: number): void {
    this.#frame = frame;
    this.#palette = palette;
    this.#scale = scale;
    this.#draw();
  }

  select(range: Range | null): void {
    this.selection = range;
    if (range === null) this.anchor = null;
    this.#draw();
  }

  /** The current reading. */
  get shown(): CloudStop | null {
    return this.#shown?.stop ?? null;
  }

  say(at: number, of: number, text: readonly string[]): void {
    this.reader.setAttribute('aria-valuemax', String(Math.max(1, of)));
    this.reader.setAttribute('aria-valuenow', String(Math.max(1, at)));
    this.reader.setAttribute('aria-valuetext', text.join('; '));
  }

  show(placed: PlacedStop | null, text: readonly string[]): void {
    const before = this.#shown;
    this.#shown = placed;
    this.reader.classList.toggle('on-family', placed?.stop.place != null);
    if (placed !== null || before !== null) this.#draw();
    this.#tooltip.hidden = placed === null || text.length === 0;
    if (placed === null || this.#frame === null) return;
    const [heading = '', ...lines] = text;
    this.#tooltip.replaceChildren(element('strong', {}, heading), ...lines.map((line) => element('span', {}, line)));
    const { offsetWidth, offsetHeight } = this.#tooltip;
    const right = placed.x + 14;
    const left = right + offsetWidth > this.#frame.width ? Math.max(0, placed.x - 14 - offsetWidth) : right;
    const top = Math.max(0, Math.min(placed.y - offsetHeight / 2, this.#frame.height - offsetHeight));
    this.#tooltip.style.setProperty('left', `${left}px`);
    this.#tooltip.style.setProperty('top', `${top}px`);
  }

  #draw(): void {
    const [frame, palette, scale] = [this.#frame, this.#palette, this.#scale];
    if (frame === null || palette === null) return;
    const [width, height] = [Math.round(frame.width * scale), Math.round(frame.height * scale)];
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#canvas.style.height = `${frame.height}px`;
    }
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, frame.width, frame.height);
    const pen = new CanvasPen(context, palette.font);
    const { left, top, right, bottom } = frame.plane.box;
    pen.clip(left, top, right - left, bottom - top, () => {
      this.#drawSelection(pen, frame, palette);
      this.#drawStop(pen, frame, palette);
    });
  }

  #drawSelection(pen: CanvasPen, { plane }: CloudFrame, { colours }: Palette): void {
    if (this.selection === null) return;
    const { epochs, rates } = this.selection;
    const [x0, x1] = [plane.x(epochs[0] - 0.5), plane.x(epochs[1] + 0.5)];
    const [y0, y1] = [plane.y(rates[1]), plane.y(rates[0])];
    pen.rect(x0, y0, x1 - x0, y1 - y0, { colour: colours.focus, opacity: 0.14 });
    pen.line([x0, y0, x1, y0, x1, y1, x0, y1, x0, y0], { colour: colours.focus, width: 1.5 });
  }

  #drawStop(pen: CanvasPen, { plane }: CloudFrame, { colours }: Palette): void {
    const placed = this.#shown;
    if (placed === null) return;
    const { x, y, stop, interval } = placed;
    if (stop.place === null) {
      pen.line([x, plane.box.top, x, plane.box.bottom], { colour: colours.ink, width: 1, opacity: 0.55 });
      return;
    }
    pen.line([plane.box.left, y, plane.box.right, y], { colour: colours.ink, width: 1, dash: [1, 3], opacity: 0.5 });
    if (interval !== null) {
      pen.line([x, plane.y(interval.low), x, plane.y(interval.high)], { colour: colours.ink, width: 2.2 });
    }
    pen.dots([x, y], 5.5, { colour: colours.ink, width: 1.6 });
  }
}
