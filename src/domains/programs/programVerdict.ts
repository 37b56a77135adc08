/**
 * An attempt's verdict by the end of its program. An attempt whose program broke is not judged: neither success nor
 * failure.
 */
import * as z from 'zod';
import { parseSaid } from '../../shared/json.ts';
import type { ProgramSpec } from '../../shared/domains/program.ts';
import type { Trace, Verdict } from '../../shared/records/trace.ts';
import { errorVerdict, verdictOf } from '../../shared/rewards/result.ts';
import { defined } from '../../shared/defined.ts';
import { mostPrinted, type ProgramEnd } from './programRun.ts';

export interface Ended {
  /** The program as its command names it. */
  name: string;
  end: ProgramEnd;
  spec: ProgramSpec;
  /** Answers that it was given. */
  answers: number;
  stopReason: Trace['stopReason'];
  /** Whether a judge follows after a regular end. */
  judged: boolean;
}

/** Null: something else judges it. */
export function programVerdict(ended: Ended): Verdict | null {
  const broken = breakOf(ended);
  const verdict = broken === null ? own(ended) : errorVerdict(broken);
  const output = printed(ended.end);
  return verdict === null || output === '' ? verdict : { ...verdict, output };
}

/** Why the attempt cannot be judged; null where it can. */
function breakOf({ name, end, spec, answers, judged }: Ended): string | null {
  switch (end.how) {
    case 'limit':
      return `${name} was ended: ${limits[end.limit](spec)}`;
    case 'signal':
      return `${name} was ended by ${end.signal}.${lastWords(end)}`;
    case 'exit':
      if (answers === 0) {
        const remedy = 'Ask the address in OPENAI_BASE_URL with the key in OPENAI_API_KEY.';
        return `${name} ended with exit code ${end.code} and was given no answer of the agent. ${remedy}${lastWords(end)}`;
      }
      // Where it does not judge itself its exit code says whether it worked.
      return judged && end.code !== 0 ? `${name} ended with exit code ${end.code}.${lastWords(end)}` : null;
    case 'missing':
      return `${name} cannot be started: ${end.why}.`;
    case 'aborted':
      return `${name} was called off.`;
  }
}

const limits: Readonly<Record<Extract<ProgramEnd, { how: 'limit' }>['limit'], (spec: ProgramSpec) => string>> = {
  seconds: ({ seconds }) =>
    `it took more than ${seconds} s beside its waiting for the agent (“seconds” of its program).`,
  megabytes: ({ megabytes }) => `it took more than ${megabytes} MB of memory (“megabytes” of its program).`,
  output: () => `it printed more than ${mostPrinted / 2 ** 20} MB.`,
  calls: () => 'it went on asking after it had used all its answers (rollouts.maxTurns).',
};

function own({ name, end, spec, stopReason, judged }: Ended): Verdict | null {
  if (judged || end.how !== 'exit') return null;
  const line = spec.reward === 'exit' ? null : rewardLine(end.output);
  if (line !== null) {
    const read = lineSchema.safeParse(line);
    if (read.success) {
      const { reward, success = reward === 1, note } = read.data;
      return verdictOf({ reward, success, ...defined({ note }) }, stopReason);
    }
    const found = JSON.stringify(line).slice(0, 200);
    return errorVerdict(`${name} gave ${found}; it must be {"reward": 0 to 1, "success": true or false}.`);
  }
  if (spec.reward === 'line') {
    return errorVerdict(`${name} ended with exit code ${end.code} and no line {"reward": …}.${lastWords(end)}`);
  }
  if (end.code === 0) return verdictOf(1, stopReason);
  return verdictOf({ success: false, reward: 0, note: `Exit code ${end.code}.${lastWords(end)}` }, stopReason);
}

const lineSchema = z.object({
  reward: z.number().min(0).max(1),
  success: z.boolean().optional(),
  note: z.string().optional(),
});

/** The last line that is a JSON object with a reward. */
function rewardLine(output: string): object | null {
  for (const line of output.split('\n').reverse()) {
    if (!line.trimStart().startsWith('{')) continue;
    const value = parseSaid(line);
    if (typeof value === 'object' && value !== null && 'reward' in value) return value;
  }
  return null;
}

/** Its last line of errors: where languages print the error's message. */
function lastWords({ errors }: ProgramEnd): string {
  const line = errors.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : ` It said: ${line.slice(0, 500)}`;
}

/** Characters of each stream that a trace keeps. */
const kept = 2000;

const printed = ({ output, errors }: ProgramEnd): string =>
  [output, errors]
    .map((text) => (text.length > kept ? `…${text.slice(-kept)}` : text).trimEnd())
    .filter((text) => text !== '')
    .join('\n');
