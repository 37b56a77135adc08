/**
 * Every family of every epoch against the band, on canvas: pan, zoom, select and read, by pointer or by keys. The
 * picture is drawn when data, size, theme or view change; pointer feedback is on a separate layer.
 */
import { followCrosshair, moveCrosshair } from '../crosshair.ts';
import { familyRate } from '../families/familyRate.ts';
import { element } from '../../lib/element.ts';
import { CloudGestures, type DragMode } from './cloudGestures.ts';
import type { CloudIndex } from './cloudIndex.ts';
import { CloudOverlay, type PlacedStop, type Range } from './cloudOverlay.ts';
import { densityOf, paintCloud, type Density } from './cloudPaint.ts';
import { nearestFamily, type CloudStop } from './cloudStop.ts';
import { panned, Plane, wholeView, within, zoomed, type View } from './cloudView.ts';
import type { Palette } from './colours.ts';
import { onThemeChange } from '../../lib/colours/themeChange.ts';
import { readPalette } from './palette.ts';
import { CanvasPen } from './canvasPen.ts';
import { wrapped } from '../../lib/svgText.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { CloudData, CloudFrame } from './cloudData.ts';

export interface CloudOptions {
  /** Short name for assistive technology. */
  name: string;
  index: CloudIndex;
  /** Lines of text about a stop, the first one the heading. */
  text: (stop: CloudStop) => readonly string[];
  /** An epoch was chosen to be looked at. */
  onEpoch: (epoch: number) => void;
  /** A family was chosen. */
  onFamily: (epoch: number, place: number) => void;
  /** The selection changed; null for none. */
  onSelect: (range: Range | null) => void;
  /** The visible part changed; null is all. */
  onView: (view: View | null) => void;
  /** It was drawn, the families like this. */
  onDrawn: (density: Density) => void;
}

export class CloudChart {
  readonly node: HTMLElement;
  readonly #options: CloudOptions;
  readonly #canvas = element('canvas', { role: 'img' });
  readonly #overlay: CloudOverlay;
  #palette: Palette | null = null;
  #data: CloudData;
  #planned = 0;
  /** Null: all that was measured, growing with it. */
  #view: View | null = null;
  #frame: CloudFrame | null = null;
  #drawing = 0;
  #reading: CloudStop | null = null;

  constructor(options: CloudOptions) {
    this.#options = options;
    this.#data = { epochs: [], index: options.index, changes: [], looked: null, preview: null };
    this.#overlay = new CloudOverlay(options.name);
    this.node = element('div', { class: 'cloud' }, this.#canvas, this.#overlay.node);
    new CloudGestures(this.#overlay.reader, {
      frame: () => this.#frame,
      hover: (x, y) => this.#hover(x, y),
      leave: () => this.#show(null),
      click: (x, y) => this.#click(x, y),
      zoom: (factor, at) => this.zoom(factor, at),
      pan: (dx, dy) => this.pan(dx, dy),
      select: (range) => this.select(range),
      key: (event) => this.#press(event),
    });
    // A frame later: drawing inside the observer's callback changes the height that it observes.
    new ResizeObserver(() => this.draw()).observe(this.node);
    followCrosshair(this.node, (epoch) =>
      this.#overlay.show(epoch === null ? null : this.#placed({ epoch, place: null }), []),
    );
    onThemeChange(() => {
      this.#palette = null;
      this.draw();
    });
  }

  set mode(mode: DragMode) {
    this.#overlay.reader.dataset['drag'] = mode;
  }

  get view(): View | null {
    return this.#view;
  }

  get selection(): Range | null {
    return this.#overlay.selection;
  }

  /** @param planned epochs that the run is to have */
  show(data: CloudData, planned: number, reading: string): void {
    this.#data = data;
    this.#planned = planned;
    this.#canvas.setAttribute('aria-label', reading);
    const last = data.epochs.length - 1;
    const at = this.#reading;
    const known = at !== null && data.epochs.some(({ epoch }) => epoch === at.epoch);
    const newest = data.epochs[last];
    if (!known) this.#reading = newest === undefined ? null : { epoch: newest.epoch, place: null };
    this.#overlay.reader.hidden = data.epochs.length === 0;
    this.#say();
    this.draw();
  }

  /** Null shows all. */
  look(view: View | null): void {
    this.#view = view === null ? null : within(view, this.#whole());
    this.draw();
    this.#options.onView(this.#view);
  }

