/** Names that the protocol gives to things, made and read in one place. */

/** Which of a run's folders: training state, or weights to sample from. */
const kinds = ['weights', 'sampler_weights'] as const;
export type CheckpointKind = (typeof kinds)[number];

export interface TinkerPath {
  run: string;
  kind: CheckpointKind;
  name: string;
}

export const isKind = (kind: string): kind is CheckpointKind => kinds.some((known) => known === kind);

/** Names become file names, so they are kept plain. */
export const isCheckpointName = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9@._-]{0,99}$/.test(name);

export const tinkerPath = ({ run, kind, name }: TinkerPath): string => `tinker://${run}/${kind}/${name}`;

/** Null for text that is no path of the protocol. */
export function parseTinkerPath(path: string): TinkerPath | null {
  const [run, kind, name, ...rest] = path.startsWith('tinker://') ? path.slice('tinker://'.length).split('/') : [];
  if (run === undefined || run === '' || kind === undefined || name === undefined || rest.length > 0) return null;
  return isKind(kind) && isCheckpointName(name) ? { run, kind, name } : null;
}
