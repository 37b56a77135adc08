/** The contents of a file of rollouts, before the import. */
import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { RolloutFormat, Rollout } from './rollout.ts';
import { filesAt, formatOf, rolloutsAt } from './readRollouts.ts';
import { rowsOf } from '../rows.ts';
import { RunError } from '../../store/runError.ts';

export interface RolloutChoices {
  /** Null detects the format by the rows. */
  format: RolloutFormat | null;
  /** From this reward on an attempt counts as solved, where rows do not say. */
  solved: number;
}

/** Rows that are no attempts, by reason. */
interface LeftOutRollouts {
  why: string;
  count: number;
  /** The first few: `dump.jsonl:12`. */
  examples: string[];
}

export interface Survey {
  files: string[];
  format: RolloutFormat;
  rollouts: number;
  tasks: number;
  /** Training steps in ascending order: each becomes an epoch. One null where rows name none. */
  steps: readonly (number | null)[];
  solved: number;
  /** Attempts that nothing says how they were judged. */
  unjudged: number;
  /** Rewards outside 0…1, which traces hold cut to it; as written they stand among their parts. */
  cut: number;
  leftOut: LeftOutRollouts[];
  /** The first few. */
  first: readonly Rollout[];
}

const shown = 3;

/** @throws RunError `format` when nothing is an attempt; `unreadable` */
export async function surveyRollouts(path: string, choices: RolloutChoices, dist: URL): Promise<Survey> {
  const files = await filesAt(path);
  const format = choices.format ?? (await formatAt(files, dist));
  const [tasks, steps] = [new Set<string>(), new Set<number | null>()];
  const leftOut = new Map<string, LeftOutRollouts>();
  const first: Rollout[] = [];
  let [rollouts, solved, unjudged, cut] = [0, 0, 0, 0];
  for await (const found of rolloutsAt(files, format, dist)) {
    if ('unfit' in found) {
      const { field, message } = found.unfit;
      const why = field === '' ? message : `field "${field}": ${message}`;
      const line = leftOut.get(why) ?? { why, count: 0, examples: [] };
      line.count += 1;
      if (line.examples.length < shown) line.examples.push(`${found.file}:${found.at}`);
      leftOut.set(why, line);
      continue;
    }
    const { rollout } = found;
    rollouts += 1;
    tasks.add(taskKey(rollout));
    steps.add(rollout.step);
    const success = isSolved(rollout, choices);
    if (success === null) unjudged += 1;
    else if (success) solved += 1;
    if (isCut(rollout)) cut += 1;
    if (first.length < shown) first.push(rollout);
  }
  const lines = [...leftOut.values()].sort((a, b) => b.count - a.count);
  if (rollouts === 0) throw nothing(path, lines);
  const ordered = [...steps].sort((a, b) => (a ?? -Infinity) - (b ?? -Infinity));
  return { files, format, rollouts, tasks: tasks.size, steps: ordered, solved, unjudged, cut, leftOut: lines, first };
}

/** The identity of a task: the file's name for it, if any, and the prompt. */
export function taskKey({ task, prompt, gold }: Rollout): string {
  const text = JSON.stringify([task, prompt.map(({ role, content }) => [role, content]), gold]);
  return createHash('sha256').update(text).digest('base64');
}

/** Programs that write rewards of 32 bits write 0.9 as 0.89999998. */
const rounding = 1e-6;

/** As the rows say, or by the reward; null where nothing says it, or the checker failed. */
export function isSolved({ success, reward, error }: Rollout, { solved }: RolloutChoices): boolean | null {
  if (error !== null) return null;
  return success ?? (reward === null ? null : reward >= solved - rounding);
}

export const isCut = ({ reward }: Rollout): boolean => reward !== null && (reward < 0 || reward > 1);

async function formatAt(files: readonly string[], dist: URL): Promise<RolloutFormat> {
  for (const file of files) {
    for await (const { row, at } of rowsOf(file, dist, () => undefined)) {
      const format = formatOf(row);
      if (format !== null) return format;
      throw new RunError('format', {
        ...{ path: file, line: at },
        what: l10n.t(
          'a row with the fields {0} is in none of the forms that are read',
          Object.keys(row).slice(0, 8).join(', '),
        ),
        remedy: l10n.t('See docs/data.md for the forms, or say which it is.'),
      });
    }
  }
  throw nothing(files[0] ?? '', []);
}

function nothing(path: string, [most]: readonly LeftOutRollouts[]): RunError {
  return new RunError('format', {
    path,
    what:
      most === undefined
        ? l10n.t('there are no rows')
        : l10n.t('no row is an attempt: {0} ({1})', most.why, most.examples.join(', ')),
    remedy: l10n.t('See docs/data.md for the forms that are read.'),
  });
}
