/** The functions of a domain file as they are asked: in a run by a host of processes, under a debugger by the one it watches. */
import type { RewardFault } from '../shared/rewards/outcome.ts';

/** What a function gave, or why it gave nothing; `output` is what it printed, cut at 8,000 characters. */
export type DomainReply = { value: unknown; output: string } | { fault: RewardFault; output: string };

export interface DomainFunctions {
  has(name: string): boolean;
  /** Never rejects. Arguments travel as JSON. */
  call(name: string, ...given: readonly unknown[]): Promise<DomainReply>;
}
