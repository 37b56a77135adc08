/** Figures of every token of an attempt: recorded, or computed by the versions of the run that can be loaded. */
import { largest } from '../../../shared/extremes.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { isPlayTrace } from '../../../shared/records/play.ts';
import type { Sequence, Trace } from '../../../shared/records/trace.ts';
import { policyNamed, type AgentTools } from '../../../launch/policies/newestAgent.ts';
import { ReattemptError } from '../../../launch/policies/reattemptError.ts';
import { wordsOnDisk } from '../../../launch/policies/openTokens.ts';
import { versionsOf, type KnownVersion } from '../../../launch/policies/versionsOf.ts';
import { experimentAt } from '../../../runs/journal/experimentNow.ts';
import { computeReward, type RewardComputation } from '../../../runs/records/rewardComputation.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { ShownToken, ShownTokens, Why } from '../contract.ts';
import { clipOf } from '../core/clip.ts';
import { sampledAnswers, type Sampled } from '../core/sampled.ts';
import { verdictWord } from '../../../shared/records/verdict.ts';

export interface TokensAsk {
  trace: Trace;
  /** The attempts that it was compared with, itself among them. */
  group: readonly Trace[];
  /** The other version; null for the first after the one that sampled it. */
  version: string | null;
}

/** @throws RunError; ReattemptError `not-kept` for a version asked for that cannot be loaded */
export async function tokensOf(run: RunReader, ask: TokensAsk, tools: AgentTools): Promise<ShownTokens> {
  const { trace, group } = ask;
  const { agent, rollouts } = await experimentAt(run.manifest, run.events(), trace.epoch);
  const answers = sampledAnswers(trace);
  const all = answers.flatMap(({ tokens }) => tokens);
  const loaded = await measured(run, ask, all.length > 0, tools);
  const { advantage, why } = computeReward(trace, group, agent.advantageNorm);
  const longest = rollouts.maxSequence ?? Infinity;
  const served = loaded.words === null ? servedWords(run, trace, all, tools.dist) : null;
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
    ...{ run: run.dir, runName: run.manifest.experiment.name, trace: trace.id, sampledBy: trace.version },
    ...{ other: loaded.other, versions: loaded.versions, reward, answers: shown, message: loaded.message },
    verdict: verdictWord(trace.verdict),
    ...{ loss: agent.loss, clipLow: agent.clipLow, clipHigh: agent.clipHigh, shaped: agent.klCoefficient > 0 },
    recomputed: farthest(all, loaded.before),
    without: tokens.length > 0 ? null : whyNone(trace),
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

const learned = (why: RewardComputation['why']): Why =>
  why === null ? 'too-long' : why === 'not trained on' ? 'not-trained' : why === 'not judged' ? 'not-judged' : why;

const unclipped = (loss: ShownTokens['loss'], noRatio: boolean): Why =>
  loss === 'importance_sampling' ? 'no-clip' : noRatio ? 'no-ratio' : 'no-advantage';

function whyNone({ id, counted }: Trace): NonNullable<ShownTokens['without']> {
  if (isPlayTrace(id)) return 'person';
  return counted === undefined ? 'not-kept' : 'counted';
}

/** By the tokenizer that the endpoint names, where it lies on this machine; ends of turns have no text. */
function servedWords(
  run: RunReader,
  { version }: Trace,
  all: readonly Sampled[],
  dist: URL,
): ReadonlyMap<Sampled, string> | null {
  const { imported, experiment } = run.manifest;
  const endpoint = experiment.endpoints[version.startsWith('environment@') ? 'environment' : 'agent'];
  if (imported !== null || all.length === 0 || !('tokenizer' in endpoint) || endpoint.tokenizer === null) return null;
  const ids = all.map(({ id }) => id);
  const texts = wordsOnDisk(endpoint.tokenizer, ids, dist);
  return texts === null ? null : new Map(all.map((token, i) => [token, texts[i] ?? '']));
}

/** By loaded versions; by sequence and position. */
interface Measured {
  versions: string[];
  other: string | null;
  words: string[][] | null;
  /** Under the version that sampled. */
  before: number[][] | null;
  entropies: number[][] | null;
  /** Under the other. */
  now: number[][] | null;
  why: { before: Why | null; now: Why | null };
  message: string | null;
}

async function measured(run: RunReader, ask: TokensAsk, any: boolean, tools: AgentTools): Promise<Measured> {
  const { experiment, imported } = run.manifest;
  const known = imported === null ? await versionsOf(run) : [];
  const own = known.find(({ version }) => version.name === ask.trace.version);
  const role = own?.role ?? 'agent';
  const embedded = experiment.endpoints[role].kind === 'embedded';
  const alike = known.filter((version) => version.role === role && version.kept && embedded);
  const versions = alike.map(({ version }) => version.name);
  const other = ask.version ?? nextAfter(ask.trace.version, known, alike);
  const cannot: Why = imported !== null ? 'imported' : embedded ? 'not-kept' : 'server';
  const nothing = { versions, other, words: null, before: null, entropies: null, now: null, message: null };
  const without: Measured = { ...nothing, why: { before: cannot, now: cannot } };
  if (!any || (other === null && ask.version === null && versions.length === 0)) return without;
  if (ask.version !== null && !versions.includes(ask.version)) {
    const remedy = versions.length === 0 ? '' : `These can: ${versions.join(', ')}.`;
    throw new ReattemptError('not-kept', `${ask.version} cannot be loaded.`, remedy);
  }
  try {
    const { sequences } = ask.trace;
    const before = versions.includes(ask.trace.version) ? await scored(run, ask.trace.version, sequences, tools) : null;
    const now =
      other === null ? null : other === ask.trace.version ? before : await scored(run, other, sequences, tools);
    return {
      ...nothing,
      words: before?.words ?? now?.words ?? null,
      ...{ before: before?.logprobs ?? null, entropies: before?.entropies ?? null, now: now?.logprobs ?? null },
      why: { before: before === null ? cannot : null, now: now === null ? cannot : null },
    };
  } catch (error) {
    tools.signal.throwIfAborted();
    return { ...without, why: { before: 'failed', now: 'failed' }, message: messageOf(error) };
  }
}

/** The first version after it that can be loaded, which is nearest to what the update left; else the newest. */
function nextAfter(name: string, known: readonly KnownVersion[], alike: readonly KnownVersion[]): string | null {
  const at = known.findIndex(({ version }) => version.name === name);
  const later = alike.filter((one) => at < 0 || known.indexOf(one) < at);
  return (later.at(-1) ?? alike[0])?.version.name ?? null;
}

async function scored(run: RunReader, name: string, sequences: readonly Sequence[], tools: AgentTools) {
  const opened = await policyNamed(run, name, tools);
  const { policy, version } = opened;
  try {
    const tokens = sequences.map((sequence) => sequence.tokens);
    return {
      words: tokens.map((ids) => policy.words?.(ids) ?? []),
      logprobs: (await policy.score?.(version, tokens, tools.signal)) ?? [],
      entropies: (await policy.entropies?.(version, tokens, tools.signal)) ?? [],
    };
  } finally {
    await opened.close();
  }
}

/** Null where nothing was computed anew, or nothing recorded. */
function farthest(all: readonly Sampled[], anew: readonly (readonly number[])[] | null): number | null {
  if (anew === null) return null;
  const distances = all.flatMap(({ logprob, at }) =>
    logprob === null ? [] : [Math.abs(logprob - (anew[at.sequence]?.[at.position] ?? outOfRange()))],
  );
  return distances.length === 0 ? null : largest(distances);
}
