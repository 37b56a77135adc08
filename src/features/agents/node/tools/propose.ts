/** `propose_change` and `list_proposals`: what an agent may ask a person for. */
import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import type { Proposal } from '../../contract.ts';
import { AgentError } from '../../core/agentError.ts';
import { leftOutIn } from '../../core/proposed.ts';
import { dataNotice, named, sentence, table } from '../../core/quoting.ts';
import { page, paged, tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';

const replacement = z.strictObject({
  old: z.string().min(1).describe('Text that stands exactly once in the file.'),
  new: z.string(),
});

export const proposeChange = tool({
  name: 'propose_change',
  title: 'Propose a Change',
  description:
    'Proposes an edited or new experiment (*.genenv.json), study (*.study.json), reward (*.reward.ts, .js, .py) or task file ' +
    '(*.jsonl): either the whole text, or replacements in the file as it is. It is checked and waits; a person sees the ' +
    'difference in the editor and accepts or refuses it. Nothing is applied by this call.',
  does: 'propose',
  input: z.strictObject({
    file: z.string().min(1).max(500).describe('Path from the folder, with “/”: experiments/mine.genenv.json.'),
    text: z.string().optional().describe('The whole file as it would be.'),
    replace: z.array(replacement).min(1).max(100).optional().describe('Instead of text: replacements, in order.'),
    why: z.string().min(1).max(2000).describe('What it is for, in a sentence or two: the person reads it first.'),
  }),
  answer: async (context: AgentContext, { file, text, replace, why }) => {
    if ((text === undefined) === (replace === undefined)) {
      throw new AgentError(
        'bad-input',
        'Give either “text” or “replace”.',
        'One of the two says what the file would be.',
      );
    }
    const whole = text ?? replaced(await context.proposals.base(file), file, replace ?? []);
    const proposal = await context.proposals.propose({ file, text: whole, why, by: context.place.by });
    const leftOut = sentence(leftOutIn(proposal.kind, whole, file));
    return (
      `Proposal ${proposal.id} for ${context.fileLink(context.proposals.pathOf(file), 1)} waits for a person, who sees the ` +
      'difference in the editor (GenEnv: Show Proposal) and accepts or refuses it. list_proposals tells the answer.' +
      (leftOut === '' ? '' : ` ${leftOut}`)
    );
  },
});

function replaced(base: Buffer | null, file: string, replacements: readonly z.infer<typeof replacement>[]): string {
  if (base === null) throw new AgentError('not-found', `There is no file “${named(file)}”.`, 'Give its whole text.');
  if (!isUtf8(base)) {
    throw new AgentError(
      'bad-input',
      `“${named(file)}” is not text in UTF-8: replacements would lose what cannot be read.`,
      'Give its whole text.',
    );
  }
  let text = base.toString();
  for (const [i, { old, new: next }] of replacements.entries()) {
    const times = text.split(old).length - 1;
    if (times !== 1) {
      const where = times === 0 ? 'stands nowhere in the file' : `stands ${times} times in the file`;
      throw new AgentError(
        'bad-input',
        `The text of replace[${i}].old ${where}.`,
        'Give a longer piece of it, exactly as it is.',
      );
    }
    // A function, as “$&” in a text is no pattern.
    text = text.replace(old, () => next);
  }
  return text;
}

export const listProposals = tool({
  name: 'list_proposals',
  title: 'List Proposals',
  description: 'What was proposed to the person of this folder, the newest first, and what the answers were.',
  does: 'read',
  input: z.strictObject(page),
  answer: async (context: AgentContext, asked) => {
    const { proposals } = await context.proposals.all();
    if (proposals.length === 0) return 'Nothing was proposed yet.';
    const { rows, rest } = paged(proposals, asked);
    const lines = rows.map(({ id, file, at, by, answer, why }: Proposal) => [
      id,
      named(file),
      new Date(at).toISOString(),
      named(by),
      answer ?? 'waits',
      named(why),
    ]);
    return [...table(['proposal', 'file', 'at', 'by', 'answer', 'why'], lines), '', ...rest, dataNotice].join('\n');
  },
});
