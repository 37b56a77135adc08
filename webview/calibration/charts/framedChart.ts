/** A chart in its frame: made, and its code loaded, once there is something to draw; redrawn afterwards. */
import type { ChartHost } from '../../charts/chartHost.ts';
import type { ChartFrame } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';

export class FramedChart {
  /** The place of the chart within its frame. */
  readonly place: HTMLElement;
  readonly #make: () => ChartHost | Promise<ChartHost>;
  #host: ChartHost | null = null;
  #making = false;
  #reading = '';

  /** @param name class of the place */
  constructor(name: string, make: () => ChartHost | Promise<ChartHost>) {
    this.place = element('div', { class: name });
    this.#make = make;
  }

  show(frame: ChartFrame, { reading, note }: { reading: string; note: string }): void {
    frame.missing = null;
    frame.reading = reading;
    frame.note = note;
    frame.refresh();
    this.#reading = reading;
    if (this.#host !== null) this.#host.redraw(reading);
    else if (!this.#making) void this.#mount();
  }

  async #mount(): Promise<void> {
    this.#making = true;
    this.#host = await this.#make();
    this.place.replaceChildren(this.#host.node);
    this.#host.redraw(this.#reading);
  }
}
