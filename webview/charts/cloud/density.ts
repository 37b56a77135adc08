/**
 * Very many marks as one picture: each adds to a grid of counts, one cell a device pixel, and counts become opacity. What
 * it costs hardly depends on how many there are: 100,000 take a few milliseconds without a graphics card.
 */
import { components } from './palette.ts';
import type { CloudIndex } from './cloudIndex.ts';
import type { Plane } from './cloudView.ts';

export class DensityLayer {
  readonly #canvas = document.createElement('canvas');
  #image: ImageData | null = null;
  #kept = new Uint16Array(0);
  #dropped = new Uint16Array(0);
  #colour = '';
  #word = 0;

  /** Draws the stretches from `first` up to `end` into the plane's box. @param scale device pixels a pixel */
  draw(
    context: CanvasRenderingContext2D,
    index: CloudIndex,
    plane: Plane,
    [first, end]: readonly [number, number],
    look: { ink: string; scale: number },
  ): void {
    const { left, top, right, bottom } = plane.box;
    const width = Math.max(1, Math.round((right - left) * look.scale));
    const height = Math.max(1, Math.round((bottom - top) * look.scale));
    const image = this.#sized(width, height);
    this.#count(index, plane, [first, end], look.scale, width, height);
    const marks = (index.stretches[end - 1]?.to ?? 0) - (index.stretches[first]?.from ?? 0);
    this.#shade(image, look.ink, marks / (width * height));
    this.#canvas.getContext('2d')?.putImageData(image, 0, 0);
    context.drawImage(this.#canvas, left, top, right - left, bottom - top);
  }

  #sized(width: number, height: number): ImageData {
    const known = this.#image;
    if (known !== null && known.width === width && known.height === height) {
      this.#kept.fill(0);
      this.#dropped.fill(0);
      return known;
    }
    this.#canvas.width = width;
    this.#canvas.height = height;
    // A border of two cells, so that marks at the edges need no test of their own.
    this.#kept = new Uint16Array((width + 4) * (height + 4));
    this.#dropped = new Uint16Array((width + 4) * (height + 4));
    this.#image = new ImageData(width, height);
    return this.#image;
  }

  #count(
    index: CloudIndex,
    plane: Plane,
    [first, end]: readonly [number, number],
    scale: number,
    width: number,
    height: number,
  ): void {
    const { rate, kept: keptBy, stretches } = index;
    const [kept, dropped] = [this.#kept, this.#dropped];
    const stride = width + 4;
    const base = (plane.box.bottom - plane.box.top + plane.view.y[0] * plane.rise) * scale;
    const rise = plane.rise * scale;
    for (let i = first; i < end; i++) {
      const stretch = stretches[i];
      if (stretch === undefined) continue;
      const { epoch, from, to } = stretch;
      const spread = plane.spread(to - from) * scale;
      const step = spread / (to - from);
      let x = (plane.x(epoch) - plane.box.left) * scale - spread / 2 + step / 2;
      for (let place = from; place < to; place++, x += step) {
        const column = x | 0;
        const row = (base - (rate[place] ?? 0) * rise) | 0;
        if (x < 0 || column >= width || row < 0 || row >= height) continue;
        const grid = keptBy[place] === 1 ? kept : dropped;
        const cell = (row + 2) * stride + column + 2;
        // A mark of five cells: one pixel alone is too faint to be seen.
        grid[cell] = (grid[cell] ?? 0) + 2;
        grid[cell - 1] = (grid[cell - 1] ?? 0) + 1;
        grid[cell + 1] = (grid[cell + 1] ?? 0) + 1;
        grid[cell - stride] = (grid[cell - stride] ?? 0) + 1;
        grid[cell + stride] = (grid[cell + stride] ?? 0) + 1;
      }
    }
  }

  #shade(image: ImageData, ink: string, marksPerPixel: number): void {
    if (ink !== this.#colour) {
      const [red, green, blue] = components(ink);
      this.#colour = ink;
      this.#word = (blue << 16) | (green << 8) | red;
    }
    const opacities = opacitiesFor(marksPerPixel);
    const words = new Uint32Array(image.data.buffer);
    const { width, height } = image;
    const stride = width + 4;
    const [kept, dropped, word] = [this.#kept, this.#dropped, this.#word];
    for (let row = 0; row < height; row++) {
      let cell = (row + 2) * stride + 2;
      const line = row * width;
      for (let column = 0; column < width; column++, cell++) {
        const count = 3 * (kept[cell] ?? 0) + (dropped[cell] ?? 0);
        words[line + column] = count === 0 ? 0 : ((opacities[count < most ? count : most - 1] ?? 0) << 24) | word;
      }
    }
  }
}

const most = 256;

/** What was left out of the update counts a third; the denser the whole, the fainter each mark. */
function opacitiesFor(marksPerPixel: number): Uint8Array {
  const one = Math.min(0.3, Math.max(0.035, 0.02 / Math.max(1e-6, marksPerPixel)));
  return Uint8Array.from({ length: most }, (_, count) => Math.round(255 * 0.92 * (1 - (1 - one) ** count)));
}
