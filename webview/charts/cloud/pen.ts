/** What a drawing is made with: the same strokes go to the screen and into an SVG file. */
import { pieces } from '../../lib/symbols.ts';

export interface Stroke {
  colour: string;
  width: number;
  dash?: readonly number[];
  opacity?: number;
}

export interface Fill {
  colour: string;
  opacity?: number;
}

export interface Lettering {
  colour: string;
  size: number;
  bold?: boolean;
  anchor?: 'start' | 'middle' | 'end';
}

export interface Pen {
  rect(x: number, y: number, width: number, height: number, fill: Fill): void;
  /** x and y of each point in turn. */
  line(points: readonly number[], stroke: Stroke): void;
  area(points: readonly number[], fill: Fill): void;
  /** Round marks; rings when they have a stroke. */
  dots(points: readonly number[], radius: number, look: Fill | Stroke): void;
  /** Vertical middle at y. */
  text(x: number, y: number, text: string, lettering: Lettering): void;
  /** What is drawn inside stays within the rectangle. */
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
}

export class CanvasPen implements Pen {
  readonly #context: CanvasRenderingContext2D;
  readonly #font: string;

  constructor(context: CanvasRenderingContext2D, font: string) {
    this.#context = context;
    this.#font = font;
  }

  rect(x: number, y: number, width: number, height: number, fill: Fill): void {
    this.#fill(fill, (context) => context.fillRect(x, y, width, height));
  }

  line(points: readonly number[], stroke: Stroke): void {
    this.#stroke(stroke, (context) => {
      context.beginPath();
      trace(context, points);
      context.stroke();
    });
  }

  area(points: readonly number[], fill: Fill): void {
    this.#fill(fill, (context) => {
      context.beginPath();
      trace(context, points);
      context.fill();
    });
  }

  dots(points: readonly number[], radius: number, look: Fill | Stroke): void {
    const draw = (context: CanvasRenderingContext2D, finish: () => void): void => {
      // Short paths: filling one with thousands of circles costs more than their sum.
      for (let from = 0; from < points.length; from += 128) {
        context.beginPath();
        for (let i = from; i < Math.min(points.length, from + 128); i += 2) {
          const [x = 0, y = 0] = [points[i], points[i + 1]];
          context.moveTo(x + radius, y);
          context.arc(x, y, radius, 0, 2 * Math.PI);
        }
        finish();
      }
    };
    if ('width' in look) this.#stroke(look, (context) => draw(context, () => context.stroke()));
    else this.#fill(look, (context) => draw(context, () => context.fill()));
  }

  text(x: number, y: number, text: string, { colour, size, bold = false, anchor = 'start' }: Lettering): void {
    this.#fill({ colour }, (context) => {
      const font = (share: number): string => `${bold ? '600 ' : ''}${size * share}px ${this.#font}`;
      const runs = runsOf(text).map((run) => {
        context.font = font(run.low ? lowered : 1);
        return { ...run, width: context.measureText(run.text).width };
      });
      const width = runs.reduce((sum, run) => sum + run.width, 0);
      let at = x - (anchor === 'start' ? 0 : anchor === 'middle' ? width / 2 : width);
      context.textAlign = 'start';
      context.textBaseline = 'middle';
      for (const run of runs) {
        context.font = font(run.low ? lowered : 1);
        context.fillText(run.text, at, run.low ? y + drop : y);
        at += run.width;
      }
    });
  }

  clip(x: number, y: number, width: number, height: number, draw: () => void): void {
    this.#context.save();
    this.#context.beginPath();
    this.#context.rect(x, y, width, height);
    this.#context.clip();
    draw();
    this.#context.restore();
  }

  #fill({ colour, opacity = 1 }: Fill, draw: (context: CanvasRenderingContext2D) => void): void {
    this.#context.globalAlpha = opacity;
    this.#context.fillStyle = colour;
    draw(this.#context);
    this.#context.globalAlpha = 1;
  }

  #stroke({ colour, width, dash, opacity = 1 }: Stroke, draw: (context: CanvasRenderingContext2D) => void): void {
    const context = this.#context;
    context.globalAlpha = opacity;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.setLineDash([...(dash ?? [])]);
    draw(context);
    context.globalAlpha = 1;
  }
}

function trace(context: CanvasRenderingContext2D, points: readonly number[]): void {
  for (let i = 0; i < points.length; i += 2) context.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
}

/** Size of an index, and how far below it stands. */
const lowered = 0.78;
const drop = 3;

/** Runs of text on the line and of indices (`k_min`) below it. */
function runsOf(text: string): { text: string; low: boolean }[] {
  return pieces(text).flatMap((piece) => [
    ...(piece.text === '' ? [] : [{ text: piece.text, low: false }]),
    ...(piece.index === null ? [] : [{ text: piece.index, low: true }]),
  ]);
}

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
      `<path d="${dots}" fill="none" stroke-linecap="round"${stroked({ colour, width: 2 * radius, ...(opacity === undefined ? {} : { opacity }) })}/>`,
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
  for (let i = 0; i < points.length; i += 2) text += draw(points[i] ?? 0, points[i + 1] ?? 0);
  return text;
}

/** A shift holds for what follows it: the next run on the line takes it back. */
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
