/**
 * An attempt's verdict by the end of its program. An attempt whose program broke is not judged: neither success nor
 * failure.
 */
import * as l10n from '@vscode/l10n';
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
      return l10n.t('{0} was ended: {1}', name, limits[end.limit](spec));
    case 'signal':
      return l10n.t('{0} was ended by {1}.{2}', name, end.signal, lastWords(end));
    case 'exit':
      if (answers === 0) {
        const remedy = l10n.t('Ask the address in OPENAI_BASE_URL with the key in OPENAI_API_KEY.');
        return l10n.t(
          '{0} ended with exit code {1} and was given no answer of the agent. {2}{3}',
          name,
          end.code,
          remedy,
          lastWords(end),
        );
      }
      // Where it does not judge itself its exit code says whether it worked.
      return judged && end.code !== 0
        ? l10n.t('{0} ended with exit code {1}.{2}', name, end.code, lastWords(end))
        : null;
    case 'missing':
      return l10n.t('{0} cannot be started: {1}.', name, end.why);
    case 'aborted':
      return l10n.t('{0} was called off.', name);
  }
}

const limits: Readonly<Record<Extract<ProgramEnd, { how: 'limit' }>['limit'], (spec: ProgramSpec) => string>> = {
  seconds: ({ seconds }) =>
    l10n.t('it took more than {0} s beside its waiting for the agent (“seconds” of its program).', seconds),
  megabytes: ({ megabytes }) => l10n.t('it took more than {0} MB of memory (“megabytes” of its program).', megabytes),
  output: () => l10n.t('it printed more than {0} MB.', mostPrinted / 2 ** 20),
  calls: () => l10n.t('it went on asking after it had used all its answers (rollouts.maxTurns).'),
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
    return errorVerdict(l10n.t('{0} gave {1}; it must be {"reward": 0 to 1, "success": true or false}.', name, found));
  }
  if (spec.reward === 'line') {
    return errorVerdict(
      l10n.t('{0} ended with exit code {1} and no line {"reward": …}.{2}', name, end.code, lastWords(end)),
    );
  }
  if (end.code === 0) return verdictOf(1, stopReason);
  return verdictOf(
    { success: false, reward: 0, note: l10n.t('Exit code {0}.{1}', end.code, lastWords(end)) },
    stopReason,
  );
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
  return line === '' ? '' : l10n.t(' It said: {0}', line.slice(0, 500));
}

/** Characters of each stream that a trace keeps. */
const kept = 2000;

const printed = ({ output, errors }: ProgramEnd): string =>
  [output, errors]
    .map((text) => (text.length > kept ? `…${text.slice(-kept)}` : text).trimEnd())
    .filter((text) => text !== '')
    .join('\n');
