/** A chart in its frame: made once there is something to draw, redrawn afterwards. */
import type { ChartHost } from '../../charts/chartHost.ts';
import type { ChartFrame } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';

export class FramedChart {
  /** The place of the chart within its frame. */
  readonly place: HTMLElement;
  readonly #make: () => ChartHost;
  #host: ChartHost | null = null;

  /** @param name class of the place */
  constructor(name: string, make: () => ChartHost) {
    this.place = element('div', { class: name });
    this.#make = make;
  }

  show(frame: ChartFrame, { reading, note }: { reading: string; note: string }): void {
    frame.missing = null;
    frame.reading = reading;
    frame.note = note;
    frame.refresh();
    if (this.#host === null) {
      this.#host = this.#make();
      this.place.replaceChildren(this.#host.node);
    } else this.#host.redraw(reading);
  }
}