  zoom(factor: { x: number; y: number }, at?: { x: number; y: number }): void {
    const view = this.#current();
    const middle = { x: (view.x[0] + view.x[1]) / 2, y: (view.y[0] + view.y[1]) / 2 };
    this.#lookAt(zoomed(view, this.#whole(), factor, at ?? middle));
  }

  pan(dx: number, dy: number): void {
    this.#lookAt(panned(this.#current(), this.#whole(), dx, dy));
  }

  select(range: Range | null): void {
    this.#overlay.select(range);
    this.#options.onSelect(range);
  }

  /** Repeats the current reading: more facts are known now. */
  retell(): void {
    const stop = this.#overlay.shown;
    if (stop !== null) this.#overlay.show(this.#placed(stop), this.#options.text(stop));
    this.#say();
  }

  /** As a click on it would. */
  choose({ epoch, place }: CloudStop): void {
    if (place === null) this.#options.onEpoch(epoch);
    else this.#options.onFamily(epoch, place);
  }

  /** Draws with the next frame. */
  draw(): void {
    if (this.#drawing !== 0) return;
    this.#drawing = requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#drawNow();
    });
  }

  /** The visible part as an SVG file. */
  async svg(): Promise<string | null> {
    const { SvgPen } = await import('./svgPen.ts');
    const frame = this.#frame;
    if (frame === null) return null;
    const palette = this.#colours();
    const pen = new SvgPen(palette.font);
    paintCloud(pen, this.#data, frame, palette);
    return wrapped(pen.content, frame.width, frame.height, palette.colours.paper);
  }

  #lookAt(view: View): void {
    const whole = this.#whole();
    const all =
      view.x[0] === whole.x[0] && view.x[1] === whole.x[1] && view.y[0] === whole.y[0] && view.y[1] === whole.y[1];
    this.look(all ? null : view);
  }

  #whole(): View {
    const { epochs } = this.#data;
    return wholeView(epochs[0]?.epoch ?? 1, epochs.at(-1)?.epoch ?? 1, this.#planned);
  }

  #current(): View {
    return this.#view ?? this.#whole();
  }

  #colours(): Palette {
    return (this.#palette ??= readPalette(this.node));
  }

  #drawNow(): void {
    const width = Math.floor(this.node.clientWidth);
    if (width === 0) return;
    const height = width < 640 ? 320 : width < 1100 ? 380 : 420;
    const frame = frameOf(this.#current(), width, height);
    this.#frame = frame;
    const scale = devicePixelRatio;
    const context = sized(this.#canvas, width, height, scale);
    if (context === null) return;
    const palette = this.#colours();
    paintCloud(new CanvasPen(context, palette.font), this.#data, frame, palette);
    this.#overlay.resize(frame, palette, scale);
    this.#options.onDrawn(densityOf(this.#data.index, frame.plane));
  }

  #hover(x: number, y: number): void {
    this.#show(this.#stopAt(x, y));
  }

  /** Reads a stop, here and, by its epoch, in the other charts of the page. */
  #show(stop: CloudStop | null): void {
    this.#overlay.show(this.#placed(stop), stop === null ? [] : this.#options.text(stop));
    moveCrosshair(this.node, stop?.epoch ?? null);
  }

  #click(x: number, y: number): void {
    const stop = this.#stopAt(x, y);
    if (stop !== null) this.choose(stop);
  }

  /** The family at a point, else its epoch; null outside the plane. */
  #stopAt(x: number, y: number): CloudStop | null {
    const frame = this.#frame;
    if (frame === null) return null;
    const { plane } = frame;
    if (x < plane.box.left || x > plane.box.right || y < plane.box.top || y > plane.box.bottom + 20) return null;
    const family = nearestFamily(this.#data.index, plane, x, y);
    if (family !== null) return family;
    const epoch = Math.round(plane.epochAt(x));
    return this.#data.epochs.some((one) => one.epoch === epoch) ? { epoch, place: null } : null;
  }

  #placed(stop: CloudStop | null): PlacedStop | null {
    if (stop === null || this.#frame === null) return null;
    return placeStop(stop, this.#data, this.#frame.plane);
  }

  #say(): void {
    const { epochs } = this.#data;
    const at = epochs.findIndex(({ epoch }) => epoch === this.#reading?.epoch);
    const text = this.#reading === null ? [] : this.#options.text(this.#reading);
    this.#overlay.say(at + 1, epochs.length, text);
  }

  /** @returns whether the key meant something here */
  #press(event: KeyboardEvent): boolean {
    const moved = this.#move(event.key, event.shiftKey);
    if (moved) {
      this.#say();
      this.#show(this.#reading);
      return true;
    }
    switch (event.key) {
      case 'Enter':
        if (this.#reading !== null) this.choose(this.#reading);
        return true;
      case '+':
      case '=':
        this.zoom({ x: 0.7, y: 1 }, this.#middle());
        return true;
      case '-':
        this.zoom({ x: 1 / 0.7, y: 1 / 0.7 }, this.#middle());
        return true;
      case '0':
        this.look(null);
        return true;
      case 'Escape':
        this.#show(null);
        this.select(null);
        return true;
      default:
        return false;
    }
  }

  /** The current reading keeps its place during zooming. */
  #middle(): { x: number; y: number } | undefined {
    return this.#reading === null ? undefined : { x: this.#reading.epoch, y: 0.5 };
  }

  #move(key: string, selecting: boolean): boolean {
    const { epochs, index } = this.#data;
    const at = epochs.findIndex(({ epoch }) => epoch === this.#reading?.epoch);
    const steps: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageDown: at - 10,
      PageUp: at + 10,
      Home: 0,
      End: epochs.length - 1,
    };
    const next = steps[key];
    if (next !== undefined) {
      const epoch = epochs[Math.max(0, Math.min(epochs.length - 1, next))]?.epoch;
      if (epoch === undefined) return false;
      const from = this.#overlay.anchor ?? this.#reading?.epoch ?? epoch;
      this.#reading = { epoch, place: null };
      if (selecting) {
        this.select({ epochs: [Math.min(from, epoch), Math.max(from, epoch)], rates: this.selection?.rates ?? [0, 1] });
        this.#overlay.anchor = from;
      } else this.#overlay.anchor = null;
      this.#follow(epoch);
      return true;
    }
    if ((key !== 'ArrowUp' && key !== 'ArrowDown') || this.#reading === null) return false;
    const stretch = index.stretch(this.#reading.epoch);
    if (stretch === undefined || stretch.to === stretch.from) return false;
    const { place } = this.#reading;
    const first = key === 'ArrowUp' ? stretch.from : stretch.to - 1;
    const step = key === 'ArrowUp' ? 1 : -1;
    const wanted = place === null ? first : place + step;
    this.#reading = { ...this.#reading, place: Math.max(stretch.from, Math.min(stretch.to - 1, wanted)) };
    return true;
  }

  /** Scrolls the current reading into view. */
  #follow(epoch: number): void {
    const { x } = this.#current();
    if (epoch - 0.5 < x[0]) this.pan(epoch - 0.5 - x[0], 0);
    else if (epoch + 0.5 > x[1]) this.pan(epoch + 0.5 - x[1], 0);
  }
}

function frameOf(view: View, width: number, height: number): CloudFrame {
  const narrow = width < 640;
  const kernelWidth = narrow ? 54 : Math.min(150, Math.max(100, width * 0.11));
  const labels = narrow ? 76 : 84;
  const right = width - kernelWidth - labels - 8;
  const box = { left: 44, right, top: 30, bottom: height - 26 };
  return {
    plane: new Plane(view, box),
    kernel: { left: right + labels, right: right + labels + kernelWidth },
    width,
    height,
  };
}

function sized(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  scale: number,
): CanvasRenderingContext2D | null {
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d');
  context?.setTransform(scale, 0, 0, scale, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

function placeStop(stop: CloudStop, { index, epochs }: CloudData, plane: Plane): PlacedStop {
  const stretch = index.stretch(stop.epoch);
  if (stop.place !== null && stretch !== undefined) {
    const { columns, family, rate } = index;
    const at = family[stop.place] ?? outOfRange();
    return {
      stop,
      x: plane.familyX(stop.epoch, stop.place - stretch.from, stretch.to - stretch.from),
      y: plane.y(rate[stop.place] ?? outOfRange()),
      interval: familyRate(columns, at),
    };
  }
  const mean = epochs.find(({ epoch }) => epoch === stop.epoch)?.mean;
  return { stop, x: plane.x(stop.epoch), y: plane.y(mean?.p ?? 0.5), interval: null };
}
