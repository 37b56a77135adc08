/** How a parsed answer is judged. `kind` names a rule of the scorer table. */
import * as z from 'zod';

const compare = z
  .enum(['exact', 'trimmed', 'folded', 'squad'])
  .describe(
    'exact: letter by letter. trimmed: without blanks around it. folded: also without case, runs of blanks as one. ' +
      'squad: without case, punctuation and articles, as SQuAD compares.',
  );
const threshold = z
  .number()
  .gt(0)
  .max(1)
  .describe('From which score on the attempt is a success; the score itself is the reward.');

const answered = {
  counts: z.enum(['em', 'sub-em']).describe('What is a success: em, the answer is the gold; sub-em, it stands in it.'),
  judge: z
    .strictObject({
      instructions: z.string().min(1).describe('Its system prompt: read before anything else.'),
      question: z.string().min(1).describe('What it is asked: a Jinja template over question, gold and answer.'),
    })
    .optional()
    .describe('What a model that judges is asked, where an evaluation names one.'),
};

/** One rule's options each; their evaluation specs hold the same, and how the answer is read. */
export const ruleSchemas = {
  exact: z.strictObject({ kind: z.literal('exact'), compare }).describe('The answer is the gold.'),
  contains: z.strictObject({ kind: z.literal('contains'), compare }).describe('The gold stands in the answer.'),
  number: z
    .strictObject({
      kind: z.literal('number'),
      absolute: z.number().nonnegative().describe('How far the number may be off.'),
      relative: z.number().nonnegative().describe('The same as a share of the gold; the wider of the two counts.'),
    })
    .describe('The answer is a number, near enough to the gold.'),
  'token-f1': z
    .strictObject({ kind: z.literal('token-f1'), threshold })
    .describe('Share of words that answer and gold have in common (F1), normalised as SQuAD does.'),
  'rouge-l': z
    .strictObject({ kind: z.literal('rouge-l'), threshold })
    .describe('Longest common subsequence of words (ROUGE-L F, no stemming).'),
  json: z
    .strictObject({ kind: z.literal('json') })
    .describe('The answer is the gold as JSON; the order of keys is free.'),
  'json-schema': z
    .strictObject({
      kind: z.literal('json-schema'),
      schema: z.record(z.string(), z.unknown()).describe('JSON Schema that the answer must follow; no gold is needed.'),
    })
    .describe('The answer is JSON that follows a schema.'),
  'tool-calls': z
    .strictObject({
      kind: z.literal('tool-calls'),
      order: z.enum(['given', 'any']).describe('Whether the calls must come in the order of the gold’s.'),
      optional: z
        .array(z.string())
        .optional()
        .describe('Arguments that may be left out though the gold has them: x of every call, or f.x of calls of f.'),
      defaults: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('What arguments are that are left out, in the answer or in the gold: {"x": 10, "f.y": "all"}.'),
      extra: z.boolean().optional().describe('Whether calls may have arguments that the gold has not (default: no).'),
      absolute: z.number().nonnegative().optional().describe('How far numbers in arguments may be off (default: 0).'),
      relative: z
        .number()
        .nonnegative()
        .optional()
        .describe('The same as a share of the gold’s (default: 0); the wider of the two counts.'),
      text: compare.optional().describe('How texts in arguments compare (default: exact), as the rule exact has it.'),
    })
    .describe('The answer’s calls are the gold’s: same names, equal arguments.'),
  bamboogle: z
    .strictObject({ kind: z.literal('bamboogle'), ...answered })
    .describe('Bamboogle: exact or cover match, with F1 beside it.'),
  'bamboogle-search': z
    .strictObject({
      kind: z.literal('bamboogle-search'),
      corpus: z.string().min(1).describe('A file of passages in the data’s folder, a passage a line.'),
      ...answered,
    })
    .describe('The same with a tool that searches a corpus, in four rounds at most, as ToolRL has it.'),
  toolrl: z
    .strictObject({ kind: z.literal('toolrl') })
    .describe('API-Bank in ToolRL’s form: a call of the gold’s name with equal parameters.'),
  bfcl: z
    .strictObject({ kind: z.literal('bfcl') })
    .describe('BFCL’s single-turn checker: the calls of the text against the acceptable ones, by function documents.'),
  'bfcl-relevance': z
    .strictObject({ kind: z.literal('bfcl-relevance') })
    .describe('BFCL’s relevance: whether the text has a call, where it should and where it should not.'),
  alfworld: z
    .strictObject({
      kind: z.literal('alfworld'),
      admissible: z.boolean().describe('Whether every answer of the game says which commands do something.'),
    })
    .describe('ALFWorld: the game is won within 50 turns, a command a turn.'),
  'alfworld-steps': z
    .strictObject({ kind: z.literal('alfworld-steps') })
    .describe('One step of a game of ALFWorld: the command is the expert’s, letter by letter.'),
  'bfcl-multi-turn': z
    .strictObject({ kind: z.literal('bfcl-multi-turn') })
    .describe(
      'BFCL’s conversations: calls change the state of tools, which is compared turn by turn with the truth’s.',
    ),
  'bfcl-long-context-turns': z
    .strictObject({ kind: z.literal('bfcl-long-context-turns') })
    .describe('One turn of such a conversation, with the truth as what came before it: how the paper measures.'),
  'api-bank': z
    .strictObject({ kind: z.literal('api-bank') })
    .describe('API-Bank’s levels 1 and 2: a call is executed and its result compared, a response measured by ROUGE-L.'),
  travelplanner: z
    .strictObject({ kind: z.literal('travelplanner') })
    .describe('TravelPlanner: a plan keeps all commonsense and hard constraints, by the csv database.'),
} as const;

export const scorerSchema = z
  .discriminatedUnion('kind', [
    ruleSchemas.exact,
    ruleSchemas.contains,
    ruleSchemas.number,
    ruleSchemas['token-f1'],
    ruleSchemas['rouge-l'],
    ruleSchemas.json,
    ruleSchemas['json-schema'],
    ruleSchemas['tool-calls'],
    ruleSchemas.bamboogle,
    ruleSchemas['bamboogle-search'],
    ruleSchemas.toolrl,
    ruleSchemas.bfcl,
    ruleSchemas['bfcl-relevance'],
    ruleSchemas.alfworld,
    ruleSchemas['alfworld-steps'],
    ruleSchemas['bfcl-multi-turn'],
    ruleSchemas['bfcl-long-context-turns'],
    ruleSchemas['api-bank'],
    ruleSchemas.travelplanner,
  ])
  .describe('How an answer is judged.');
export type ScorerSpec = z.infer<typeof scorerSchema>;
export type ScorerKind = ScorerSpec['kind'];
