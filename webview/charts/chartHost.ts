/**
 * The frame of every chart: a drawing that follows its container's width, a description for screen readers, and a
 * reader: pointer or arrow keys move over the chart's stops, and a tooltip and a screen reader give the values there.
 */
import { select, type Selection } from 'd3';
import { element } from '../lib/element.ts';
import { followCrosshair, moveCrosshair } from './crosshair.ts';

export type Drawing = Selection<SVGSVGElement, unknown, null, undefined>;

/** One place in a chart that can be read. */
export interface Stop {
  /** Pixels in the drawing: where the tooltip points. */
  x: number;
  y: number;
  /** Lines of text, the first one the heading. */
  text: readonly string[];
  /** The epoch it stands for: other charts of the page mark it, too. */
  epoch?: number;
  /** Its parts, read with the up and down keys. */
  parts?: readonly Stop[];
}

export interface Reader {
  /** The stops of moving left and right, in order. */
  stops: readonly Stop[];
  /** The stop, or part of one, at a point; null far from everything. */
  nearest(x: number, y: number): Stop | null;
  /** Shows which stop is being read; null when none is. */
  mark(stop: Stop | null): void;
  /** Click or Enter on a stop. */
  choose?(stop: Stop): void;
}

export interface ChartOptions {
  /** Short name for assistive technology: `Mean p̂ by epoch`. */
  name: string;
  /** One sentence: the chart's message. */
  reading: string;
  height(width: number): number;
  draw(drawing: Drawing, width: number, height: number): Reader | null;
}

export class ChartHost {
  readonly node: HTMLElement;
  readonly #options: ChartOptions;
  readonly #svg: Drawing;
  readonly #reading: HTMLElement;
  readonly #tooltip: HTMLElement;
  #reader: Reader | null = null;
  #width = 0;
  #at = { stop: 0, part: -1 };

