/** A success rate with its interval on a small axis from 0 to 1, with the band behind it. */
import { create, scaleLinear } from 'd3';

export interface IntervalGlyph {
  p: number;
  low: number;
  high: number;
  band?: { alpha: number; kMin: number };
  tone: 'agent' | 'ink';
}

/** Decoration: the numbers are always beside it as text. */
export function intervalGlyph({ p, low, high, band, tone }: IntervalGlyph, width = 120, height = 14): SVGSVGElement {
  const x = scaleLinear([0, 1], [4, width - 4]).clamp(true);
  const middle = height / 2;
  const svg = create('svg:svg')
    .attr('class', `glyph tone-${tone}`)
    .attr('viewBox', `0 0 ${width} ${height}`)
    .attr('width', width)
    .attr('height', height)
    .attr('aria-hidden', 'true');
  if (band !== undefined) {
    const [from, to] = [x(band.alpha - band.kMin), x(band.alpha + band.kMin)];
    svg
      .append('rect')
      .attr('class', 'band')
      .attr('x', from)
      .attr('width', to - from)
      .attr('height', height);
  }
  svg.append('line').attr('class', 'axis-line').attr('x1', x(0)).attr('x2', x(1)).attr('y1', middle).attr('y2', middle);
  svg
    .append('line')
    .attr('class', 'interval')
    .attr('x1', x(low))
    .attr('x2', x(high))
    .attr('y1', middle)
    .attr('y2', middle);
  svg.append('circle').attr('class', 'mark').attr('cx', x(p)).attr('cy', middle).attr('r', 3.5);
  const node = svg.node();
  if (!(node instanceof SVGSVGElement)) throw new TypeError('this document cannot make SVG elements');
  return node;
}
