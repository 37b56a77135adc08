/** A domain's functions with the output of each call and the line where it failed, which a domain's answers omit. */
import type { RewardFault } from '../shared/rewards/outcome.ts';
import type { DomainFunctions, DomainReply } from './domainFunctions.ts';

/** A call that failed or printed something. */
export interface WatchedCall {
  name: string;
  fault: RewardFault | null;
  output: string;
}

export class WatchedFunctions implements DomainFunctions {
  readonly #functions: DomainFunctions;
  #calls: WatchedCall[] = [];

  constructor(functions: DomainFunctions) {
    this.#functions = functions;
  }

  has(name: string): boolean {
    return this.#functions.has(name);
  }

  async call(name: string, ...given: readonly unknown[]): Promise<DomainReply> {
    const reply = await this.#functions.call(name, ...given);
    const fault = 'fault' in reply ? reply.fault : null;
    if (fault !== null || reply.output !== '') this.#calls.push({ name, fault, output: reply.output });
    return reply;
  }

  /** Whether one failed since they were taken last. */
  get failed(): boolean {
    return this.#calls.some(({ fault }) => fault !== null);
  }

  /** Those since it was asked last, in the order of their replies. */
  take(): WatchedCall[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }
}
