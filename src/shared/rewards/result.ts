/** A reward function's possible results, and the verdicts that they become. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Trace, Verdict } from '../records/trace.ts';
import { defined } from '../defined.ts';

const judgedSchema = z.object({
  success: z.boolean(),
  reward: z.number().min(0).max(1),
  parts: z.record(z.string(), z.number()).optional(),
  note: z.string().optional(),
});

/** A reward alone, 0…1, counts as success only when it is exactly 1. */
export type RewardResult = number | z.infer<typeof judgedSchema>;

/** A value that cannot travel as JSON, described by the process that saw it. */
const untoldSchema = z.strictObject({ not: z.string() });

/** `{ result }`, or `{ fault }`: a sentence that names the field. */
export function readResult(value: unknown): { result: RewardResult } | { fault: string } {
  if (typeof value === 'number') {
    if (value >= 0 && value <= 1) return { result: value };
    return { fault: l10n.t('The result is {0}; it must be a number from 0 to 1.', value) };
  }
  const untold = untoldSchema.safeParse(value);
  if (untold.success) return { fault: notExpected(untold.data.not) };
  if (typeof value !== 'object' || value === null) return { fault: notExpected(JSON.stringify(value)) };
  const read = judgedSchema.safeParse(value);
  if (read.success) return { result: read.data };
  const path = read.error.issues[0]?.path ?? [];
  const name = path.join('.');
  const found = path.reduce<unknown>(inside, value);
  const want = wants[String(path[0])]?.() ?? l10n.t('must be one of the result’s fields');
  if (found === undefined) return { fault: l10n.t('The result has no “{0}”; it {1}.', name, want) };
  const not = untoldSchema.safeParse(found);
  const given = not.success ? not.data.not : JSON.stringify(found);
  return { fault: l10n.t('“{0}” of the result is {1}; it {2}.', name, given, want) };
}

const notExpected = (value: string): string =>
  l10n.t('The result is {0}; it must be a number from 0 to 1, or an object with success and reward.', value);

const wants: Readonly<Record<string, () => string>> = {
  success: () => l10n.t('must be true or false'),
  reward: () => l10n.t('must be a number from 0 to 1'),
  parts: () => l10n.t('must be finite numbers by name'),
  note: () => l10n.t('must be a text'),
};

const inside = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

/** An attempt that was cut off may be rewarded, but its text is not trained on. */
export function verdictOf(result: RewardResult, stopReason: Trace['stopReason']): Verdict {
  const valid = stopReason === 'stop';
  if (typeof result === 'number') return { success: result === 1, reward: result, valid };
  const { success, reward, parts, note } = result;
  return {
    success,
    reward,
    ...defined({ parts, note }),
    valid,
  };
}

/** The reward function itself failed: neither success nor failure. */
export const errorVerdict = (error: string): Verdict => ({ success: false, reward: 0, valid: false, error });
