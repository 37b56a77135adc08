/** A user's domain file in its own processes: a crash of the file leaves this process alive. */
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { CallPool, type PoolOptions } from '../rewards/processes/callPool.ts';
import { RewardLoadError } from '../rewards/processes/rewardLoadError.ts';
import { domainLanguage } from '../shared/domains/domainFile.ts';
import { namedCall } from '../rewards/processes/namedCall.ts';
import type { DomainFunctions, DomainReply } from './domainFunctions.ts';

export class DomainHost implements DomainFunctions {
  readonly #pool: CallPool;
  readonly #functions: ReadonlySet<string>;

  private constructor(pool: CallPool) {
    this.#pool = pool;
    this.#functions = new Set(pool.loaded.functions);
  }

  /** @throws RewardLoadError when the file or its interpreter cannot be used */
  static async open(domain: string, options: PoolOptions): Promise<DomainHost> {
    const file = resolve(domain);
    const language = domainLanguage(file);
    if (language === null) {
      throw new RewardLoadError(
        'name',
        file,
        l10n.t('A domain file is named *.domain.ts, *.domain.js or *.domain.py.'),
      );
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

  call(name: string, ...given: readonly unknown[]): Promise<DomainReply> {
    return this.#pool.call(...namedCall(name, given));
  }

  dispose(): void {
    this.#pool.dispose();
  }
}
