/** The answer's tool calls are the gold's. */
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { callsOf, type ToolCall } from '../adapter/answers/toolCalls.ts';
import { sameJson } from './json.ts';
import { answerJson, Unfit, type Judgement, type Rule } from './rule.ts';

type Options = Pick<z.infer<(typeof ruleSchemas)['tool-calls']>, 'order'>;

const same = (a: ToolCall | undefined, b: ToolCall): boolean =>
  a !== undefined && a.name === b.name && sameJson(a.arguments, b.arguments);

/** Reward: share of the calls that are right, over the longer of the two lists. */
export const toolCalls: Rule<Options, readonly ToolCall[]> = {
  golden: true,
  readGold(gold) {
    const calls = callsOf(parseOrUndefined(gold));
    if (calls === null || calls.length === 0) throw new Unfit('the gold is no list of calls with name and arguments');
    return calls;
  },
  judge(answer, gold, { order }): Judgement {
    const calls = callsOf(answerJson(answer));
    if (calls === null) throw new Unfit('the answer is no list of calls with name and arguments');
    const left = [...calls];
    const missed = gold.filter((wanted, i) => {
      const at = order === 'given' ? (same(calls[i], wanted) ? 0 : -1) : left.findIndex((call) => same(call, wanted));
      if (at >= 0 && order === 'any') left.splice(at, 1);
      return at < 0;
    });
    const right = gold.length - missed.length;
    const success = missed.length === 0 && calls.length === gold.length;
    const reward = right / Math.max(gold.length, calls.length);
    const [first] = missed;
    if (success) return { success, reward };
    const note =
      first === undefined
        ? `${calls.length} calls, expected ${gold.length}`
        : `no call is ${first.name}(${JSON.stringify(first.arguments)})`;
    return { success, reward, note };
  },
};
