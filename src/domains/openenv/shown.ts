/** The agent's text of an OpenEnv server's answers, where a domain file has none. */
import * as z from 'zod';
import type { Step } from '../../shared/records/trace.ts';

const textPart = z.object({ type: z.literal('text'), text: z.string() });

/** A tool's result: in MCP's own form, or as an observation of a call. */
const resultSchema = z.object({
  result: z.object({ content: z.array(z.unknown()) }).nullish(),
  error: z.object({ message: z.string() }).nullish(),
});

/** An observation as JSON, without empty values; '' for an empty one. */
export function shownObservation({ observation, error }: Step): string {
  if (error !== undefined) return `Error: ${error}`;
  const told = Object.entries(observation).filter(([name, value]) => name !== 'metadata' || !isEmpty(value));
  return told.length === 0 ? '' : JSON.stringify(Object.fromEntries(told), null, 2);
}

/** A tool's result, as plain text where possible. */
export function shownResult(step: Step): string {
  if (step.error !== undefined) return `Error: ${step.error}`;
  const { data } = resultSchema.safeParse(step.observation);
  if (data?.error != null) return `Error: ${data.error.message}`;
  const texts = data?.result?.content.map((part) => textPart.safeParse(part).data?.text) ?? [];
  if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts.join('\n');
  return JSON.stringify(step.observation['result'] ?? step.observation, null, 2);
}

const isEmpty = (value: unknown): boolean =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0);
