/** Every setting of a run as text, with the changes made on the way. */
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { settingRows } from '../../../runs/facts/settings.ts';
import type { Change } from './compareFold.ts';

/** By path: `0.5`, or `0.5 → 0.4 (epoch 12)`. */
export function settingTexts(experiment: Experiment, changes: readonly Change[]): Record<string, string> {
  const texts = new Map(settingRows(experiment).map(({ path, value }) => [path, value]));
  texts.set('preset', experiment.preset);
  for (const { field, to, epoch } of changes) {
    const value = typeof to === 'string' ? to : to === null ? 'off' : JSON.stringify(to);
    texts.set(field, `${texts.get(field) ?? ''} → ${value} (epoch ${epoch})`);
  }
  return Object.fromEntries(texts);
}
