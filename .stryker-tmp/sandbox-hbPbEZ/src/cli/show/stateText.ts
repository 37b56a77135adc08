import type { RunHead } from '../../runs/runHead.ts';
import type { Style } from '../text/style.ts';

/** A run's state, coloured by whether it wants a person. */
export function stateText(state: RunHead['state'], style: Style): string {
  if (state === 'finished') return style.good(state);
  if (state === 'running') return style.accent(state);
  return state === 'failed' || state === 'interrupted' ? style.bad(state) : style.warn(state);
}
