/**
 * Very many marks as one picture: each adds to a grid of counts, one cell a device pixel, and counts become opacity,
 * relative to the fullest cell. 100,000 marks take a few milliseconds without a graphics card.
 */
import { components } from './palette.ts';
import type { CloudIndex } from './cloudIndex.ts';
import type { Plane } from './cloudView.ts';

export class DensityLayer {
  readonly #canvas = document.createElement('canvas');
  #image: ImageData | null = null;
  #kept = new Uint16Array(0);
  #dropped = new Uint16Array(0);
  readonly #words = new Map<string, number>();

  /** Draws the stretches from `first` up to `end` into the plane's box. @param scale device pixels a pixel */
  draw(
    context: CanvasRenderingContext2D,
    index: CloudIndex,
    plane: Plane,
    [first, end]: readonly [number, number],
    look: { kept: string; dropped: string; scale: number },
  ): void {
    const { left, top, right, bottom } = plane.box;
    const width = Math.max(1, Math.round((right - left) * look.scale));
    const height = Math.max(1, Math.round((bottom - top) * look.scale));
    const image = this.#sized(width, height);
    this.#count(index, plane, [first, end], look.scale, width, height);
    this.#shade(image, this.#word(look.kept), this.#word(look.dropped));
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
    // A border, so that marks at the edges need no test of their own.
    this.#kept = new Uint16Array((width + 2 * border) * (height + 2 * border));
    this.#dropped = new Uint16Array((width + 2 * border) * (height + 2 * border));
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
    const { attempts } = index.columns;
    const [kept, dropped] = [this.#kept, this.#dropped];
    const stride = width + 2 * border;
    const base = (plane.box.bottom - plane.box.top + plane.view.y[0] * plane.rise) * scale;
    const rise = plane.rise * scale;
    for (let i = first; i < end; i++) {
      const stretch = stretches[i];
      if (stretch === undefined) continue;
      const { epoch, from, to } = stretch;
      const spread = plane.spread(to - from) * scale;
      const step = spread / (to - from);
      // p̂ of n attempts has n + 1 values: marks grow towards each other, as far as they do not touch.
      const values = attempts[index.family[from] ?? 0] ?? 1;
      const half = Math.max(1, Math.min(border - 1, Math.round((0.3 * rise) / values)));
      let x = (plane.x(epoch) - plane.box.left) * scale - spread / 2 + step / 2;
      for (let place = from; place < to; place++, x += step) {
        const column = x | 0;
        const row = (base - (rate[place] ?? 0) * rise) | 0;
        if (x < 0 || column >= width || row < 0 || row >= height) continue;
        const grid = keptBy[place] === 1 ? kept : dropped;
        const middle = (row + border) * stride + column + border;
        for (let cell = middle - half * stride; cell <= middle + half * stride; cell += stride) {
          grid[cell] = (grid[cell] ?? 0) + 1;
        }
      }
    }
  }

  #shade(image: ImageData, kept: number, dropped: number): void {
    const words = new Uint32Array(image.data.buffer);
    const { width, height } = image;
    const stride = width + 2 * border;
    const [keptBy, droppedBy] = [this.#kept, this.#dropped];
    let fullest = 1;
    for (let cell = border * stride; cell < keptBy.length - border * stride; cell++) {
      const count = (keptBy[cell] ?? 0) + (droppedBy[cell] ?? 0);
      if (count > fullest) fullest = count;
    }
    const opacities = opacitiesUpTo(fullest);
    for (let row = 0; row < height; row++) {
      let cell = (row + border) * stride + border;
      const line = row * width;
      for (let column = 0; column < width; column++, cell++) {
        const inside = keptBy[cell] ?? 0;
        const count = inside + (droppedBy[cell] ?? 0);
        words[line + column] = count === 0 ? 0 : ((opacities[count] ?? 0) << 24) | (inside > 0 ? kept : dropped);
      }
    }
  }

  /** A colour without opacity, as it lies in the memory of a picture. */
  #word(colour: string): number {
    const known = this.#words.get(colour);
    if (known !== undefined) return known;
    const [red, green, blue] = components(colour);
    const word = (blue << 16) | (green << 8) | red;
    this.#words.set(colour, word);
    return word;
  }
}

/** Cells around the picture; no mark reaches further. */
const border = 8;

/** By the square root: single marks are still seen beside hundreds on one spot. */
const opacitiesUpTo = (fullest: number): Uint8Array =>
  Uint8Array.from({ length: fullest + 1 }, (_, count) => Math.round(255 * (0.16 + 0.8 * Math.sqrt(count / fullest))));
