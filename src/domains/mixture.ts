/** Several domains as one: each task is requested, checked, posed, played and judged by the domain that it names. */
import type { Domain, Judge, LocalDomain, Scorer } from '../engine/ports.ts';
import type { Task } from '../shared/records/task.ts';

/** One domain of several, under the name that its tasks carry. */
export interface Part<D extends Domain> {
  name: string;
  domain: D;
}

/**
 * Ids of seed tasks get their domain's name as a prefix: `sums.base.sums-1`. Parsed and verified tasks keep the name.
 * Synchronous if all its domains are.
 * @param others for tasks that name none of them: a benchmark's, used only for measurement
 */
export function mixture(parts: readonly Part<LocalDomain>[], others: LocalDomain): LocalDomain;
export function mixture(parts: readonly Part<Domain>[], others: Domain): Domain;
export function mixture(parts: readonly Part<Domain>[], others: Domain): Domain {
  const byName = new Map(parts.map(({ name, domain }) => [name, domain]));
  const of = ({ domain }: Pick<Task, 'domain'>): Domain =>
    (domain === undefined ? undefined : byName.get(domain)) ?? others;
  const seeds = { base: parts.flatMap(named('base')), validation: parts.flatMap(named('validation')) };
  const led = parts.some(({ domain }) => domain.leaderOf !== undefined);
  const planned = parts.some(({ domain }) => domain.planPrompt !== undefined);
  return {
    name: parts.map(({ name }) => name).join('+'),
    seeds: (split) => seeds[split],
    ...(planned && { planPrompt: (context) => of(context.seed).planPrompt?.(context) ?? null }),
    environmentPrompt: (context, plan) => of(context.seed).environmentPrompt(context, plan),
    parseTask(text, plan, seed) {
      const parsed = of(seed).parseTask(text, plan, seed);
      const { domain } = seed;
      const labelled = (one: Awaited<typeof parsed>): Awaited<typeof parsed> =>
        one.ok && domain !== undefined ? { ok: true, draft: { ...one.draft, domain } } : one;
      return parsed instanceof Promise ? parsed.then(labelled) : labelled(parsed);
    },
    verify: (task) => of(task).verify(task),
    verifies: (task) => of(task).verifies?.(task) ?? true,
    // Of one form for all: a task that another domain holds out is held out.
    fingerprint: (task) => of(task).fingerprint(task),
    wording: (task) => of(task).wording?.(task),
    likeness: (task) => of(task).likeness?.(task) ?? { ok: true },
    needsAgreement: (task) => of(task).needsAgreement?.(task) === true,
    goldFollows: (task) => of(task).goldFollows?.(task) === true,
    agentPrompt: (task) => of(task).agentPrompt(task),
    ...(led && { leaderOf: (task) => of(task).leaderOf?.(task) ?? null }),
    environment: (task) => of(task).environment(task),
    environmentExample: (task, context) => of(task).environmentExample?.(task, context) ?? null,
  };
}

const named =
  (split: 'base' | 'validation') =>
  ({ name, domain }: Part<Domain>): Task[] =>
    domain.seeds(split).map((task) => ({
      ...task,
      id: `${name}.${task.id}`,
      family: `${name}.${task.family}`,
      domain: name,
    }));

/** Judges by the task's domain where that has a program of its own, else by the scorer. Null where none has one. */
export function judgeOfParts(judges: ReadonlyMap<string, Judge>, scorer: Scorer): Judge | null {
  if (judges.size === 0) return null;
  return {
    judge(task, trace) {
      const own = task.domain === undefined ? undefined : judges.get(task.domain);
      return own === undefined ? Promise.resolve(scorer.score(task, trace)) : own.judge(task, trace);
    },
  };
}
