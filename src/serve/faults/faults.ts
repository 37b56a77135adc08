/** Faults of a server on demand, for tests of clients. Seeded, so that a test repeats. */
import { createHash } from 'node:crypto';
import { defined } from '../../shared/defined.ts';

/** Each by name, with where it can happen: at `any` call, at the `poll` for a result, at an answer with `results`. */
export const faultKinds = {
  /** Too many requests: this call and the next two of its kind. */
  '429': 'any',
  /** The poll ends at once. */
  '408': 'poll',
  /** The promise is forgotten until its request is sent again. */
  '410': 'poll',
  '500': 'any',
  /** The key is no longer valid. */
  '401': 'any',
  /** Billing stopped. */
  '402': 'any',
  /** The connection ends before anything was done. */
  'drop-before': 'any',
  /** The work is done, the connection ends in place of the answer. */
  'drop-after': 'any',
  /** The answer to a poll comes late. */
  'slow-future': 'poll',
  /** The answer is cut in half. */
  truncated: 'any',
  /** A proxy's page in place of an answer. */
  html: 'any',
  /** One result too few. */
  'wrong-count': 'results',
  /** A logprob that is NaN. */
  nan: 'results',
  /** The answer comes byte by byte, and never ends. */
  'slow-loris': 'any',
  /** The server forgets everything that is not on its disk. */
  restart: 'any',
} as const;
export type Fault = keyof typeof faultKinds;

export const isFault = (name: string): name is Fault => Object.hasOwn(faultKinds, name);

export interface FaultRule {
  fault: Fault;
  /** Of the calls where it can happen: 0…1. */
  share: number;
  /** Only calls whose path ends so: `asample`. */
  path?: string;
  /** At most so often. */
  times?: number;
}

/** The facts that decide which faults fit a call. */
export interface FaultTarget {
  path: string;
  poll: boolean;
  results: boolean;
}

const burst = 3;

export class Faults {
  readonly #seed: string;
  #rules: { rule: FaultRule; left: number }[] = [];
  readonly #calls = new Map<string, number>();
  readonly #bursts = new Map<string, number>();
  readonly #happened = new Map<Fault, number>();

  constructor(rules: readonly FaultRule[] = [], seed = '0') {
    this.#seed = seed;
    this.set(rules);
  }

  /** From now on these and no others. */
  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, left: rule.times ?? Infinity }));
    this.#bursts.clear();
  }

  get rules(): readonly FaultRule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  /** How often each happened. */
  get happened(): ReadonlyMap<Fault, number> {
    return this.#happened;
  }

  /** Which fault hits this call. The k-th call of a path gets the same with the same seed and rules. */
  pick(target: FaultTarget): Fault | null {
    const { path } = target;
    const inBurst = this.#bursts.get(path) ?? 0;
    if (inBurst > 0) {
      this.#bursts.set(path, inBurst - 1);
      return this.#note('429');
    }
    const call = (this.#calls.get(path) ?? 0) + 1;
    this.#calls.set(path, call);
    let drawn = uniform(`${this.#seed}/${path}/${call}`);
    for (const entry of this.#rules) {
      const { fault, share, path: only } = entry.rule;
      if (entry.left === 0 || !can(fault, target) || (only !== undefined && !path.endsWith(only))) continue;
      drawn -= share;
      if (drawn >= 0) continue;
      entry.left--;
      if (fault === '429') this.#bursts.set(path, burst - 1);
      return this.#note(fault);
    }
    return null;
  }

  #note(fault: Fault): Fault {
    this.#happened.set(fault, (this.#happened.get(fault) ?? 0) + 1);
    return fault;
  }
}

function can(fault: Fault, { poll, results }: FaultTarget): boolean {
  const kind = faultKinds[fault];
  return kind === 'any' || (kind === 'poll' ? poll : results);
}

const uniform = (key: string): number => createHash('sha256').update(key).digest().readUInt32LE(0) / 2 ** 32;

/** `429=0.1`, `nan=0.05@asample`. Null when it is neither. */
export function parseFaultRule(text: string): FaultRule | null {
  const [, name = '', share = '', path] = /^([^=]+)=([^@]+)(?:@(.+))?$/.exec(text) ?? [];
  const value = Number(share);
  if (!isFault(name) || share.trim() === '' || !(value >= 0 && value <= 1)) return null;
  return { fault: name, share: value, ...defined({ path }) };
}
