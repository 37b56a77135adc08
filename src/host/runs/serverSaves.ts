/** Runs whose saves on a server the editor can delete. */
import type { RunHead } from '../../runs/store/runHead.ts';

/** Whether _Delete Saves on the Server…_ takes a run: a finished one, with a policy on a Tinker server. */
export const hasServerSaves = ({ state, endpoints, imported }: Pick<RunHead, 'state' | 'endpoints' | 'imported'>) =>
  state === 'finished' &&
  imported === null &&
  [endpoints.agent, endpoints.environment].some(({ kind }) => kind === 'tinker');
