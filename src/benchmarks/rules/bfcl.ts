/** BFCL's single-turn records: the checker of syntax trees, and whether there is a call at all. */
import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { ruleSchemas } from '../../shared/adapters/scorer.ts';
import { expectedCalls, functionDocuments, language } from '../bfcl/case.ts';
import type { Checked } from '../bfcl/checker.ts';
import { goldText } from '../bfcl/goldText.ts';
import { judgeRelevance, judgeText, type BfclVerdict } from '../bfcl/judge.ts';
import { OfficialStop } from '../bfcl/officialStop.ts';
import { packedTreeSitter, unpacked } from '../bfcl/decoders/packedTreeSitter.ts';
import { treeSitter, type TreeSitter } from '../bfcl/decoders/treeSitter.ts';
import { CaseError } from '../offline/offlineScorer.ts';
import { parseJson } from '../python/json.ts';
import type { PythonValue } from '../python/value.ts';
import { answerText, passed, Unfit, type Judgement, type Rule } from './rule.ts';

/** The adapter's options for each record, besides the gold: its function documents, its language and its category. */
export const bfclOptions = ruleSchemas.bfcl
  .extend({ function: z.array(z.unknown()), language: z.string(), category: z.string() })
  .strip();
type Options = z.infer<typeof bfclOptions>;

/** The adapter's options for each record: its category. */
export const relevanceOptions = ruleSchemas['bfcl-relevance'].extend({ category: z.string() }).strip();

type Parser = () => TreeSitter;

/** Reads Java and JavaScript: compiled with the first text of either. @param dist the folder of built files */
export async function openParser(dist: URL | null): Promise<Parser> {
  if (dist === null) {
    return () => {
      throw new Unfit(l10n.t('Java and JavaScript cannot be read here'));
    };
  }
  const packed = await readFile(new URL(packedTreeSitter, dist));
  let made: TreeSitter | null = null;
  return () => (made ??= treeSitter(unpacked(packed)));
}

/** The gold is the record's list of expected calls, each number as it is written. Prompting mode. */
export const bfcl = (parser: Parser): Rule<Options, Checked> => ({
  golden: true,
  readGold: (gold, options) =>
    stoppedAsUnfit(() => {
      const of = new Map<string, PythonValue>([
        ['possible_answer', json(gold)],
        ['function', json(JSON.stringify(options.function))],
        ['language', options.language],
      ]);
      return {
        functions: functionDocuments(of),
        expected: expectedCalls(of),
        language: language(of),
        category: options.category,
        underscored: false,
      };
    }),
  spoken: ({ functions, expected, language: of }) => goldText(expected, functions, of),
  judge: (answer, gold) => stoppedAsUnfit(() => judgement(judgeText(answerText(answer), gold, parser))),
});

/** Irrelevance: right without a call. Relevance: right with any. */
export const bfclRelevance = (parser: Parser): Rule<z.infer<typeof relevanceOptions>, null> => ({
  golden: false,
  readGold: () => null,
  spoken: (_, { category }) => (category.includes('irrelevance') ? 'No function fits.' : '[any_function()]'),
  judge: (answer, _, { category }) =>
    stoppedAsUnfit(() => judgement(judgeRelevance(answerText(answer), category, parser))),
});

const judgement = ({ valid, error_type }: BfclVerdict): Judgement => passed(valid, () => error_type ?? 'wrong');

/** Cases where the official program stops, and invalid records, cannot be judged. */
function stoppedAsUnfit<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CaseError) throw new Unfit(`${error.field === '' ? '' : `${error.field} `}${error.message}`);
    if (error instanceof OfficialStop) throw new Unfit(error.message);
    throw error;
  }
}

function json(text: string): PythonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unfit(l10n.t('the gold is not JSON ({0})', error.message));
    throw error;
  }
}
