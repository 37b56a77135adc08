import * as l10n from '@vscode/l10n';
import type { Body } from './body.ts';
import { TaskFault } from '../taskFault.ts';
import { numberOf } from './vocabulary.ts';

/** The environment's decisions before it writes; all variations of a family keep to them. */
export interface Plan {
  /** Steps of the request, 1 … 12. */
  steps: number;
  /** Entries of the menu, 1 … 6. */
  tools: number;
  /** Most words of the request that may mean nothing. */
  fillers: number;
}

export function planOf(body: Body): Plan {
  return { steps: body.steps.length, tools: body.menu.length, fillers: body.fillers.length };
}

export function renderPlan(plan: Plan): string {
  return `steps ${plan.steps} tools ${plan.tools} fillers ${plan.fillers}`;
}

/** @throws TaskFault `plan` when the text is no plan */
export function parsePlan(text: readonly string[]): Plan {
  const [stepsWord, steps, toolsWord, tools, fillersWord, fillers, ...rest] = text;
  const plan = { steps: numberOf(steps), tools: numberOf(tools), fillers: numberOf(fillers) };
  if (
    stepsWord !== 'steps' ||
    toolsWord !== 'tools' ||
    fillersWord !== 'fillers' ||
    plan.steps === undefined ||
    plan.tools === undefined ||
    plan.fillers === undefined ||
    rest.length > 0
  ) {
    throw new TaskFault('plan', l10n.t('"{0}" is no plan; a plan reads "steps 3 tools 4 fillers 0"', text.join(' ')));
  }
  return { steps: plan.steps, tools: plan.tools, fillers: plan.fillers };
}

/** Steps and tools are exact, fillers a limit. @throws TaskFault `plan` when a body does not keep to its plan */
export function checkPlan(body: Body, plan: Plan): void {
  const written = planOf(body);
  const exact = (['steps', 'tools'] as const).filter((key) => written[key] !== plan[key]);
  const broken = exact.map((key) => l10n.t('{0} {1}, the task has {2}', plan[key], key, written[key]));
  if (written.fillers > plan.fillers) {
    broken.push(l10n.t('at most {0} fillers, the task has {1}', plan.fillers, written.fillers));
  }
  if (broken.length > 0) throw new TaskFault('plan', l10n.t('the plan asks for {0}', broken.join('; ')));
}
