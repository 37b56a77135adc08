/** Tasks for the clipboard, as they are now. */
import type { NowTask } from '../node/editedTasks.ts';
import { fenced, inlineMarkdown } from '../../../shared/text/markdown.ts';
import { fileTask } from '../node/fileLine.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

export const copiedTasks = (tasks: readonly NowTask[], as: 'json' | 'markdown'): string =>
  as === 'json' ? JSON.stringify(tasks.map(json), null, 2) : tasks.map(markdown).join('\n');

const json = ({ task, now }: NowTask): unknown => fileTask({ task, excluded: now.excluded, tags: now.tags });

function markdown({ task, now }: NowTask): string {
  const { id, prompt, tools, evaluation, gold } = task;
  const why =
    now.excluded ?? (task.cause === undefined ? null : `${task.cause}. ${inWords(task.note ?? '')}`.trimEnd());
  const out = why === null ? [] : [`**rejected**: ${inlineMarkdown(why)}`];
  const turns = prompt.map(({ role, content }) => `**${role}**\n\n${fenced(content)}`);
  const specs = tools === undefined ? [] : [`**tools**\n\n${fenced(JSON.stringify(tools, null, 2))}`];
  const judged = `**evaluation**\n\n${fenced(JSON.stringify(evaluation, null, 2))}`;
  return [`# ${inlineMarkdown(id)}`, ...out, ...turns, ...specs, judged, `**gold**\n\n${fenced(gold ?? '')}`, ''].join(
    '\n\n',
  );
}
