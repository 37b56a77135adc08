/** A run's attempts judged again by a reward file; of the run nothing is changed. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Rescore, type RescoreSummary } from '../core/rescore.ts';
import type { Flip, Rejudged } from '../contract/rejudged.ts';
import { Breather } from '../../../runs/files/breather.ts';
import { lateTasks } from '../../../runs/journal/lateTasks.ts';
import type { JudgingReward } from '../../../runs/rescored/applyRescoring.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { rewardCall, type RewardCall } from '../../../shared/rewards/given.ts';
import { recordedVerdict, type RewardFault } from '../../../shared/rewards/outcome.ts';
import { AttemptedTasks } from '../../../launch/attemptedTasks.ts';
import { programTexts } from '../../../launch/inputs/keptFiles.ts';
import { openReward } from '../../../launch/scoring/reward.ts';
import { isIn, scoredEpochs, type Epochs } from './scoredEpochs.ts';
import { inEnglish } from '../../../launch/language.ts';

export interface RescoreAsk {
  run: RunReader;
  /** Path of the reward file. */
  file: string;
  epochs: Epochs;
}

export interface RescoreTools {
  /** The folder of built files. */
  dist: URL;
  signal: AbortSignal;
  /** Called for every attempt, in recorded order; the next one waits for it. */
  onJudged: (judged: JudgedAgain) => Promise<void> | void;
  /** Called for every record: the number processed, and the total. */
  onProgress?: (done: number, total: number) => void;
}

/** An attempt with both verdicts. */
interface JudgedAgain {
  attempt: Rejudged;
  /** Null where its fate is the same. */
  flip: Flip | null;
  /** Why the reward gave no verdict; null where it gave one. */
  fault: RewardFault | null;
}

/** A recorded attempt whose judgement is under way. */
interface Recorded {
  attempt: Omit<Rejudged, 'verdict'>;
  before: Verdict;
}

export interface RescoredRun {
  summary: RescoreSummary;
  /** Attempts whose task is not recorded: they cannot be judged. */
  leftOut: number;
  /** As it was when it was loaded. */
  reward: JudgingReward;
}

/**
 * With the limits that the run's experiment sets to its reward. Each attempt is judged at its task as its epoch attempted it:
 * those of the epochs asked for, and those of the epoch before that count in the first.
 * @throws the signal's reason when it is aborted; InputError where the file does not load; RunError
 */
export function rescoreRun(ask: RescoreAsk, tools: RescoreTools): Promise<RescoredRun> {
  return inEnglish(() => rescored(ask, tools));
}

async function rescored({ run, file, epochs }: RescoreAsk, tools: RescoreTools): Promise<RescoredRun> {
  const { dist, signal, onJudged, onProgress } = tools;
  const workers = Math.max(1, Math.min(4, availableParallelism() - 1));
  const host = await openReward(run.manifest.experiment, file, dist, workers);
  try {
    const total = (await run.rows()).traces.count;
    const tasks = await AttemptedTasks.read(run);
    const late = await lateTasks(run);
    const isAsked = isIn(epochs, late);
    const under: Recorded[] = [];
    let [done, leftOut] = [0, 0];
    const breather = new Breather();
    const calls = async function* (): AsyncGenerator<RewardCall> {
      for await (const trace of run.traces()) {
        done += 1;
        onProgress?.(done, total);
        await breather.breathe();
        // A benchmark has its own rule, which no reward replaces.
        if (trace.purpose === 'benchmark') continue;
        if (!isAsked(trace)) continue;
        const task = await tasks.of(trace);
        if (task === undefined) leftOut += 1;
        else {
          const { id, purpose, family, epoch, verdict } = trace;
          under.push({ attempt: { id, purpose, task: task.id, family, epoch }, before: verdict });
          yield rewardCall(task, trace);
        }
      }
    };
    const rescore = new Rescore();
    const { texts } = await programTexts(file, host.files);
    for await (const outcome of host.score(calls(), signal)) {
      const recorded = under.shift();
      if (recorded === undefined) throw new Error('Unreachable: every outcome has its call.');
      const attempt = { ...recorded.attempt, verdict: { before: recorded.before, after: recordedVerdict(outcome) } };
      await onJudged({ attempt, flip: rescore.add(attempt), fault: outcome.fault });
      await breather.breathe();
    }
    for await (const scored of scoredEpochs(run, epochs, late)) {
      rescore.settle(scored);
      await breather.breathe();
    }
    return { summary: rescore.summary(), leftOut, reward: { path: resolve(file), texts } };
  } finally {
    host.dispose();
  }
}
