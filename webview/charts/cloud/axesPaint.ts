/** Axes of the cloud, and lines where settings changed. */
import { scaleLinear } from 'd3';
import type { ChangeMark } from '../../../src/shared/report/data.ts';
import * as l10n from '@vscode/l10n';
import { epochTicks } from '../epochScale.ts';
import { textWidth } from '../labels.ts';
import type { Plane } from './cloudView.ts';
import type { Palette } from './colours.ts';
import type { Pen } from './pen.ts';
import { rate } from '../../../src/shared/text/figures/numbers.ts';

const size = 11;

export function paintAxes(pen: Pen, plane: Plane, palette: Palette, changes: readonly ChangeMark[]): void {
  const { colours } = palette;
  const { left, right, top, bottom } = plane.box;
  for (const p of rateTicks(plane)) {
    if (p < 0 || p > 1) continue;
    const y = Math.round(plane.y(p)) + 0.5;
    pen.line([left, y, right, y], { colour: colours.hairline, width: 1 });
    pen.text(left - 8, y, rate(p), { colour: colours.muted, size, anchor: 'end' });
  }
  const epochs = scaleLinear(plane.view.x, [left, right]);
  for (const epoch of epochTicks(epochs)) {
    const x = plane.x(epoch);
    if (x < left - 1 || x > right + 1) continue;
    pen.line([x, bottom, x, bottom + 4], { colour: colours.tick, width: 1 });
    pen.text(x, bottom + 14, String(epoch), { colour: colours.muted, size, anchor: 'middle' });
  }
  pen.text(0, top - 16, l10n.t('success rate p̂ of a family'), { colour: colours.muted, size });
  const word = l10n.t('epoch');
  const end = Math.max(left - 8, textWidth(word, size));
  pen.text(end, bottom + 14, word, { colour: colours.muted, size, anchor: 'end' });
  paintChanges(pen, plane, palette, changes);
}

/** Quarters as long as most of the axis is in sight: α and the band are read against them. */
function rateTicks({ view, box }: Plane): number[] {
  if (view.y[1] - view.y[0] > 0.8) return [0, 0.25, 0.5, 0.75, 1];
  return scaleLinear(view.y, [box.bottom, box.top]).ticks(Math.max(3, Math.floor((box.bottom - box.top) / 60)));
}

function paintChanges(pen: Pen, plane: Plane, { colours }: Palette, changes: readonly ChangeMark[]): void {
  const { left, right, top, bottom } = plane.box;
  const byEpoch = [...Map.groupBy(changes, ({ epoch }) => epoch)].sort(([a], [b]) => a - b);
  let free = left + textWidth(l10n.t('success rate p̂ of a family'), size);
  for (const [epoch, own] of byEpoch) {
    const x = plane.x(epoch - 0.5);
    if (x < left - 0.5 || x > right + 0.5) continue;
    pen.line([x, top - 8, x, bottom], { colour: colours.ink, width: 1, dash: [2, 3] });
    const text = own.map((change) => change.text).join(', ');
    const width = textWidth(text, size);
    const back = x + width > right;
    const start = back ? x - width : x;
    if (start < free) {
      pen.dots([x, top - 10], 2.5, { colour: colours.ink });
      continue;
    }
    free = start + width + 10;
    pen.text(back ? x - 4 : x + 4, top - 8, text, { colour: colours.ink, size, anchor: back ? 'end' : 'start' });
  }
}

/** `β 8 → 10 (a person)` of one epoch; '' when nothing changed. */
export function changeText(changes: readonly ChangeMark[], epoch: number): string {
  return changes
    .filter((change) => change.epoch === epoch)
    .map(({ text, author }) => `${text} (${author})`)
    .join(', ');
}
