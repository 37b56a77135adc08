/** The functions of a domain file as they are asked: in a run by a host of processes, under a debugger by the one it watches. */
import type { NamedReply } from '../rewards/processes/namedCall.ts';

export type DomainReply = NamedReply;

export interface DomainFunctions {
  has(name: string): boolean;
  /** Never rejects. Arguments travel as JSON. */
  call(name: string, ...given: readonly unknown[]): Promise<DomainReply>;
}
