/** How the answer is extracted from the agent's last message. */
import * as z from 'zod';

export const answerSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('text') }).describe('All of it.'),
    z.strictObject({ kind: z.literal('last-line') }).describe('The last line that is not blank.'),
    z
      .strictObject({
        kind: z.literal('between'),
        open: z.string().min(1).describe('What stands before it: <answer>. The last one counts.'),
        close: z.string().min(1).describe('What stands behind it: </answer>.'),
      })
      .describe('What stands between two marks.'),
    z
      .strictObject({
        kind: z.literal('regex'),
        pattern: z
          .string()
          .min(1)
          .describe('A JavaScript regular expression; case-sensitive; . matches no line break.'),
        group: z.int().nonnegative().describe('Which group is the answer; 0 is the whole match.'),
        which: z.enum(['first', 'last']).describe('Which match counts.'),
      })
      .describe('A group of a regular expression.'),
    z
      .strictObject({ kind: z.literal('toolrl-response') })
      .describe(
        'ToolRL’s: none where there is a <tool_call>, else <response>, else what follows </think>, else all of it.',
      ),
    z.strictObject({ kind: z.literal('boxed') }).describe('What the last \\boxed{…} holds.'),
    z
      .strictObject({ kind: z.literal('final-number') })
      .describe(
        'A number, in the last \\boxed{…}, else behind the last “Answer:” or ####, else the last of the text; units, ' +
          'currencies and LaTeX are no part of it.',
      ),
    z.strictObject({ kind: z.literal('json') }).describe('The last fenced JSON block, else the whole text as JSON.'),
    z
      .strictObject({
        kind: z.literal('tool-calls'),
        format: z
          .enum(['json', 'react', 'python', 'openai'])
          .optional()
          .describe(
            'json (the default): in <tool_call> tags, else the whole text as one call or a list of them. react: Action ' +
              'and Action Input. python: f(x=1), or a list. openai: tool_calls of a chat completion.',
          ),
      })
      .describe('Calls of tools, as the usual formats write them.'),
  ])
  .describe('How the answer is read out of what the agent said last.');
export type AnswerSpec = z.infer<typeof answerSchema>;
export type AnswerKind = AnswerSpec['kind'];
