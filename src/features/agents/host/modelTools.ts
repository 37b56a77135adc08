/** The same tools for the editor's language models, in this process: loaded with the first call. */
import { AgentError } from '../core/agentError.ts';
import { AgentContext, type AgentPlace } from '../node/agentContext.ts';
import { answerOf, type Answer } from '../node/answer.ts';
import { withNamed } from '../node/withNamed.ts';
import { tools } from '../node/tools.ts';
import type { RunFolder } from '../../../host/runs/runFolders.ts';

export interface EditorCall extends Omit<AgentPlace, 'folder' | 'root'> {
  folders: readonly RunFolder[];
}

/** Of the folders the one that has what the call names, else the first that can answer; lists of all, one below the other. */
export async function callTool(name: string, input: unknown, { folders, ...place }: EditorCall): Promise<Answer> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const all = await Promise.all(
    folders.map(({ workspace, root }) => AgentContext.open({ ...place, folder: workspace.uri.fsPath, root })),
  );
  const answers: Answer[] = [];
  let contexts: readonly AgentContext[];
  try {
    contexts = await withNamed(all, input);
  } catch (error) {
    if (error instanceof AgentError) return { text: error.message, refused: true };
    throw error;
  }
  for (const context of contexts) {
    const answer = await answerOf(tool, context, input);
    answers.push(answer);
    if (!answer.refused && !name.startsWith('list_')) return answer;
  }
  const good = answers.filter(({ refused }) => !refused);
  const shown = good.length > 0 ? good : answers.slice(0, 1);
  return { text: shown.map(({ text }) => text).join('\n\n'), refused: good.length === 0 };
}
