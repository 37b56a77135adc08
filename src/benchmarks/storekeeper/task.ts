import * as l10n from '@vscode/l10n';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { complexityOf, parseBody, renderBody, type Body } from './body.ts';
import { renderCalls, type Call } from './calls.ts';
import { execute } from './execute.ts';
import { TaskFault } from '../taskFault.ts';
import { words } from './vocabulary.ts';

/** Name of the scoring rule in a task's evaluation spec. */
export const evaluationKind = 'storekeeper';

/** How the agent is asked to answer: `CALLS`, the whole sequence in one turn; `CALL`, one call a turn. */
export type Cue = 'CALLS' | 'CALL';

/** The agent's prompt, in the domain's words: `<agent>` · `MENU … REQ … CALLS`. */
export function agentMessages(body: Body, cue: Cue): TaskDraft['prompt'] {
  return [
    { role: 'system', content: '<agent>' },
    { role: 'user', content: [...renderBody(body), cue].join(' ') },
  ];
}

/** The body in a prompt of `agentMessages`. @throws TaskFault `unparseable` and what `parseBody` throws */
export function bodyOfPrompt(prompt: TaskDraft['prompt']): Body {
  const [system, user, ...rest] = prompt;
  if (system?.content !== '<agent>' || user === undefined || rest.length > 0) {
    throw new TaskFault('unparseable', l10n.t('the prompt must be "<agent>" and one message with the task'));
  }
  const text = words(user.content);
  const cue = text.pop();
  if (cue !== 'CALLS' && cue !== 'CALL')
    throw new TaskFault('unparseable', l10n.t('the prompt must end with CALLS or CALL'));
  return parseBody(text);
}

/** A body and the calls claimed to be its gold, as a draft; nothing is checked. */
export function draftOf(body: Body, gold: readonly Call[], plan: string, cue: Cue): TaskDraft {
  return {
    prompt: agentMessages(body, cue),
    evaluation: { kind: evaluationKind, steps: body.steps.length },
    gold: renderCalls(gold),
    complexity: complexityOf(body),
    plan,
  };
}

/** A human-authored task: its gold comes from execution. @throws TaskFault when the body does not verify */
export function authoredTask(body: Body, id: string, origin: 'base' | 'validation', cue: Cue): Task {
  return {
    v: 1,
    id,
    family: id,
    epoch: 0,
    origin,
    seed: null,
    status: 'accepted',
    ...draftOf(body, execute(body), '', cue),
  };
}

/**
 * The same for tasks that ask the same: menu in a fixed order, no fillers.
 * A prompt that is no task of this domain is its own key.
 */
export function fingerprintOf(prompt: TaskDraft['prompt']): string {
  try {
    const { menu, steps } = bodyOfPrompt(prompt);
    const ordered = [...menu].sort((a, b) => a.concept.localeCompare(b.concept));
    return renderBody({ menu: ordered, steps, fillers: [] }).join(' ');
  } catch (error) {
    if (error instanceof TaskFault) return prompt.map(({ role, content }) => `${role}: ${content}`).join('\n');
    throw error;
  }
}
