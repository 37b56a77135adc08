/** The answer's tool calls are the gold's. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { parseExactly } from '../../shared/json.ts';
import { rounded } from '../../shared/longInteger.ts';
import { callsOf, type ToolCall } from '../adapter/answers/calls.ts';
import { likeValue } from './likeValue.ts';
import { answerJson, Unfit, type Judgement, type Rule } from './rule.ts';

type Options = Omit<z.infer<(typeof ruleSchemas)['tool-calls']>, 'kind'>;

/** Reward: share of the calls that are right, over the longer of the two lists. */
export const toolCalls: Rule<Options, readonly ToolCall[]> = {
  golden: true,
  readGold(gold) {
    const calls = callsOf(parseExactly(gold));
    if (calls === null || calls.length === 0)
      throw new Unfit(l10n.t('the gold is no list of calls with name and arguments'));
    return calls;
  },
  judge(answer, gold, options): Judgement {
    const calls = callsOf(answerJson(answer));
    if (calls === null) throw new Unfit(l10n.t('the answer is no list of calls with name and arguments'));
    const fits = (wanted: number, given: number): boolean => sameCall(calls[given], gold[wanted], options);
    const found = options.order === 'given' ? gold.map((_, i) => fits(i, i)) : paired(gold.length, calls.length, fits);
    const [first] = gold.filter((_, i) => found[i] === false);
    const longer = Math.max(gold.length, calls.length);
    const success = first === undefined && calls.length === gold.length;
    const reward = found.filter((one) => one).length / longer;
    const parts = { calls: reward, names: commonNames(calls, gold) / longer };
    if (success) return { success, reward, parts };
    const note =
      first === undefined
        ? l10n.t('{0} calls, expected {1}', calls.length, gold.length)
        : l10n.t('no call is {0}({1})', first.name, JSON.stringify(first.arguments));
    return { success, reward, parts, note };
  },
};

function sameCall(given: ToolCall | undefined, gold: ToolCall | undefined, options: Options): boolean {
  if (given === undefined || gold === undefined || given.name !== gold.name) return false;
  const like = {
    ...{ absolute: options.absolute ?? 0, relative: options.relative ?? 0 },
    text: options.text ?? 'exact',
  } as const;
  const [mine, right] = [new Map(Object.entries(given.arguments)), new Map(Object.entries(gold.arguments))];
  const defaults = new Map(Object.entries(options.defaults ?? {}));
  const ownOf = <T>(of: (key: string) => T | undefined, name: string): T | undefined =>
    of(`${gold.name}.${name}`) ?? of(name);
  const isDefault = (name: string, value: unknown): boolean => {
    const key = [`${gold.name}.${name}`, name].find((one) => defaults.has(one));
    // Those of an adapter are rounded, as all of its JSON.
    return key !== undefined && likeValue(rounded(value), defaults.get(key), like);
  };
  const mayMiss = (name: string): boolean =>
    ownOf((key) => (options.optional?.includes(key) === true ? true : undefined), name) === true;
  return (
    [...right].every(([name, value]) =>
      mine.has(name) ? likeValue(mine.get(name), value, like) : mayMiss(name) || isDefault(name, value),
    ) && [...mine].every(([name, value]) => right.has(name) || options.extra === true || isDefault(name, value))
  );
}

/** For each gold whether it has a call of its own, as many as can have one (Kuhn, 1955). */
function paired(golds: number, calls: number, fits: (gold: number, call: number) => boolean): boolean[] {
  const owner = new Map<number, number>();
  const claim = (gold: number, seen: Set<number>): boolean => {
    for (let call = 0; call < calls; call++) {
      if (seen.has(call) || !fits(gold, call)) continue;
      seen.add(call);
      const before = owner.get(call);
      if (before !== undefined && !claim(before, seen)) continue;
      owner.set(call, gold);
      return true;
    }
    return false;
  };
  return Array.from({ length: golds }, (_, gold) => claim(gold, new Set()));
}

/** How many names both lists have, however often each. */
function commonNames(calls: readonly ToolCall[], gold: readonly ToolCall[]): number {
  const left = new Map<string, number>();
  for (const { name } of gold) left.set(name, (left.get(name) ?? 0) + 1);
  let common = 0;
  for (const { name } of calls) {
    const times = left.get(name) ?? 0;
    if (times > 0) common += 1;
    left.set(name, times - 1);
  }
  return common;
}
