/** The tokens of an attempt with what is known of each; messages between the host and their page. */
import * as z from 'zod';
import { event, request } from '../../shared/rpc/contract.ts';
import { verdictWords } from '../../shared/records/verdict.ts';

const count = z.int().nonnegative();

/**
 * Why something is not known of any token.
 * - `no-logprobs`: its server did not return them. `no-words`: no tokenizer of the model is here.
 * - `server`: weights on a server are not asked. `not-kept`: the run removed them. `imported`: they were never here.
 *   `failed`: they could not be loaded, `message` says why.
 * - `not-trained`, `not-judged`, `alone`, `solved`, `hopeless`, `too-long`, `elsewhere` (an imported run), `frozen`
 *   (`agent.train`), `fell-out` (`rollouts.spare`), `not-updated`, `skipped`: nothing was learned from the attempt.
 * - `no-clip`: the loss has no bounds. `no-ratio`, `no-advantage`: what the clip is computed from is not known.
 */
const whySchema = z.enum([
  ...(['no-logprobs', 'no-words', 'server', 'not-kept', 'imported', 'failed'] as const),
  ...(['not-trained', 'not-judged', 'alone', 'solved', 'hopeless', 'too-long'] as const),
  ...(['elsewhere', 'frozen', 'fell-out', 'not-updated', 'skipped'] as const),
  ...(['no-clip', 'no-ratio', 'no-advantage'] as const),
]);
export type Why = z.infer<typeof whySchema>;

const shownTokenSchema = z.strictObject({
  id: count,
  /** Null where unknown. */
  text: z.string().nullable(),
  /** Log-probability under the version that sampled it, as recorded; nats. */
  sampled: z.number().nullable(),
  /** Of the distribution that it was drawn from; nats. */
  entropy: z.number().nullable(),
  /** Log-probability under the other version. */
  now: z.number().nullable(),
  /** exp(now − sampled). */
  ratio: z.number().nullable(),
  advantage: z.number().nullable(),
  clip: z.enum(['free', 'above', 'below']).nullable(),
});
export type ShownToken = z.infer<typeof shownTokenSchema>;

/** Columns of a token's figures. */
const figures = ['text', 'sampled', 'entropy', 'now', 'advantage', 'clip'] as const;
export type Figure = (typeof figures)[number];

const shownTokensSchema = z.strictObject({
  /** Whether `run` is a run or an evaluation. */
  of: z.enum(['run', 'evaluation']),
  /** Its folder. */
  run: z.string(),
  runName: z.string(),
  trace: z.string(),
  /** The version that sampled them. */
  sampledBy: z.string(),
  /** The version that `now` is of; null where no other one can be loaded. */
  other: z.string().nullable(),
  /** Those that can be loaded, newest first. */
  versions: z.array(z.string()),
  verdict: z.enum(verdictWords),
  reward: z.number(),
  loss: z.enum(['importance_sampling', 'ppo', 'cispo']),
  clipLow: z.number(),
  clipHigh: z.number(),
  /** The update also shaped each token's advantage by its distance from the initial agent, which is not shown. */
  shaped: z.boolean(),
  /** Largest distance of the recorded log-probabilities from those computed anew under `sampledBy`; null where not loaded. */
  recomputed: z.number().nullable(),
  /** Answers of the agent. */
  answers: z.array(
    z.strictObject({
      /** Number of its message, from 0; null where several conversations were led. */
      turn: count.nullable(),
      tokens: z.array(shownTokenSchema),
    }),
  ),
  /**
   * Why there are no tokens; null where there are. `written`: an answer of a file, or the official one. `older`: its
   * evaluation kept none.
   */
  without: z.enum(['counted', 'not-kept', 'person', 'written', 'older']).nullable(),
  /** Why a figure is missing, by figure; absent where none is. */
  why: z.partialRecord(z.enum(figures), whySchema),
  /** Why a version could not be loaded. */
  message: z.string().nullable(),
});
/** The tokens of an attempt. */
export type ShownTokens = z.infer<typeof shownTokensSchema>;

/** The page's saved state; the host restores it after a reload. */
export const keptTokensSchema = z.looseObject({
  of: z.enum(['run', 'evaluation']).default('run'),
  run: z.string(),
  trace: z.string(),
  other: z.string().nullable(),
});

/** Host to page: everything. */
export const shown = event('shown', shownTokensSchema);
/** Page to host: the figures of another version. */
export const showVersion = request('showVersion', z.strictObject({ version: z.string() }), z.null());
/** Page to host: opens the trace as a document. */
export const openTrace = request('openTrace', z.null(), z.null());
