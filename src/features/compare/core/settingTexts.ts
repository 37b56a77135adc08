/** Every setting of a run as text, with the changes made on the way; a branch's from the start of the run it came from. */
import { flatSettings } from '../../../runs/facts/settings.ts';
import type { Settings } from '../../../runs/journal/lineage.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Change } from './compareFold.ts';

/**
 * By path: `0.5`, or `0.5 → 0.4 (epoch 12)`.
 * @param lineage the run, its parent, and so on, as far as they are known: see `lineageOf`
 */
export function settingTexts(lineage: readonly Settings[], changes: readonly Change[]): Record<string, string> {
  const [newest, oldest] = [lineage[0] ?? outOfRange(), lineage.at(-1) ?? outOfRange()];
  const now = flatSettings(oldest.experiment);
  const texts = new Map([...now, ['preset', newest.experiment.preset]]);
  const step = (path: string, value: string, epoch: number): void => {
    texts.set(path, `${texts.get(path) ?? ''} → ${value} (epoch ${epoch})`);
    now.set(path, value);
  };
  for (const [i, { parent, experiment }] of [...lineage.entries()].toReversed()) {
    const [first, last] = [(parent?.epoch ?? -1) + 1, lineage[i - 1]?.parent?.epoch ?? Infinity];
    const given = new Set<string>();
    for (const [path, value] of flatSettings(experiment)) {
      if (now.get(path) === value) continue;
      if (now.has(path)) step(path, value, first);
      else texts.set(path, value);
      given.add(path);
    }
    for (const { field, to, epoch } of changes) {
      if (epoch < first || epoch > last) continue;
      const value = typeof to === 'string' ? to : to === null ? 'off' : JSON.stringify(to);
      // A branch's journal also names the other files that it was given.
      if (epoch === first && given.has(field) && now.get(field) === value) continue;
      step(field, value, epoch);
    }
  }
  return Object.fromEntries(texts);
}
