/** A person's domain file behind processes of its own: whatever it does, this process lives on. */
import { resolve } from 'node:path';
import { CallPool, type PoolOptions } from '../rewards/processes/callPool.ts';
import { RewardLoadError } from '../rewards/processes/rewardLoadError.ts';
import { domainLanguage } from '../shared/domains/domainFile.ts';
import type { RewardFault } from '../shared/rewards/outcome.ts';

/** What a function gave, or why it gave nothing; `output` is what it printed, cut at 8,000 characters. */
export type DomainReply = { value: unknown; output: string } | { fault: RewardFault; output: string };

export class DomainHost {
  readonly #pool: CallPool;
  readonly #functions: ReadonlySet<string>;

  private constructor(pool: CallPool) {
    this.#pool = pool;
    this.#functions = new Set(pool.loaded.functions);
  }

  /** @throws RewardLoadError when the file or what runs it cannot be used */
  static async open(domain: string, options: PoolOptions): Promise<DomainHost> {
    const file = resolve(domain);
    const language = domainLanguage(file);
    if (language === null) {
      throw new RewardLoadError('name', file, 'A domain file is named *.domain.ts, *.domain.js or *.domain.py.');
    }
    return new DomainHost(await CallPool.open({ file, language }, options));
  }

  /** Paths of everything of a person's own that the file loaded, itself included. */
  get files(): readonly string[] {
    return this.#pool.loaded.files;
  }

  has(name: string): boolean {
    return this.#functions.has(name);
  }

  get functions(): readonly string[] {
    return [...this.#functions];
  }

  /** Never rejects. Arguments travel as JSON. */
  call(name: string, ...given: readonly unknown[]): Promise<DomainReply> {
    return this.#pool.call<DomainReply>(
      { call: name, given },
      {
        answered: (reply, output) =>
          reply.t === 'gave' ? { value: reply.value, output } : { fault: faultOf(reply), output },
        failed: (fault, output) => ({ fault, output }),
      },
    );
  }

  dispose(): void {
    this.#pool.dispose();
  }
}

const faultOf = ({ reason, message, stack, at }: RewardFault): RewardFault => ({ reason, message, stack, at });