  constructor(options: ChartOptions) {
    this.#options = options;
    this.node = element('div', { class: 'chart' });
    this.#svg = select(this.node).append('svg').attr('role', 'img').attr('aria-label', options.reading);
    this.#reading = element('div', {
      class: 'chart-reader',
      role: 'slider',
      tabindex: '0',
      'aria-label': options.name,
      'aria-valuemin': '1',
    });
    this.#tooltip = element('div', { class: 'tooltip', 'aria-hidden': 'true', hidden: '' });
    this.node.append(this.#reading, this.#tooltip);
    this.#listen();
    followCrosshair(this.node, (epoch) => this.#follow(epoch));
    // A frame later: drawing inside the observer's callback changes the height that it observes.
    new ResizeObserver(() => requestAnimationFrame(() => this.#resize())).observe(this.node);
  }

  /** Draws again, for data that changed. */
  redraw(reading: string = this.#options.reading): void {
    if (this.#width === 0) return;
    const height = this.#options.height(this.#width);
    this.#svg.selectChildren().remove();
    this.#svg
      .attr('aria-label', reading)
      .attr('viewBox', `0 0 ${this.#width} ${height}`)
      .attr('width', this.#width)
      .attr('height', height);
    this.#reader = this.#options.draw(this.#svg, this.#width, height);
    const stops = this.#reader?.stops.length ?? 0;
    this.#reading.hidden = stops === 0;
    this.#reading.setAttribute('aria-valuemax', String(stops));
    // Reading starts at the end: readers usually want the newest state first.
    this.#at = { stop: stops - 1, part: -1 };
    this.#say(this.#current());
    this.#tooltip.hidden = true;
  }

  #resize(): void {
    const width = Math.floor(this.node.clientWidth);
    if (width === this.#width || width === 0) return;
    this.#width = width;
    this.redraw();
  }

  #current(): Stop | null {
    const stop = this.#reader?.stops[this.#at.stop];
    return stop?.parts?.[this.#at.part] ?? stop ?? null;
  }

  #say(stop: Stop | null): void {
    this.#reading.setAttribute('aria-valuenow', String(this.#at.stop + 1));
    this.#reading.setAttribute('aria-valuetext', stop === null ? '' : stop.text.join('; '));
  }

  /** Marks the epoch that another chart reads. */
  #follow(epoch: number | null): void {
    const stop = epoch === null ? undefined : this.#reader?.stops.find((one) => one.epoch === epoch);
    this.#reader?.mark(stop ?? null);
    this.#tooltip.hidden = true;
  }

  #show(stop: Stop | null): void {
    this.#reader?.mark(stop);
    moveCrosshair(this.node, stop?.epoch ?? null);
    this.#tooltip.hidden = stop === null;
    if (stop === null) return;
    const [heading = '', ...lines] = stop.text;
    this.#tooltip.replaceChildren(element('strong', {}, heading), ...lines.map((line) => element('span', {}, line)));
    const { offsetWidth, offsetHeight } = this.#tooltip;
    const right = stop.x + 14;
    const left = right + offsetWidth > this.#width ? Math.max(0, stop.x - 14 - offsetWidth) : right;
    const top = Math.max(0, Math.min(stop.y - offsetHeight / 2, this.node.clientHeight - offsetHeight));
    this.#tooltip.style.setProperty('left', `${left}px`);
    this.#tooltip.style.setProperty('top', `${top}px`);
  }

  #listen(): void {
    const point = (event: PointerEvent | MouseEvent): Stop | null => {
      const { left, top } = this.#reading.getBoundingClientRect();
      return this.#reader?.nearest(event.clientX - left, event.clientY - top) ?? null;
    };
    const on = this.#reading.addEventListener.bind(this.#reading);
    on('pointermove', (event) => this.#show(point(event)));
    on('pointerdown', (event) => this.#show(point(event)));
    on('pointerleave', () => this.#show(null));
    on('click', (event) => {
      const stop = point(event);
      if (stop !== null) this.#reader?.choose?.(stop);
    });
    on('focus', () => {
      if (this.#reading.matches(':focus-visible')) this.#show(this.#current());
    });
    on('blur', () => this.#show(null));
    on('keydown', (event) => {
      if (this.#press(event.key)) event.preventDefault();
    });
  }

  #press(key: string): boolean {
    const stops = this.#reader?.stops ?? [];
    const parts = stops[this.#at.stop]?.parts?.length ?? 0;
    const move = (stop: number, part: number): void => {
      this.#at = { stop: clamp(stop, stops.length), part: part < 0 ? -1 : clamp(part, parts) };
    };
    const { stop, part } = this.#at;
    if (key === 'ArrowLeft') move(stop - 1, -1);
    else if (key === 'ArrowRight') move(stop + 1, -1);
    else if (key === 'PageDown') move(stop - 10, -1);
    else if (key === 'PageUp') move(stop + 10, -1);
    else if (key === 'Home') move(0, -1);
    else if (key === 'End') move(stops.length - 1, -1);
    else if (key === 'ArrowUp' && parts > 0) move(stop, part + 1);
    else if (key === 'ArrowDown' && parts > 0) move(stop, part - 1);
    else if (key === 'Escape') {
      this.#show(null);
      return true;
    } else if (key === 'Enter') {
      const current = this.#current();
      if (current !== null) this.#reader?.choose?.(current);
      return current !== null;
    } else return false;
    this.#say(this.#current());
    this.#show(this.#current());
    return true;
  }
}

const clamp = (index: number, length: number): number => Math.max(0, Math.min(length - 1, index));

/** The stop whose x is nearest: how charts over epochs are read. */
export function nearestByX(stops: readonly Stop[], x: number): Stop | null {
  let best: Stop | null = null;
  for (const stop of stops) if (best === null || Math.abs(stop.x - x) < Math.abs(best.x - x)) best = stop;
  return best;
}

/** The stop nearest in the plane, within `reach` pixels. */
export function nearestWithin(stops: readonly Stop[], x: number, y: number, reach: number): Stop | null {
  let best: Stop | null = null;
  let distance = reach;
  for (const stop of stops) {
    const away = Math.hypot(stop.x - x, stop.y - y);
    if (away <= distance) {
      best = stop;
      distance = away;
    }
  }
  return best;
}
