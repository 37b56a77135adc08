/** Samples of API-Bank's dialogues as tasks of an adapter: a call is executed, a response compared word by word. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { answerSchema } from '../../shared/adapters/answer.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import type { FolderRule } from '../adapter/folderScorer.ts';
import { findCall } from './callText.ts';
import { turnSchema, type Turn } from './dialogue.ts';
import { isRightCall } from './execute.ts';
import { rougeL } from './rouge.ts';
import { readTables, type Tables } from './tools/tables.ts';

const specSchema = z.object({
  answer: answerSchema,
  /** The benchmark's folder, absolute. */
  data: z.string(),
  /** The turn to come. */
  truth: turnSchema,
});

/** A call is right or wrong. A response is right when it has the truth's words; its reward is ROUGE-L's F. */
export const sampleRule: FolderRule<z.infer<typeof specSchema>, Tables> = {
  schema: specSchema,
  read: (folder) => readTables(folder),
  goldOf: (gold) => gold,
  judge: ({ truth }, value, tables) => {
    const text = typeof value === 'string' ? value : '';
    return truth.role === 'API' ? called(text, truth, tables) : responded(text, truth);
  },
};

function called(text: string, truth: Extract<Turn, { role: 'API' }>, tables: Tables): Verdict {
  if (isRightCall(text, truth, tables)) return { success: true, reward: 1, valid: true };
  const name = findCall(text)?.name ?? null;
  const note =
    name === null
      ? l10n.t('the answer holds no call')
      : name === truth.api_name
        ? l10n.t('{0} does not give what the dialogue has', name)
        : l10n.t('{0} is to be called, not {1}', truth.api_name, name);
  return { success: false, reward: 0, valid: name !== null, note };
}

function responded(text: string, truth: Exclude<Turn, { role: 'API' }>): Verdict {
  const score = rougeL(truth.text, text);
  const verdict = { success: score === 1, reward: score, valid: true, parts: { rougeL: score } };
  return verdict.success ? verdict : { ...verdict, note: `ROUGE-L is ${score}` };
}
