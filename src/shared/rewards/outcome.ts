/** The outcome of one call of a reward function. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Verdict } from '../records/trace.ts';
import type { TakenCoverage } from './coverage.ts';

/** A place in a source file, lines and columns from 1. */
export const placeSchema = z.strictObject({ file: z.string(), line: z.int().positive(), column: z.int().positive() });
type Place = z.infer<typeof placeSchema>;

/** Why there is no judgement. */
export interface RewardFault {
  reason: 'threw' | 'rejection' | 'result' | 'timeout' | 'memory' | 'ended' | 'load';
  /** For users: what failed and why. */
  message: string;
  /** In the language's own form; null without one. */
  stack: string | null;
  at: Place | null;
}

/** Number of characters of printed text that a trace keeps. */
const kept = 4000;

/** The verdict in its recorded form, with the printed text, if any. */
export const recordedVerdict = ({ verdict, output }: RewardOutcome): Verdict =>
  output === '' ? verdict : { ...verdict, output: shortened(output) };

const shortened = (output: string): string =>
  output.length <= kept
    ? output
    : l10n.t('{0}\n… (cut: it printed more than {1} characters)', output.slice(0, kept), kept);

/** Verdict of one attempt, `error` where the function failed, and the text printed meanwhile. */
export interface RewardOutcome {
  verdict: Verdict;
  fault: RewardFault | null;
  /** Standard output and error, cut at 8,000 characters. */
  output: string;
  /** The call's coverage, where it was requested and its process lived on. */
  coverage?: readonly TakenCoverage[];
}
