import * as z from 'zod';
import { CaseError, fromJson, OptionError, type OfflineScorer, type ScorerOptions } from '../offline/offlineScorer.ts';
import { readCase, text } from '../offline/pythonCase.ts';
import { jsonText } from '../python/json.ts';
import type { PythonValue } from '../python/value.ts';
import { findCall } from './callText.ts';
import { CallJudge } from './execute.ts';
import { rougeL } from './rouge.ts';
import { extractCalls, scoreCalls, type ToolAnswer } from './toolRl.ts';

/** Each is a way of its own. */
const ways = ['parse', 'execute', 'rouge'] as const;

/** `genenv score api-bank`: ToolRL's variant, or with a switch one part of the official program. */
export async function openApiBank(options: ScorerOptions): Promise<OfflineScorer> {
  const given = ways.filter((way) => options.has(way));
  if (given.length > 1) {
    throw new OptionError(`${given.map((way) => `--${way}`).join(' and ')} do not go together.`, 'Give one of them.');
  }
  const [way] = given;
  if (way === 'parse') return parser;
  if (way === 'rouge') return rouge;
  if (way === 'execute') return openExecute(options.text('data'));
  return toolRl;
}

/** `{id, model_text, answer}` → `{id, extracted, score}`. Numbers keep their kinds, so the line is read as Python would. */
const toolRl: OfflineScorer = {
  score(line) {
    const record = readCase(line);
    const calls = extractCalls(text(record, 'model_text'));
    return `{"extracted":${jsonText(calls)},"score":${scoreCalls(calls, answerOf(record.get('answer')))}}`;
  },
};

/** Of a list of answers the first counts. @throws CaseError */
function answerOf(value: PythonValue | undefined): ToolAnswer {
  const answer = Array.isArray(value) ? value[0] : value;
  if (!(answer instanceof Map))
    throw new CaseError('form', 'answer', 'must be an object or a list that begins with one');
  const [name, parameters] = [answer.get('name'), answer.get('parameters')];
  if (name === undefined) throw new CaseError('form', 'answer.name', 'is missing');
  if (parameters === undefined) throw new CaseError('form', 'answer.parameters', 'is missing');
  return { name, parameters };
}

/** `{id, text}` → `{id, call, name, params}`, all three null where there is no call. */
const parser = fromJson(z.object({ text: z.string() }), ({ text }) => {
  const call = findCall(text);
  if (call === null) return { call, name: null, params: null };
  return { call: call.text, name: call.name, params: Object.fromEntries(call.params) };
});

/** `{id, reference, hypothesis}` → `{id, score}`. */
const rouge = fromJson(z.object({ reference: z.string(), hypothesis: z.string() }), ({ reference, hypothesis }) => ({
  score: rougeL(reference, hypothesis),
}));

const executeCase = z.object({ level_folder: z.string(), file: z.string(), sample: z.int().min(0), call: z.string() });

/** `{id, level_folder, file, sample, call}` → `{id, correct}`. */
async function openExecute(folder: string | null): Promise<OfflineScorer> {
  if (folder === null) {
    throw new OptionError('--execute needs --data DIR.', 'DIR is the folder "api-bank" of a DAMO-ConvAI clone.');
  }
  const judge = await CallJudge.open(folder);
  return fromJson(executeCase, async ({ level_folder, file, sample, call }) => ({
    correct: await judge.isCorrect({ folder: level_folder, file, sample, text: call }),
  }));
}
