/** One call of a tool, answered or refused: the same for the server and for the editor. */
import { relative } from 'node:path';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { withMarksShown } from '../../../shared/text/hiddenMarks.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { AgentError } from '../core/agentError.ts';
import { named, pieceOf } from '../core/quoting.ts';
import type { Tool } from '../core/tool.ts';
import type { AgentContext } from './agentContext.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { inEnglish } from '../../../launch/language.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

export interface Answer {
  text: string;
  /** The call could not be answered; the text says why and what to do. */
  refused: boolean;
}

/** Characters of an answer, for any request. */
const longest = 80_000;

export async function answerOf(tool: Tool<AgentContext>, context: AgentContext, input: unknown): Promise<Answer> {
  try {
    const { text, left } = pieceOf(await inEnglish(() => tool.answer(context, input)), 0, longest);
    const cut = left === 0 ? '' : `\n\n(${count(left)} more characters are left out: ask for a smaller page.)`;
    return { text: `${text}${cut}`, refused: false };
  } catch (error) {
    return { text: refusalOf(error, context), refused: true };
  }
}

/** The error as text, without a stack: our errors contain their remedy. */
function refusalOf(error: unknown, { place }: AgentContext): string {
  if (error instanceof AgentError || RunError.is(error) || error instanceof InputError)
    return withMarksShown(error.message);
  const told = messageOf(error);
  if (error instanceof Error && 'reason' in error) return withMarksShown(told);
  place.log.warn(error instanceof Error ? (error.stack ?? told) : told);
  return codeOf(error) === ''
    ? `GenEnv failed at this call: ${withMarksShown(told)} The server’s log has more.`
    : `${fileOf(error, place.folder)} could not be read (${codeOf(error)}).`;
}

/** As seen from the folder: absolute paths tell agents nothing that they need. */
function fileOf(error: unknown, folder: string): string {
  if (!(error instanceof Error) || !('path' in error) || typeof error.path !== 'string') return 'A file';
  return `“${named(relative(folder, error.path))}”`;
}
