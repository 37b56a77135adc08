import { readFileSync } from 'node:fs';
import { CaseError, OptionError, type OfflineScorer, type ScorerOptions } from '../offline/offlineScorer.ts';
import { readCase, text, type Case } from '../offline/pythonCase.ts';
import { expectedCalls, functionDocuments, language } from './case.ts';
import type { Checked } from './checker.ts';
import { decode } from './decoders/decode.ts';
import { decodedText } from './decoders/decodedText.ts';
import { judgeOutput, judgeRelevance, judgeText, type BfclVerdict } from './judge.ts';
import { fromJson } from './python/value.ts';
import { stopped } from './stopped.ts';
import { taggedCalls } from './toolCalls.ts';
import { packedTreeSitter, unpacked } from './decoders/packedTreeSitter.ts';
import { treeSitter, type TreeSitter } from './decoders/treeSitter.ts';

const ways = ['decode', 'relevance'] as const;

/** `genenv score bfcl`: the checker of syntax trees, or with a switch one part of it. @param dist the folder of built files */
export function openBfcl(options: ScorerOptions, dist: URL): OfflineScorer {
  const given = ways.filter((way) => options.has(way));
  if (given.length > 1) throw new OptionError('--decode and --relevance do not go together.', 'Give one of them.');
  const parser = lazily(dist);
  const score = given[0] === 'decode' ? decoded : given[0] === 'relevance' ? relevance : checked;
  return { score: (line) => stopped(() => score(readCase(line), parser)) };
}

/** Read and compiled with the first text in Java or JavaScript. */
function lazily(dist: URL): () => TreeSitter {
  let made: TreeSitter | null = null;
  return () => (made ??= treeSitter(unpacked(readFileSync(new URL(packedTreeSitter, dist)))));
}

/** `{id, category, language, function, possible_answer, model_output_text or model_output, model_mode}` → `{valid, error_type}`. */
function checked(of: Case, parser: () => TreeSitter): BfclVerdict {
  const against: Checked = {
    functions: functionDocuments(of),
    expected: expectedCalls(of),
    language: language(of),
    category: text(of, 'category'),
    underscored: isFunctionCalling(of),
  };
  const output = of.get('model_output');
  if (output !== undefined) return judgeOutput(fromJson(output), against);
  const written = text(of, 'model_output_text');
  return against.underscored ? judgeOutput(taggedCalls(written), against) : judgeText(written, against, parser);
}

/** @throws CaseError */
function isFunctionCalling(of: Case): boolean {
  const mode = of.get('model_mode') ?? 'prompting';
  const known = typeof mode === 'string' ? mode.toLowerCase().replace(/[ -]/g, '_') : '';
  if (['prompting', 'prompt'].includes(known)) return false;
  if (['fc', 'function_calling'].includes(known)) return true;
  throw new CaseError('form', 'model_mode', 'must be "prompting" or "fc"');
}

/** `{id, language, text}` → `{decodes, decoded}`. */
function decoded(of: Case, parser: () => TreeSitter): string {
  return decodedText(decode(text(of, 'text'), language(of), parser), language(of));
}

/** `{id, category, text}` → `{valid, error_type}`. */
const relevance = (of: Case, parser: () => TreeSitter): BfclVerdict =>
  judgeRelevance(text(of, 'text'), text(of, 'category'), parser);
