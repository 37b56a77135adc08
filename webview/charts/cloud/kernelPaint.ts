/** The reward kernel along the axis of success rates, so that a p̂ and its reward are on one level. */
import { rewardAt, rewardKind } from '../../../src/engine/rewardKinds/kinds.ts';
import type { Curriculum } from '../../../src/shared/report/data.ts';
import * as l10n from '@vscode/l10n';
import type { Palette } from './colours.ts';
import type { Pen } from './pen.ts';
import type { CloudData, CloudFrame } from './cloudData.ts';

export function paintKernels(pen: Pen, data: CloudData, { plane, kernel }: CloudFrame, { colours }: Palette): void {
  const { left, right } = kernel;
  const { top, bottom } = plane.box;
  const inForce = data.epochs.at(-1)?.curriculum;
  const colour = colours.environment;
  const curve = (curriculum: Curriculum): number[] =>
    Array.from({ length: bottom - top + 1 }, (_, i) => {
      const p = plane.rateAt(top + i);
      return [left + (right - left) * rewardAt(p, curriculum), top + i];
    }).flat();
  pen.clip(left, top, right - left + 1, bottom - top, () => {
    if (inForce !== undefined && !ofFile(inForce)) {
      const { alpha, kMin } = inForce;
      const [y0, y1] = [plane.y(alpha + kMin), plane.y(alpha - kMin)];
      pen.rect(left, y0, right - left, y1 - y0, { colour: colours.band });
      const own = curve(inForce);
      pen.area([left, top, ...own, left, bottom], { colour, opacity: 0.14 });
      pen.line(own, { colour, width: 1.8 });
    }
    for (const former of formerRewards(data).filter((one) => !ofFile(one)))
      pen.line(curve(former), { colour, width: 1, dash: [3, 3], opacity: 0.6 });
    if (data.preview !== null && !ofFile(data.preview))
      pen.line(curve(data.preview), { colour, width: 1.8, dash: [2, 3] });
  });
  pen.line([left, top, left, bottom], { colour: colours.tick, width: 1 });
  for (const [x, text] of [
    [left, '0'],
    [right, '1'],
  ] as const) {
    pen.text(x, bottom + 14, text, { colour: colours.muted, size: 11, anchor: 'middle' });
  }
  const title = right - left < 80 ? 'R_env' : l10n.t('reward R_env');
  pen.text(left, top - 16, title, { colour: colours.muted, size: 11 });
}

/** Nothing is known of a file's rewards at a success rate. */
const ofFile = (curriculum: Curriculum): boolean => rewardKind(curriculum).of === 'file';

/** Rewards that a person changed, at most the last three: more would be a tangle. */
function formerRewards({ epochs }: CloudData): Curriculum[] {
  const byReward = new Map<string, Curriculum>();
  for (const { curriculum } of epochs) {
    const key = `${curriculum.reward?.kind ?? ''} ${curriculum.alpha} ${curriculum.beta}`;
    byReward.delete(key);
    byReward.set(key, curriculum);
  }
  return [...byReward.values()].slice(0, -1).slice(-3);
}
