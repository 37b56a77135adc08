/** Initial content of a new curriculum in each language, and worked cases that it passes. */
import type { FileTemplate } from '../../../host/newFile.ts';

export interface CurriculumTemplate extends FileTemplate {
  /** The types written beside it, from `media/curricula`. */
  types: string;
  text: string;
}

function script(typed: boolean): string {
  const type = (name: string): string => (typed ? `: ${name}` : '');
  return `${typed ? "import type { Epoch, Family, Rewards, Task } from './genenv-curriculum';\n\n" : ''}/**
 * What the environment earns for the tasks that it wrote: one reward a family, a number from −10 to 10.
 * Here: the mean of 4p(1 − p) over the family's tasks, highest where half of a task's attempts succeed.
 *
 * @param families all of an epoch, each with its tasks and the agent's attempts at them
 * @param epoch its number, α, β, k_min, and the run's seed for chance
 * @returns one reward a family, in their order; null where the environment is to learn nothing${typed ? '' : "\n * @type {import('./genenv-curriculum').Curriculum}"}
 */
export function rewards(families${type('Family[]')}, ${typed ? 'epoch: Epoch' : 'epoch'})${type('Rewards')} {
  void epoch;
  return families.map(({ tasks }) => {
    const known = tasks.map(worth).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}

/** 4p(1 − p) of one task; null without a judged attempt.${typed ? '' : " @param {import('./genenv-curriculum').Task} task"} */
function worth({ attempts }${type('Task')})${type('number | null')} {
  const judged = attempts.filter(({ success }) => success !== null);
  if (judged.length === 0) return null;
  const p = judged.filter(({ success }) => success).length / judged.length;
  return 4 * p * (1 - p);
}
`;
}

const python = `from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genenv_curriculum import Epoch, Family, Rewards, Task


def rewards(families: list[Family], epoch: Epoch) -> Rewards:
    """What the environment earns for the tasks that it wrote: one reward a family, a number from -10 to 10.

    Here: the mean of 4p(1 - p) over the family's tasks, highest where half of a task's attempts succeed.

    families: all of an epoch, each with its tasks and the agent's attempts at them.
    epoch: its number, alpha, beta, kMin, and the run's seed for chance.
    Returns one reward a family, in their order; None where the environment is to learn nothing.
    """
    return [mean([worth(task) for task in family["tasks"]]) for family in families]


def worth(task: Task) -> float | None:
    """4p(1 - p) of one task; None without a judged attempt."""
    judged = [attempt["success"] for attempt in task["attempts"] if attempt["success"] is not None]
    if not judged:
        return None
    p = sum(judged) / len(judged)
    return 4 * p * (1 - p)


def mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
`;

export const curriculumTemplates: readonly CurriculumTemplate[] = [
  { language: 'typescript', ending: '.curriculum.ts', types: 'genenv-curriculum.d.ts', text: script(true) },
  { language: 'javascript', ending: '.curriculum.js', types: 'genenv-curriculum.d.ts', text: script(false) },
  { language: 'python', ending: '.curriculum.py', types: 'genenv_curriculum.pyi', text: python },
];

export const curriculumCases = `${[
  { v: 1, note: 'half solved earns most', families: [{ tasks: [{ attempts: '1100' }] }], expected: [1] },
  {
    ...{ v: 1, note: 'solved and hopeless tasks teach nothing' },
    families: [{ tasks: [{ attempts: '1111' }, { attempts: '0000' }] }],
    expected: [0],
  },
  {
    ...{ v: 1, note: 'without a judged attempt nothing is known' },
    families: [{ tasks: [{ attempts: '--' }] }, { tasks: [{ attempts: '10-' }] }],
    expected: [null, 1],
  },
]
  .map((one) => JSON.stringify(one))
  .join('\n')}\n`;
