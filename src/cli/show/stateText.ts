import type { RunHead } from '../../runs/store/runHead.ts';
import { style } from '../text/style.ts';
import type { Styled } from '../text/styled.ts';

/** A run's state, coloured by whether it wants a person. */
export function stateText({ state, ending }: Pick<RunHead, 'state' | 'ending'>): Styled {
  if (ending === 'no-tasks' && state === 'finished') return style.bad(`${state} (${ending})`);
  if (state === 'finished') return style.good(ending === 'epochs' ? state : `${state} (${ending ?? ''})`);
  if (state === 'running') return style.accent(state);
  return state === 'failed' || state === 'interrupted' ? style.bad(state) : style.warn(state);
}
