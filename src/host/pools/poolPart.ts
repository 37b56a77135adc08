/** Which lines of a pool are exported. */
import type { AgentPoolLine } from '../../runs/export/agentPool.ts';
import type { EnvironmentPoolLine } from '../../runs/export/environmentPool.ts';

export interface PoolPart {
  /** Of the agent pool; all of them when absent. */
  kinds?: readonly LineKind[];
  /** First and last epoch; all when absent. Base tasks belong to none and are not left out by it. */
  epochs?: readonly [number, number];
}

export const lineKinds = ['base', 'solved', 'unsolved'] as const;
export type LineKind = (typeof lineKinds)[number];

type Line = AgentPoolLine | EnvironmentPoolLine;

export function isInPart(line: Line, { kinds, epochs }: PoolPart): boolean {
  if ('kind' in line && kinds !== undefined && !kinds.includes(kindOf(line))) return false;
  return epochs === undefined || !('epoch' in line) || (line.epoch >= epochs[0] && line.epoch <= epochs[1]);
}

function kindOf(line: AgentPoolLine): LineKind {
  if (line.kind === 'base') return 'base';
  return line.success ? 'solved' : 'unsolved';
}

const tellEvery = 1000;

/** Ends an export that nobody waits for any more. */
class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** The lines of a part. Hearing of a cancellation, it throws, so that no half file is kept. */
export async function* takePart(
  lines: AsyncIterable<Line>,
  part: PoolPart,
  { told, isCancelled }: { told: (taken: number) => void; isCancelled: () => boolean },
): AsyncGenerator<Line> {
  let read = 0;
  let taken = 0;
  for await (const line of lines) {
    read += 1;
    if (read % tellEvery === 0) {
      told(taken);
      // The source may have everything in memory: the window must get its turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isCancelled()) throw new Cancelled('The export was cancelled.');
    if (!isInPart(line, part)) continue;
    taken += 1;
    yield line;
  }
}
