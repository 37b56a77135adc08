/**
 * Group-relative advantages of texts that were sampled in several spans (a plan, then a task): a span's group are the
 * spans sampled after the very same tokens. A text's last span is worth its reward; an earlier one, which all texts of
 * a family share, the mean of theirs (hierarchical GRPO). A group whose members are alike, or that has one, teaches
 * nothing.
 */
import { largest, smallest } from '../../shared/extremes.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { groupAdvantages } from './advantage.ts';

interface Sampled {
  /** Equal spans of one family were sampled once. */
  family: string;
  tokens: readonly number[];
  /** [start, end) of each sampled span, in order. */
  spans: readonly (readonly [number, number])[];
  reward: number;
}

export interface Advantages {
  /** By text and span. */
  advantages: number[][];
  groups: number;
  /** Groups of two or more that were rewarded alike. */
  alike: number;
}

/** One sampled span and all texts that continue from it. */
interface Member {
  rewards: number[];
  texts: [text: number, span: number][];
}

/** Rewards closer than this are alike. */
const tolerance = 1e-12;

export function prefixAdvantages(texts: readonly Sampled[], norm: 'none' | 'group-std'): Advantages {
  const prefixes = new Prefixes();
  const groups = new Map<number, Map<string, Member>>();
  for (const [text, { family, tokens, spans, reward }] of texts.entries()) {
    for (const [span, [start, end]] of spans.entries()) {
      const members = groups.get(prefixes.number(tokens, start)) ?? new Map<string, Member>();
      groups.set(prefixes.number(tokens, start), members);
      const last = span === spans.length - 1;
      const name = last ? String(text) : `${family}/${prefixes.number(tokens, end)}`;
      const member = members.get(name) ?? { rewards: [], texts: [] };
      member.rewards.push(reward);
      member.texts.push([text, span]);
      members.set(name, member);
    }
  }
  const advantages = texts.map(({ spans }) => spans.map(() => 0));
  let [compared, alike] = [0, 0];
  for (const group of groups.values()) {
    const members = [...group.values()];
    if (members.length < 2) continue;
    compared += 1;
    const rewards = members.map((one) => one.rewards.reduce((sum, reward) => sum + reward, 0) / one.rewards.length);
    if (largest(rewards) - smallest(rewards) <= tolerance) {
      alike += 1;
      continue;
    }
    const own = groupAdvantages(rewards, norm);
    for (const [i, member] of members.entries()) {
      for (const [text, span] of member.texts) (advantages[text] ?? outOfRange())[span] = own[i] ?? outOfRange();
    }
  }
  return { advantages, groups: compared, alike };
}

/** Beginnings of token lists, each with a number of its own: equal tokens, equal numbers. */
class Prefixes {
  readonly #known = new Map<number, { tokens: readonly number[]; length: number; number: number }[]>();
  #count = 0;

  number(tokens: readonly number[], length: number): number {
    let hash = length;
    for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + (tokens[i] ?? outOfRange())) | 0;
    const same = this.#known.get(hash) ?? [];
    this.#known.set(hash, same);
    const found = same.find((one) => one.length === length && begins(one.tokens, tokens, length));
    if (found !== undefined) return found.number;
    const number = this.#count++;
    same.push({ tokens, length, number });
    return number;
  }
}

function begins(a: readonly number[], b: readonly number[], length: number): boolean {
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
  return true;
}
