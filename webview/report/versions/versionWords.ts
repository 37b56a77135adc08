/** The words of the map of versions, for the page and the report. */
import { count } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import type { VersionCell, VersionMatrix } from '../../charts/versions/versionMatrix.ts';

const shareOf = ({ successes, attempts }: VersionCell): string =>
  attempts === 0 ? '–' : percent(successes / attempts);

/** `epoch 20`, or the agent before any training. */
const agentName = (agent: number): string => (agent === 0 ? 'start' : `epoch ${agent}`);

/** How today's agent does on the first tasks and on today's, and the first agent on today's. */
export function versionsReading({ cells, last: { epoch, version } }: VersionMatrix): string {
  const at = (tasks: number, agent: number): VersionCell | undefined =>
    cells.find((cell) => cell.tasks === tasks && cell.agent === agent && cell.attempts > 0);
  const [first, today, start] = [at(1, epoch), at(epoch, epoch), at(epoch, 0)];
  if (today === undefined) return `No attempt of the check after epoch ${epoch} was judged.`;
  const parts = [
    ...(first === undefined || epoch === 1 ? [] : [`${shareOf(first)} of the tasks of epoch 1`]),
    `${shareOf(today)} of those of epoch ${epoch}`,
  ];
  const before =
    start === undefined || start.version === version ? '' : `; ${start.version} solves ${shareOf(start)} of the latter`;
  return `${version} solves ${parts.join(' and ')}${before}.`;
}

/** How to read it, what was spent, and what is missing. */
export function versionsNote({ rollouts, absent }: VersionMatrix): string {
  const map =
    'A row is an epoch’s tasks, a column the agent after an epoch (0: the start); the frame marks an epoch’s own agent. Along a ' +
    'row the agent changes, down a column the tasks; blank pairs were not measured.';
  return [map, `${count(rollouts)} attempts, which nothing is trained on.`, ...absent].join(' ');
}

export const cellWords = (cell: VersionCell): string[] => [
  `Tasks of epoch ${cell.tasks}, agent of ${agentName(cell.agent)}`,
  cell.attempts === 0 ? 'nothing was judged' : `${cell.successes} of ${cell.attempts} solved (${shareOf(cell)})`,
  `attempted by ${cell.version}`,
];

export const versionColumns = ['Tasks of epoch', 'Agent after epoch', 'Version', 'Solved', 'Attempts'] as const;
