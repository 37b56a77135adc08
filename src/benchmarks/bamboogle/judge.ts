/** A language model judges an answer, as ToolRL has it (its prompt, Apache-2.0): its figures are of this kind. */
import { strip } from '../python/text.ts';

/** The judge's system message. */
export const judgeInstructions = `You are a helpful assistant to help me judge if the answer for a specific query is correct or not. You will be given the query, the ground truth answer and the predicted answer. You should first think about if the predicted answer is semantically the same as the ground truth answer. If so give "Yes" in the field "Judgment", otherwise give "No".

**Output Format**
Your Response:
- Thought: <Your brief thoughts>
- Judgment: <Yes/No>
`;

/** The judge's question. */
export const judgeQuestion = (question: string, truth: string, prediction: string): string =>
  `**Query**
${question}

**Ground Truth Answer**
${truth}

**Predicted Answer**
${prediction}

Your Response:
`;

/** Whether the judge says yes, and nothing but yes; null for a reply without both fields, which is no judgement. */
export function readJudgement(reply: string): boolean | null {
  const judgement = reply.split('- Judgment:')[1];
  if (judgement === undefined || !reply.includes('- Thought:')) return null;
  return strip(judgement) === 'Yes';
}
