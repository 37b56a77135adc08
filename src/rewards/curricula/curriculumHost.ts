/** A person's curriculum file in a process of its own, asked once an epoch. */
import * as l10n from '@vscode/l10n';
import { basename, resolve } from 'node:path';
import { faultSentence } from '../processes/answer.ts';
import { CallPool, type PoolOptions } from '../processes/callPool.ts';
import { namedCall, type NamedReply } from '../processes/namedCall.ts';
import { RewardLoadError } from '../processes/rewardLoadError.ts';
import { curriculumLanguage, rewardsFunction } from '../../shared/curricula/curriculumFile.ts';
import type { CurriculumEpoch, CurriculumFamily } from '../../shared/curricula/given.ts';
import { readRewards, type FamilyReward } from '../../shared/curricula/rewards.ts';
import type { RewardFault } from '../../shared/rewards/outcome.ts';
import { CurriculumError, remedyOf } from './curriculumError.ts';

/** Rewards of one call, or why there are none. */
export type CurriculumOutcome = { output: string } & (
  | { rewards: ReadonlyMap<string, number>; byFamily: readonly FamilyReward[] }
  | { fault: RewardFault }
);

/** The reply to a call, checked. */
export function outcomeOf(reply: NamedReply, families: readonly CurriculumFamily[]): CurriculumOutcome {
  if ('fault' in reply) return reply;
  const read = readRewards(reply.value, families);
  if (!('fault' in read)) return { ...read, output: reply.output };
  return { fault: { reason: 'result', message: read.fault, stack: null, at: null }, output: reply.output };
}

export class CurriculumHost {
  readonly #pool: CallPool;
  readonly #file: string;

  private constructor(pool: CallPool, file: string) {
    this.#pool = pool;
    this.#file = file;
  }

  /** @throws RewardLoadError when the file or its interpreter cannot be used, or it has no `rewards` */
  static async open(curriculum: string, options: Omit<PoolOptions, 'workers'>): Promise<CurriculumHost> {
    const file = resolve(curriculum);
    const language = curriculumLanguage(file);
    if (language === null) {
      const names = `*.curriculum.ts, *.curriculum.js${l10n.t(' or ')}*.curriculum.py`;
      throw new RewardLoadError('name', file, l10n.t('A curriculum file is named {0}.', names));
    }
    const pool = await CallPool.open({ file, language }, { ...options, workers: 1 });
    if (pool.loaded.functions.includes(rewardsFunction)) return new CurriculumHost(pool, file);
    pool.dispose();
    throw new RewardLoadError('load', file, l10n.t('The file exports no function “{0}”.', rewardsFunction));
  }

  /** Paths of everything of a person's own that the file loaded, itself included. */
  get files(): readonly string[] {
    return this.#pool.loaded.files;
  }

  /** Never rejects: a failure is part of the outcome. */
  async ask(families: readonly CurriculumFamily[], epoch: CurriculumEpoch): Promise<CurriculumOutcome> {
    return outcomeOf(await this.#pool.call(...namedCall(rewardsFunction, [families, epoch])), families);
  }

  /** R_env by task; of those missing it is unknown. @throws CurriculumError */
  async rewards(families: readonly CurriculumFamily[], epoch: CurriculumEpoch): Promise<ReadonlyMap<string, number>> {
    const outcome = await this.ask(families, epoch);
    if ('rewards' in outcome) return outcome.rewards;
    throw new CurriculumError(basename(this.#file), epoch.epoch, faultSentence(outcome.fault), remedyOf(outcome.fault));
  }

  dispose(): void {
    this.#pool.dispose();
  }
}
