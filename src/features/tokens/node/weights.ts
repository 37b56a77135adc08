/** The weights that figures of tokens are computed by. */
import * as l10n from '@vscode/l10n';
import { messageOf } from '../../../shared/messageOf.ts';
import type { Sequence } from '../../../shared/records/trace.ts';
import { policyNamed, type AgentTools, type OpenAgent } from '../../../launch/policies/newestAgent.ts';
import { ReattemptError } from '../../../launch/policies/reattemptError.ts';
import { versionsOf, type KnownVersion } from '../../../launch/policies/versionsOf.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Why } from '../contract.ts';

export interface Weights {
  /** Versions that can be loaded, newest first. */
  versions: readonly string[];
  /** Stands beside the version that sampled until a person chooses; null where there is no other. */
  other: string | null;
  /** Why others cannot be loaded, and the error where one tells. */
  cannot: Why;
  message: string | null;
  open(version: string): Promise<OpenAgent>;
}

/** A run's own, beside the version that sampled. */
export async function weightsOfRun(run: RunReader, sampledBy: string, tools: AgentTools): Promise<Weights> {
  const { experiment, imported } = run.manifest;
  const known = imported === null ? await versionsOf(run) : [];
  const role = known.find(({ version }) => version.name === sampledBy)?.role ?? 'agent';
  const embedded = experiment.endpoints[role].kind === 'embedded';
  const alike = known.filter((version) => version.role === role && version.kept && embedded);
  return {
    versions: alike.map(({ version }) => version.name),
    other: nextAfter(sampledBy, known, alike),
    cannot: imported !== null ? 'imported' : embedded ? 'not-kept' : 'server',
    message: null,
    open: (version) => policyNamed(run, version, tools),
  };
}

/** The first version after it that can be loaded, which is nearest to what the update left; else the newest. */
function nextAfter(name: string, known: readonly KnownVersion[], alike: readonly KnownVersion[]): string | null {
  const at = known.findIndex(({ version }) => version.name === name);
  const later = alike.filter((one) => at < 0 || known.indexOf(one) < at);
  return (later.at(-1) ?? alike[0])?.version.name ?? null;
}

/** By loaded versions; by sequence and position. */
export interface Measured {
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

/** @throws ReattemptError `not-kept` for a version asked for that cannot be loaded */
export async function measured(
  weights: Weights,
  { sequences, version: sampledBy }: { sequences: readonly Sequence[]; version: string },
  asked: string | null,
  { signal }: Pick<AgentTools, 'signal'>,
): Promise<Measured> {
  const { versions, cannot } = weights;
  const other = asked ?? weights.other;
  const nothing = { other, words: null, before: null, entropies: null, now: null, message: weights.message };
  const without: Measured = { ...nothing, why: { before: cannot, now: cannot } };
  const any = sequences.some(({ tokens }) => tokens.length > 0);
  if (!any || (other === null && versions.length === 0)) return without;
  if (asked !== null && !versions.includes(asked)) {
    const remedy = versions.length === 0 ? '' : l10n.t('These can: {0}.', versions.join(', '));
    throw new ReattemptError('not-kept', l10n.t('{0} cannot be loaded.', asked), remedy);
  }
  const scored = (name: string) => scoredBy(weights, name, sequences, signal);
  try {
    const before = versions.includes(sampledBy) ? await scored(sampledBy) : null;
    const now = other === null ? null : other === sampledBy ? before : await scored(other);
    return {
      ...nothing,
      words: before?.words ?? now?.words ?? null,
      ...{ before: before?.logprobs ?? null, entropies: before?.entropies ?? null, now: now?.logprobs ?? null },
      why: { before: before === null ? cannot : null, now: now === null ? cannot : null },
    };
  } catch (error) {
    signal.throwIfAborted();
    return { ...without, why: { before: 'failed', now: 'failed' }, message: messageOf(error) };
  }
}

async function scoredBy(weights: Weights, name: string, sequences: readonly Sequence[], signal: AbortSignal) {
  const opened = await weights.open(name);
  const { policy, version } = opened;
  try {
    const tokens = sequences.map((sequence) => sequence.tokens);
    return {
      words: tokens.map((ids) => policy.words?.(ids) ?? []),
      logprobs: (await policy.score?.(version, tokens, signal)) ?? [],
      entropies: (await policy.entropies?.(version, tokens, signal)) ?? [],
    };
  } finally {
    await opened.close();
  }
}
