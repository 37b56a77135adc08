/** Draws on the screen. */
import type { Fill, Lettering, Pen, Stroke } from './pen.ts';
import { drop, lowered, runsOf } from './textRuns.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

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
  for (let i = 0; i < points.length; i += 2) context.lineTo(points[i] ?? outOfRange(), points[i + 1] ?? outOfRange());
}
