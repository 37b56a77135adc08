/** Figures of every token of an attempt: recorded, or computed by the versions of the run that can be loaded. */
import type { AgentTools } from '../../../launch/policies/newestAgent.ts';
import { wordsOnDisk } from '../../../launch/policies/openTokens.ts';
import { agentLearning, type Learning } from '../../../runs/journal/agentLearning.ts';
import { computeReward, type RewardComputation } from '../../../runs/records/rewardComputation.ts';
import { readRunName } from '../../../runs/store/runName.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { largest } from '../../../shared/extremes.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { isPlayTrace } from '../../../shared/records/play.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { verdictWord } from '../../../shared/records/verdict.ts';
import type { ShownToken, ShownTokens, Why } from '../contract.ts';
import { clipOf } from '../core/clip.ts';
import { sampledAnswers, type Sampled } from '../core/sampled.ts';
import { measured, weightsOfRun, type Weights } from './weights.ts';

export interface TokensAsk {
  trace: Trace;
  /** The attempts that it was compared with, itself among them. */
  group: readonly Trace[];
  /** The other version; null for the first after the one that sampled it. */
  version: string | null;
}

/** Where an attempt comes from, and its figures with it. */
export interface TokensFrom extends Pick<ShownTokens, 'of' | 'run' | 'runName'> {
  agent: Pick<Experiment['agent'], 'loss' | 'clipLow' | 'clipHigh' | 'klCoefficient'>;
  /** How the agent's updates treat it; null where nothing is ever trained on. */
  learning: Learning | null;
  weights: Weights;
  /** Where the version that sampled lives; null where it is not known. */
  endpoint: Endpoint | null;
  /** Why there are no tokens, where there are none. */
  without: NonNullable<ShownTokens['without']>;
}

/** An attempt of a run. @throws RunError; ReattemptError `not-kept` for a version asked for that cannot be loaded */
export async function tokensOf(run: RunReader, ask: TokensAsk, tools: AgentTools): Promise<ShownTokens> {
  const { trace } = ask;
  const { experiment, imported } = run.manifest;
  const learning = (await agentLearning(run))(trace);
  const role = trace.version.startsWith('environment@') ? 'environment' : 'agent';
  const from: TokensFrom = {
    ...{ of: 'run', run: run.dir, runName: await readRunName(run), agent: learning.experiment.agent, learning },
    weights: await weightsOfRun(run, trace.version, tools),
    endpoint: imported === null ? experiment.endpoints[role] : null,
    without: whyNone(trace),
  };
  return tokensFrom(from, ask, tools);
}

/** @throws ReattemptError `not-kept` for a version asked for that cannot be loaded */
export async function tokensFrom(
  { agent, weights, endpoint, without, ...from }: TokensFrom,
  { trace, group, version }: TokensAsk,
  tools: Pick<AgentTools, 'dist' | 'signal'>,
): Promise<ShownTokens> {
  const answers = sampledAnswers(trace);
  const all = answers.flatMap(({ tokens }) => tokens);
  const loaded = await measured(weights, trace, version, tools);
  const { advantage, why } = computeReward(trace, group, from.learning);
  const longest = from.learning?.experiment.rollouts.maxSequence ?? Infinity;
  const served = loaded.words === null ? servedWords(endpoint, all, tools.dist) : null;
  const figuresOf = (token: Sampled): ShownToken => {
    const { id, logprob, at } = token;
    const place = (values: readonly (readonly number[])[] | null): number | null =>
      values?.[at.sequence]?.[at.position] ?? null;
    const now = place(loaded.now);
    const ratio = now === null || logprob === null ? null : Math.exp(now - logprob);
    const own = (trace.sequences[at.sequence]?.tokens.length ?? 0) > longest ? null : advantage;
    return {
      ...{ id, text: loaded.words?.[at.sequence]?.[at.position] ?? served?.get(token) ?? null, sampled: logprob },
      ...{ entropy: place(loaded.entropies), now, ratio, advantage: own },
      clip: agent.loss === 'importance_sampling' || ratio === null || own === null ? null : clipOf(agent, ratio, own),
    };
  };
  const shown = answers.map(({ turn, tokens }) => ({ turn, tokens: tokens.map(figuresOf) }));
  const tokens = shown.flatMap((answer) => answer.tokens);
  const lacks = (figure: keyof ShownToken): boolean => tokens.some((token) => token[figure] === null);
  const { reward } = trace.verdict;
  return {
    ...{ of: from.of, run: from.run, runName: from.runName, trace: trace.id, sampledBy: trace.version },
    ...{ other: loaded.other, versions: [...weights.versions], reward, answers: shown, message: loaded.message },
    verdict: verdictWord(trace.verdict),
    ...{ loss: agent.loss, clipLow: agent.clipLow, clipHigh: agent.clipHigh, shaped: agent.klCoefficient > 0 },
    recomputed: farthest(all, loaded.before),
    without: tokens.length > 0 ? null : without,
    why: {
      ...(lacks('text') && { text: 'no-words' }),
      ...(lacks('sampled') && { sampled: 'no-logprobs' }),
      ...(lacks('entropy') && { entropy: loaded.why.before ?? 'server' }),
      ...(lacks('now') && { now: loaded.why.now ?? 'server' }),
      ...(lacks('advantage') && { advantage: learned(why) }),
      ...(lacks('clip') && { clip: unclipped(agent.loss, lacks('ratio')) }),
    },
  };
}

function learned(why: RewardComputation['why']): Why {
  switch (why) {
    case 'not trained on':
      return 'not-trained';
    case 'imported':
      return 'elsewhere';
    case 'fell out':
      return 'fell-out';
    case 'not updated':
      return 'not-updated';
    case 'not judged':
      return 'not-judged';
    // Of some of its sequences, where the attempt has an advantage.
    case null:
    case 'too long':
      return 'too-long';
    default:
      return why;
  }
}

const unclipped = (loss: ShownTokens['loss'], noRatio: boolean): Why =>
  loss === 'importance_sampling' ? 'no-clip' : noRatio ? 'no-ratio' : 'no-advantage';

function whyNone({ id, counted }: Trace): NonNullable<ShownTokens['without']> {
  if (isPlayTrace(id)) return 'person';
  return counted === undefined ? 'not-kept' : 'counted';
}

/** By the tokenizer that the endpoint names, where it lies on this machine; ends of turns have no text. */
function servedWords(
  endpoint: Endpoint | null,
  all: readonly Sampled[],
  dist: URL,
): ReadonlyMap<Sampled, string> | null {
  if (all.length === 0 || endpoint === null || !('tokenizer' in endpoint) || endpoint.tokenizer === null) return null;
  const ids = all.map(({ id }) => id);
  const texts = wordsOnDisk(endpoint.tokenizer, ids, dist);
  return texts === null ? null : new Map(all.map((token, i) => [token, texts[i] ?? '']));
}

/** Null where nothing was computed anew, or nothing recorded. */
function farthest(all: readonly Sampled[], anew: readonly (readonly number[])[] | null): number | null {
  if (anew === null) return null;
  const distances = all.flatMap(({ logprob, at }) =>
    logprob === null ? [] : [Math.abs(logprob - (anew[at.sequence]?.[at.position] ?? outOfRange()))],
  );
  return distances.length === 0 ? null : largest(distances);
}
