/** What came of one call of a reward function. */
import * as z from 'zod';
import type { Verdict } from '../records/trace.ts';
import type { TakenCoverage } from './coverage.ts';

/** A place in a source file, lines and columns from 1. */
export const placeSchema = z.strictObject({ file: z.string(), line: z.int().positive(), column: z.int().positive() });
type Place = z.infer<typeof placeSchema>;

/** Why there is no judgement. */
export interface RewardFault {
  reason: 'threw' | 'rejection' | 'result' | 'timeout' | 'memory' | 'ended' | 'load';
  /** For people: what failed and why. */
  message: string;
  /** As the language tells it; null without one. */
  stack: string | null;
  at: Place | null;
}

/** Characters of what was printed that a trace keeps. */
const kept = 4000;

/** The verdict as it is recorded: with what was printed, where it was anything. */
export const recordedVerdict = ({ verdict, output }: RewardOutcome): Verdict =>
  output === '' ? verdict : { ...verdict, output: shortened(output) };

const shortened = (output: string): string =>
  output.length <= kept ? output : `${output.slice(0, kept)}\n… (cut: it printed more than ${kept} characters)`;

/** Verdict of one attempt, `error` where the function failed, and what was printed meanwhile. */
export interface RewardOutcome {
  verdict: Verdict;
  fault: RewardFault | null;
  /** Standard output and error, cut at 8,000 characters. */
  output: string;
  /** What the call went through, where that was asked for and its process lived on. */
  coverage?: readonly TakenCoverage[];
}
