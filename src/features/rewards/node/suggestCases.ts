/** Attempts of a run that a reward should be held to: where it disagrees, and where success flips. */
import { availableParallelism } from 'node:os';
import type { RewardHost } from '../../../rewards/processes/rewardHost.ts';
import { Suggestions, type Suggestion } from '../core/suggestions.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { readLabels } from '../../../runs/records/labelsFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import { verdictOf, type PersonLabel } from '../../../shared/records/label.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import { casesFile, readCases } from '../../../shared/rewards/cases.ts';
import { rewardCall, type RewardCall } from '../../../shared/rewards/given.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { AttemptedTasks } from '../../../launch/attemptedTasks.ts';
import { openReward } from '../../../launch/scoring/reward.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

/** Attempts that are under way at once. */
const window = 256;

export interface SuggestAsk {
  run: RunReader;
  /** Path of the reward file that gets the cases. */
  file: string;
  /** Path of another one to compare it with; null compares with people's verdicts, and with the recorded ones where they gave none. */
  against: string | null;
  /** Attempts to suggest. */
  most: number;
}

export interface SuggestTools {
  /** The folder of built files. */
  dist: URL;
  signal: AbortSignal;
  /** Called for every record: the number processed, and the total. */
  onProgress?: (done: number, total: number) => void;
}

/** A suggested attempt with the content of its case. */
export interface SuggestedCase extends Suggestion {
  call: RewardCall;
  recorded: Verdict;
}

export interface SuggestedCases {
  /** That were judged. */
  attempts: number;
  /** From which on attempts are successes, as this reward judges; null where all are, or none is. */
  threshold: number | null;
  /** Attempts whose task is not recorded: they cannot be judged. */
  leftOut: number;
  cases: SuggestedCase[];
}

interface Waiting {
  trace: Trace;
  call: RewardCall;
}

/**
 * With the limits that the run's experiment sets to its reward. Skips attempts of this run that are cases already.
 * @throws the signal's reason when it is aborted; InputError where a file does not load; RunError
 */
export async function suggestCases(ask: SuggestAsk, tools: SuggestTools): Promise<SuggestedCases> {
  const { run, file, against, most } = ask;
  const { dist, signal, onProgress } = tools;
  const hosts: RewardHost[] = [];
  // A call that hangs is not waited for.
  const stop = (): void => {
    for (const host of hosts) host.dispose();
  };
  signal.addEventListener('abort', stop);
  const open = async (path: string): Promise<RewardHost> => {
    const workers = Math.max(1, Math.min(against === null ? 4 : 2, availableParallelism() - 1));
    const host = await openReward(run.manifest.experiment, path, dist, workers);
    hosts.push(host);
    signal.throwIfAborted();
    return host;
  };
  try {
    const own = await open(file);
    const other = against === null ? null : await open(against);
    const tasks = await AttemptedTasks.read(run);
    const labelled = (await readLabels(runPaths(run.dir).attemptLabels)).attempts;
    const suggestions = new Suggestions();
    const judge = async (waiting: readonly Waiting[]): Promise<void> => {
      const verdicts = await Promise.all(
        waiting.map(async ({ trace, call }) => {
          const [after, before] = await Promise.all([own.judge(call), other?.judge(call)]);
          return { before: before?.verdict ?? expectedOf(trace, labelled.get(trace.id) ?? []), after: after.verdict };
        }),
      );
      signal.throwIfAborted();
      for (const [index, { trace }] of waiting.entries()) {
        const verdict = verdicts[index];
        if (verdict !== undefined) suggestions.add({ ...trace, verdict });
      }
    };
    const total = (await run.rows()).traces.count;
    let [done, leftOut, waiting]: [number, number, Waiting[]] = [0, 0, []];
    for await (const trace of run.traces()) {
      onProgress?.(++done, total);
      // A benchmark has its own rule, which no reward replaces.
      if (trace.purpose === 'benchmark') continue;
      const task = await tasks.of(trace);
      if (task === undefined) leftOut += 1;
      else waiting.push({ trace, call: rewardCall(task, trace) });
      if (waiting.length < window) continue;
      await judge(waiting);
      waiting = [];
    }
    await judge(waiting);
    const picked = suggestions.pick(most, await pinnedOf(file, run.id));
    const cases: SuggestedCase[] = [];
    for (const suggestion of picked) {
      const trace = await run.trace(suggestion.id);
      const task = trace && (await tasks.of(trace));
      if (trace === undefined || task === undefined) throw new Error('Unreachable: it was read before.');
      cases.push({ ...suggestion, call: rewardCall(task, trace), recorded: trace.verdict });
    }
    return { attempts: suggestions.attempts, threshold: suggestions.threshold(), leftOut, cases };
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** The recorded verdict, or people's where they gave one and agree. */
function expectedOf({ verdict }: Trace, people: readonly PersonLabel[]): Verdict {
  const said = verdictOf(people);
  if (said !== 'pass' && said !== 'fail') return verdict;
  return { valid: true, success: said === 'pass', reward: said === 'pass' ? 1 : 0 };
}

/** Ids of a run's attempts that are cases already. */
async function pinnedOf(file: string, run: string): Promise<Set<string>> {
  const text = await textOf(casesFile(file));
  const sources = [...readCases(text)].map((line) => ('case' in line ? line.case.source : null));
  return new Set(sources.flatMap((source) => (source?.run === run ? [source.trace] : [])));
}

/** '' where there is none yet. */
async function textOf(path: string): Promise<string> {
  try {
    return await strictText(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return '';
  }
}
