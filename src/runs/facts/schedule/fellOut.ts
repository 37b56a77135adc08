/** The groups that fell out of an epoch with spare ones (`rollouts.spare`), its rounds taken together. */
import { defined } from '../../../shared/defined.ts';
import type { EventOf } from '../../../shared/journal/events.ts';
import type { FellOut } from '../../../shared/report/data.ts';
import { sum } from '../../../shared/sum.ts';

type Round = Pick<EventOf<'rollouts.finished'>, 'tasks' | 'dropped'>;

/** Undefined where nothing fell out. */
export function fellOutOf(rounds: readonly Round[]): FellOut | undefined {
  const out = rounds.flatMap(({ tasks, dropped }) => (dropped === undefined ? [] : [{ tasks, ...dropped }]));
  if (out.length === 0) return undefined;
  const groups = sum(out.map((round) => round.groups.length));
  return {
    groups,
    of: groups + sum(rounds.map(({ tasks }) => tasks)),
    attempts: sum(out.map(({ attempts }) => attempts)),
    tokens: sum(out.map(({ tokens, likely }) => tokens + likely)),
    ...defined({ expected: bothExpected(out) }),
  };
}

/** Each round's means weigh as many as it has groups on that side. */
function bothExpected(
  rounds: readonly { tasks: number; groups: readonly unknown[]; expected?: FellOut['expected'] }[],
): FellOut['expected'] {
  const known = rounds.flatMap(({ tasks, groups, expected }) =>
    expected === undefined || tasks === 0 ? [] : [{ tasks, out: groups.length, ...expected }],
  );
  if (known.length === 0) return undefined;
  const of = (groups: 'tasks' | 'out', side: 'counted' | 'dropped'): number =>
    Math.round(sum(known.map((round) => round[groups] * round[side])) / sum(known.map((round) => round[groups])));
  return { counted: of('tasks', 'counted'), dropped: of('out', 'dropped') };
}
