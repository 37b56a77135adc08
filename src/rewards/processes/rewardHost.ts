/** A user's reward function in its own processes: a crash of the function leaves this process alive. */
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { TakenCoverage } from '../../shared/rewards/coverage.ts';
import type { RewardCall } from '../../shared/rewards/given.ts';
import type { RewardOutcome } from '../../shared/rewards/outcome.ts';
import { rewardLanguage } from '../../shared/rewards/rewardFile.ts';
import { defined } from '../../shared/defined.ts';
import { RewardLoadError } from './rewardLoadError.ts';
import { answered, failed } from './answer.ts';
import { CallPool, type PoolOptions } from './callPool.ts';

export type RewardHostOptions = PoolOptions;

/** Calls that are under way at once in a stream. */
const window = 1024;

export class RewardHost {
  readonly #pool: CallPool;

  private constructor(pool: CallPool) {
    this.#pool = pool;
  }

  /** @throws RewardLoadError when the file or its interpreter cannot be used */
  static async open(reward: string, options: PoolOptions): Promise<RewardHost> {
    const file = resolve(reward);
    const language = rewardLanguage(file);
    if (language === null) {
      throw new RewardLoadError(
        'name',
        file,
        l10n.t('A reward file is named *.reward.ts, *.reward.js or *.reward.py.'),
      );
    }
    return new RewardHost(await CallPool.open({ file, language }, options));
  }

  /** Paths of everything of a person's own that the file loaded, itself included. */
  get files(): readonly string[] {
    return this.#pool.loaded.files;
  }

  /** Coverage of loading the file, where requested. */
  get coverage(): readonly TakenCoverage[] {
    return this.#pool.loaded.coverage;
  }

  /** Never rejects: a failure is part of the outcome. */
  judge({ task, trace }: RewardCall): Promise<RewardOutcome> {
    const { stopReason } = trace;
    return this.#pool.call(
      { task, trace },
      {
        failed,
        answered: (reply, output) => ({
          ...answered(reply, { stopReason, output }),
          ...defined({ coverage: reply.coverage }),
        }),
      },
    );
  }

  /** Outcomes in the order of the calls. @throws the signal's reason when it is aborted */
  async *score(
    calls: AsyncIterable<RewardCall> | Iterable<RewardCall>,
    signal: AbortSignal,
  ): AsyncGenerator<RewardOutcome> {
    const under: Promise<RewardOutcome>[] = [];
    for await (const call of calls) {
      signal.throwIfAborted();
      under.push(this.judge(call));
      if (under.length < window) continue;
      for (const outcome of under.splice(0, window / 2)) yield await outcome;
    }
    for (const outcome of under) {
      signal.throwIfAborted();
      yield await outcome;
    }
  }

  dispose(): void {
    this.#pool.dispose();
  }
}
