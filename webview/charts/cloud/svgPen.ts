/** Draws into the text of an SVG file. Pure. */
import type { Fill, Lettering, Pen, Stroke } from './pen.ts';
import { drop, runsOf } from './textRuns.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import { defined } from '../../../src/shared/defined.ts';

export class SvgPen implements Pen {
  readonly #font: string;
  #parts: string[] = [];
  #clips = 0;

  constructor(font: string) {
    this.#font = font;
  }

  get content(): string {
    return this.#parts.join('');
  }

  rect(x: number, y: number, width: number, height: number, fill: Fill): void {
    this.#parts.push(`<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"${filled(fill)}/>`);
  }

  line(points: readonly number[], stroke: Stroke): void {
    this.#parts.push(`<path d="${path(points)}" fill="none"${stroked(stroke)}/>`);
  }

  area(points: readonly number[], fill: Fill): void {
    this.#parts.push(`<path d="${path(points)}Z"${filled(fill)}/>`);
  }

  /** One path for all: a line of no length with round ends is a dot of a few bytes. */
  dots(points: readonly number[], radius: number, look: Fill | Stroke): void {
    if ('width' in look) {
      const r = at(radius);
      const circle = (x: number, y: number): string =>
        `M${at(x - radius)} ${at(y)}a${r} ${r} 0 1 0 ${at(2 * radius)} 0a${r} ${r} 0 1 0 ${at(-2 * radius)} 0`;
      this.#parts.push(`<path d="${each(points, circle)}" fill="none"${stroked(look)}/>`);
      return;
    }
    const dots = each(points, (x, y) => `M${at(x)} ${at(y)}h0`);
    const { colour, opacity } = look;
    this.#parts.push(
      `<path d="${dots}" fill="none" stroke-linecap="round"${stroked({ colour, width: 2 * radius, ...defined({ opacity }) })}/>`,
    );
  }

  text(x: number, y: number, text: string, { colour, size, bold = false, anchor = 'start' }: Lettering): void {
    this.#parts.push(
      `<text x="${at(x)}" y="${at(y)}" dy="0.35em" font-family="${escaped(this.#font)}" font-size="${size}"` +
        `${bold ? ' font-weight="600"' : ''} text-anchor="${anchor}" fill="${colour}">${spans(text)}</text>`,
    );
  }

  clip(x: number, y: number, width: number, height: number, draw: () => void): void {
    this.#clips += 1;
    const id = `clip${this.#clips}`;
    this.#parts.push(
      `<clipPath id="${id}"><rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"/></clipPath><g clip-path="url(#${id})">`,
    );
    draw();
    this.#parts.push('</g>');
  }
}

/** A tenth of a pixel is finer than any screen. */
const at = (pixels: number): string => String(Math.round(pixels * 10) / 10);

function each(points: readonly number[], draw: (x: number, y: number) => string): string {
  let text = '';
  for (let i = 0; i < points.length; i += 2) text += draw(points[i] ?? outOfRange(), points[i + 1] ?? outOfRange());
  return text;
}

/** A shift applies to all following text: the next run on the line reverses it. */
function spans(text: string): string {
  let low = false;
  return runsOf(text)
    .map((run) => {
      const shift = run.low === low ? '' : ` dy="${run.low ? drop : -drop}"`;
      low = run.low;
      return `<tspan${shift}${run.low ? ' font-size="0.78em"' : ''}>${escaped(run.text)}</tspan>`;
    })
    .join('');
}

const path = (points: readonly number[]): string => each(points, (x, y) => `L${at(x)} ${at(y)}`).replace('L', 'M');
const opacity = (share: number | undefined): string => (share === undefined ? '' : ` opacity="${share}"`);
const filled = (fill: Fill): string => ` fill="${fill.colour}"${opacity(fill.opacity)}`;
const stroked = (stroke: Stroke): string =>
  ` stroke="${stroke.colour}" stroke-width="${stroke.width}"${stroke.dash === undefined ? '' : ` stroke-dasharray="${stroke.dash.join(' ')}"`}${opacity(stroke.opacity)}`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
