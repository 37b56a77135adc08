/** Two success rates on one axis, each with its interval, and their comparison. */
import * as l10n from '@vscode/l10n';
import { create, scaleLinear } from 'd3';
import { successDifference, successRate } from '../../../src/engine/math/successRate.ts';
import type { TasksReattempt } from '../../../src/features/tasks/contract.ts';
import { element } from '../../lib/element.ts';
import { attemptsText, rateText, type Rate } from '../words.ts';
import { signed } from '../../../src/shared/text/figures/shares.ts';
import { number } from '../../../src/shared/text/figures/numbers.ts';

const width = 340;
const height = 74;
const left = 58;
const axisY = 54;

/** The drawing; its numbers are beside it as text. */
export function twoRates(before: Rate, after: Rate): SVGSVGElement {
  const x = scaleLinear([0, 1], [left, width - 12]);
  const svg = create('svg:svg')
    .attr('class', 'two-rates')
    .attr('viewBox', `0 0 ${width} ${height}`)
    .attr('width', width)
    .attr('height', height)
    .attr('aria-hidden', 'true');
  svg.append('line').attr('class', 'axis-line').attr('x1', x(0)).attr('x2', x(1)).attr('y1', axisY).attr('y2', axisY);
  for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
    svg
      .append('line')
      .attr('class', 'tick')
      .attr('x1', x(tick))
      .attr('x2', x(tick))
      .attr('y1', 6)
      .attr('y2', axisY + 3);
    svg
      .append('text')
      .attr('x', x(tick))
      .attr('y', axisY + 16)
      .attr('text-anchor', 'middle')
      .text(number(tick));
  }
  const line = (name: string, text: string, { successes, attempts }: Rate, y: number): void => {
    svg
      .append('text')
      .attr('x', 0)
      .attr('y', y + 4)
      .text(text);
    const { p, low, high } = successRate(successes, attempts);
    if (p === null) return;
    const one = svg.append('g').attr('class', name);
    one.append('line').attr('class', 'interval').attr('x1', x(low)).attr('x2', x(high)).attr('y1', y).attr('y2', y);
    for (const end of [low, high]) {
      one
        .append('line')
        .attr('class', 'interval')
        .attr('x1', x(end))
        .attr('x2', x(end))
        .attr('y1', y - 4)
        .attr('y2', y + 4);
    }
    if (name === 'after') one.append('circle').attr('class', 'mark').attr('cx', x(p)).attr('cy', y).attr('r', 4.5);
    else {
      const turned = `rotate(45 ${x(p)} ${y})`;
      const square = one.append('rect').attr('class', 'mark').attr('width', 8).attr('height', 8);
      square
        .attr('x', x(p) - 4)
        .attr('y', y - 4)
        .attr('transform', turned);
    }
  };
  line('before', l10n.t('before'), before, 16);
  line('after', l10n.t('after'), after, 38);
  const node = svg.node();
  if (!(node instanceof SVGSVGElement)) throw new TypeError('this document cannot make SVG elements');
  return node;
}

/**
 * Both in words and, once all attempts are made, the conclusion: stopping where it looks good proves nothing.
 * @param edited whether the task changed, else only the agent did
 */
export function twoRatesWords({ before, after, state }: TasksReattempt, edited: boolean): HTMLElement {
  const entry = (name: string, rate: Rate): HTMLElement[] => [
    element('dt', {}, name),
    element('dd', {}, rateText(rate), ' ', element('span', { class: 'row-marks' }, attemptsText(rate))),
  ];
  return element(
    'div',
    {},
    element(
      'dl',
      { class: 'rates' },
      ...entry(edited ? l10n.t('Before (as recorded)') : l10n.t('Before (in the run)'), before),
      ...entry(edited ? l10n.t('After (as it is now)') : l10n.t('After (the agent now)'), after),
    ),
    ...(state === 'finished' ? [element('p', {}, verdict(before, after))] : []),
  );
}

function verdict(before: Rate, after: Rate): string {
  const { d, low, high } = successDifference(
    successRate(before.successes, before.attempts),
    successRate(after.successes, after.attempts),
  );
  if (before.attempts === 0 || after.attempts === 0) return '';
  if (d === 0) return l10n.t('No difference to be seen.');
  const difference = `${signed(d, 2)} [${signed(low, 2)} to ${signed(high, 2)}]`;
  if (low > 0) return l10n.t('Solved more often now: {0}.', difference);
  if (high < 0) return l10n.t('Solved less often now: {0}.', difference);
  return l10n.t('{0}: too few attempts to tell the two apart.', difference);
}
