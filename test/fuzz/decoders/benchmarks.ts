/** Texts of models, and the files of benchmarks. */
import { readFileSync } from 'node:fs';
import { parseAnswer } from '../../../src/benchmarks/adapter/answers/parseAnswer.ts';
import { readGameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';
import { readDomain } from '../../../src/benchmarks/alfworld/pddl/domain.ts';
import { readProblem } from '../../../src/benchmarks/alfworld/pddl/problem.ts';
import { readGrammar } from '../../../src/benchmarks/alfworld/text/twl2.ts';
import { findCall } from '../../../src/benchmarks/apiBank/callText.ts';
import { readDialogue } from '../../../src/benchmarks/apiBank/dialogue.ts';
import { samplesOf } from '../../../src/benchmarks/apiBank/samples.ts';
import { readReply } from '../../../src/benchmarks/bamboogle/searchRound.ts';
import { decode } from '../../../src/benchmarks/bfcl/decoders/decode.ts';
import { decodedText } from '../../../src/benchmarks/bfcl/decoders/decodedText.ts';
import { planRule } from '../../../src/benchmarks/travelplanner/planTask.ts';
import { answerStarts } from '../../../src/shared/adapters/starts.ts';
import { toolCallsOf } from '../../../src/shared/rewards/toolCalls.ts';
import { parser } from '../../support/bfcl/parser.ts';
import type { Decoder } from '../decoder.ts';

const game = readGameFile(readFileSync(new URL('../../support/alfworld/potato.tw-pddl', import.meta.url), 'utf8'));
const domain = readDomain(game.pddl_domain);
/** A mutation of a whole game's text would hardly ever be read: the shorter its pieces, the more of them are. */
const start = (text: string): string => text.slice(0, 3_000);

const decoded = (language: 'python' | 'java' | 'javascript') => (input: string) => {
  const read = decode(input, language, parser);
  return decodedText(read, language);
};
const calls = ['[f(x=1, y="a")]', 'f(a=[1, {"b": (2, None)}], c=-1.5e3)', '[a.b(x=True), c(d=lambda: 0)]'];

export const benchmarks: Record<string, Decoder> = {
  python: {
    seeds: [...calls, "f(x='%s' % 3, y=b'\\x00', z={1, 2}, w=[i for i in x])", 'f(x=2**10 if y else not z)'],
    tokens: [
      '(',
      ')',
      '[',
      ']',
      '=',
      ',',
      'lambda',
      'f"',
      "b'",
      '\\N{',
      '**',
      'None',
      '1e999',
      '0x',
      '_',
      '{',
      '}',
      ':=',
    ],
    decode: decoded('python'),
  },
  java: {
    seeds: ['f(x=1, y="a")', 'f(a=new int[]{1, 2}, b=Map.of("k", 1L))', 'f(x=new ArrayList<>(Arrays.asList("a")))'],
    tokens: ['new ', 'int[]', '{', '}', '<', '>', '"', "'", 'L', 'f', ';', '->'],
    decode: decoded('java'),
  },
  javascript: {
    seeds: ['f(x=1, y="a")', 'f({a: [1, 2], b: `t${x}`})', 'f(x=() => 1, y=null)'],
    tokens: ['=>', '`', '${', 'null', 'undefined', '[', '{', ':', 'new ', '/a/'],
    decode: decoded('javascript'),
  },
  answer: {
    seeds: [
      '<answer>4</answer>',
      '\\boxed{1{2}}',
      'Action: f\nAction Input: {"x": 1}',
      '<tool_call>{"name":"f","arguments":{}}</tool_call>',
      '```json\n[1]\n```',
    ],
    tokens: ['<answer>', '</answer>', '\\boxed{', '```', '<tool_call>', 'Action:', '{"tool_calls": [', '}'],
    decode: (input) => [
      Object.values(answerStarts)
        .filter(({ kind }) => kind !== 'regex')
        .map((spec) => parseAnswer(input, spec)),
      toolCallsOf(input),
      readReply(input),
    ],
  },
  apiBank: {
    seeds: [
      "API-Request: [AddAlarm(time='2023-01-01 10:00:00', token='a')]",
      '{"role":"User","text":"a"}\n{"role":"API","api_name":"A","result":{"input":{},"output":1},"param_dict":{}}',
    ],
    tokens: ['[', '(', "='", "')]", '"role"', '"API"', '"result"'],
    decode(input) {
      const found = findCall(input);
      return input.startsWith('{') ? [...samplesOf(readDialogue(input))] : found;
    },
  },
  plan: {
    seeds: [
      '[{"days": 1, "current_city": "from A to B", "transportation": "Flight Number: F1, from A to B", "breakfast": "-"}]',
      "[{'days': 1, 'dinner': 'X, Y'}]",
    ],
    tokens: ['"days"', 'from ', ' to ', "'", 'Flight Number:', 'accommodation', ';', ','],
    decode: (input) => planRule.goldOf(input),
  },
  game: {
    seeds: ['{"pddl_domain": "(define)", "grammar": "", "pddl_problem": "", "solvable": true, "walkthrough": []}'],
    decode: (input) => readGameFile(input),
  },
  domain: {
    seeds: [
      start(game.pddl_domain),
      '(define (domain a) (:types t - object) (:predicates (p ?x - t)) (:action b :parameters (?x - t) :precondition (p ?x) :effect (not (p ?x))))',
    ],
    tokens: ['(', ')', ':action', ':effect', 'forall', 'exists', 'not', 'and', 'or', '?x', ' - ', ';', 'when'],
    decode: (input) => readDomain(input),
  },
  problem: {
    seeds: [start(game.pddl_problem), '(define (problem a) (:domain b) (:objects x - t) (:init (p x)) (:goal (p x)))'],
    tokens: ['(', ')', ':objects', ':init', ':goal', 'forall', 'not', ' - ', '='],
    decode: (input) => readProblem(input, domain),
  },
  grammar: {
    seeds: [
      start(game.grammar),
      'grammar :: """\n{\n"look": [{"rhs": "a #x#"}]\n}\n""";',
      'action a { template :: "go to {r}"; feedback :: """#b#"""; }',
    ],
    tokens: ['"""', '::', ';', '{', '}', '#', '[[', ']]', '{{', '}}', 'grammar', 'template', 'feedback', '"rhs"'],
    decode: (input) => readGrammar(input),
  },
};
