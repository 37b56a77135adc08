import type { Task } from '../shared/records/task.ts';
import type { Domain } from './ports.ts';

/** The text by which tasks are compared: the domain's wording, else the prompt without the agent's instructions. */
export function wordingOf(domain: Pick<Domain, 'wording'>, task: Pick<Task, 'prompt' | 'domain'>): string {
  const said = task.prompt.filter(({ role }) => role !== 'system');
  return domain.wording?.(task) ?? (said.length === 0 ? task.prompt : said).map(({ content }) => content).join('\n');
}
