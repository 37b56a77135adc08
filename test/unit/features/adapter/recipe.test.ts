import assert from 'node:assert/strict';
import { AdapterRecipe, writes } from '../../../../src/benchmarks/adapter/recipe/adapterRecipe.ts';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';
import { judged } from '../../../../src/benchmarks/taskFault.ts';
import { openScorer } from '../../../../src/launch/scoring/openScorer.ts';
import type { Adapter } from '../../../../src/shared/adapters/schema.ts';
import type { Task } from '../../../../src/shared/records/task.ts';
import { quizAdapter, quizRecipe } from '../../../support/adapters/quizAdapter.ts';
import { quickExpressions } from '../../../support/quickExpressions.ts';

const seed: Task = {
  ...{ v: 1, id: 'train.0', family: 'train.0', epoch: 0, origin: 'base', seed: null, status: 'accepted' },
  prompt: [{ role: 'user', content: 'What is the capital of France?' }],
  evaluation: { kind: 'exact', compare: 'trimmed', answer: { kind: 'text' } },
  ...{ gold: 'Paris', complexity: {}, plan: '' },
};

async function recipeOf(
  over: Parameters<typeof quizRecipe>[0] = {},
  adapter: Partial<Adapter> = {},
): Promise<AdapterRecipe> {
  const whole = quizAdapter({ ...adapter, recipe: quizRecipe(over) });
  assert.ok(writes(whole));
  return new AdapterRecipe(
    'quiz',
    whole,
    await openScorer(null, [{ ...seed, evaluation: { kind: whole.scorer.kind } }]),
  );
}

/** The draft, or cause and note. */
const made = (recipe: AdapterRecipe, text: string): unknown => {
  const parsed = judged(() => {
    const draft = recipe.parse(text, seed);
    recipe.verify(draft);
    return draft;
  });
  return parsed.ok ? [parsed.value.prompt.at(-1)?.content, parsed.value.gold] : `${parsed.cause}: ${parsed.note}`;
};

const wrong = (recipe: unknown, over: { [K in keyof Adapter]?: unknown } = {}): string[] => {
  const text = JSON.stringify({ ...quizAdapter(), ...over, recipe }, null, 2);
  return readAdapter(text, 'quiz.adapter.json').problems.map(
    ({ line, field, message, remedy }) => `${field}: ${message} ${remedy}${line > 1 ? '' : ' (no line)'}`,
  );
};

describe('a recipe of an adapter', () => {
  quickExpressions();

  it('asks with the seed, α, what was measured, lineage and what was rejected', async () => {
    const recipe = await recipeOf();
    const [system, user] = recipe.environmentPrompt({
      ...{ seed, target: 0.5, recentSuccess: 0.2 },
      lineage: [{ epoch: 1, successRate: 0.25 }],
      rejected: [{ cause: 'schema', note: 'too long', count: 2 }],
    });
    assert.equal(
      system?.content,
      'You write quiz questions. Answer with one JSON object and nothing else. Its members:\n"question" a text: one sentence\n"answer" a text',
    );
    assert.equal(
      user?.content,
      'What is the capital of France? (Paris). The agent should solve the new task in about 50 % of its attempts. Lately it ' +
        'solved 20 % of them. Make it easier than the seed. Not again: 2 × schema too long. Epoch 1: 0.25.',
    );
  });

  it('makes a task of a record by the adapter’s own mapping, or says why not', async () => {
    const recipe = await recipeOf();
    const text = (question: unknown, answer: unknown): string => `Sure! ${JSON.stringify({ question, answer })}`;
    assert.deepEqual(made(recipe, text('What is the capital of Peru?', 'Lima')), [
      'Q: What is the capital of Peru?',
      'Lima',
    ]);
    assert.deepEqual(made(recipe, text('How much is one and four?', 5)), ['Q: How much is one and four?', '5']);
    assert.equal(made(recipe, 'I would rather not.'), 'unparseable: there is no JSON object in the text');
    assert.equal(made(recipe, '{"question":"What is it?"}'), 'schema: “answer” is missing');
    assert.equal(made(recipe, text(['x'], 'y')), 'schema: “question” is no text');
    assert.equal(made(recipe, text('Where?', 'Lima')), 'schema: “question” has 1 words, not 3 to 12');
    assert.equal(made(recipe, text('Name the capital of Peru', 'Lima')), 'schema: the question does not end with “?”');
    assert.equal(made(recipe, text('Of which country is Lima the capital?', 'lima')), 'gold: “question” says “answer”');
  });

  it('keeps 5 and 5.0 apart, and measures what it is told to', async () => {
    const recipe = await recipeOf({
      form: { kind: 'json', fields: { question: { kind: 'text' }, answer: { kind: 'number' } } },
      checks: [{ kind: 'range', field: 'answer', least: 0, most: 10 }],
      difficulty: {
        words: '{{ record.question.split() | length }}',
        size: '{{ record.answer }}',
      },
    });
    const draft = recipe.parse('{"question":"How many are it?","answer":5.0}', seed);
    assert.deepEqual([draft.gold, draft.complexity], ['5.0', { words: 4, size: 5 }]);
    assert.equal(made(recipe, '{"question":"How many?","answer":11}'), 'schema: “answer” is 11, not 0 to 10');
    assert.equal(made(recipe, '{"question":"How many?","answer":"5"}'), 'schema: “answer” is no number');
  });

  it('reads labelled sections, whatever stands around their labels', async () => {
    const recipe = await recipeOf({
      form: {
        kind: 'sections',
        fields: {
          question: { kind: 'text', label: 'Question:' },
          answer: { kind: 'whole', label: 'Answer:', about: 'digits' },
          easy: { kind: 'boolean', label: 'Easy?', optional: true },
        },
      },
      checks: [{ kind: 'said', field: 'answer', in: 'question' }],
    });
    assert.match(
      recipe.environmentPrompt({ seed, target: 0.5, recentSuccess: null })[0]?.content ?? '',
      /Answer: a whole number: digits\nEasy\? yes or no \(may be left out\)/,
    );
    const text = 'Here it is.\n**Question:** How much\nis 1,200?\n## answer: 1,200\nEasy? Yes.';
    assert.deepEqual(made(recipe, text), ['Q: How much\nis 1,200?', '1200']);
    assert.equal(made(recipe, 'Question: a\nAnswer: b'), 'schema: “answer” is no whole number');
    assert.equal(made(recipe, 'Question: a\nAnswer: 3'), 'gold: “answer” is not said in “question”');
    assert.equal(made(recipe, 'Question: a\nQuestion: b\nAnswer: 1'), 'schema: “question” stands there twice');
    assert.equal(made(recipe, 'nothing'), 'unparseable: there is no labelled section in the text');
    assert.equal(made(recipe, 'Question: 7\nAnswer: 7\nEasy? maybe'), 'schema: “easy” is neither true nor false');
  });

  it('checks values, lists and what is the seed’s own', async () => {
    const recipe = await recipeOf({
      form: {
        kind: 'json',
        fields: {
          question: { kind: 'text' },
          answer: { kind: 'text' },
          level: { kind: 'text' },
          hints: { kind: 'list', optional: true },
        },
      },
      checks: [
        { kind: 'one-of', field: 'level', values: ['easy', 'hard'] },
        { kind: 'range', field: 'hints', most: 1 },
        { kind: 'new', field: 'question' },
        { kind: 'pattern', field: 'answer', pattern: '[A-Z]', flags: 's', matches: false },
        { kind: 'pattern', field: 'question', pattern: '(a+)+$' },
      ],
    });
    const text = (more: object): string => JSON.stringify({ question: 'Which a', answer: 'b', level: 'easy', ...more });
    assert.deepEqual(made(recipe, text({ hints: ['x'] })), ['Q: Which a', 'b']);
    assert.equal(made(recipe, text({ level: 'odd' })), 'schema: “level” is none of easy, hard');
    assert.equal(made(recipe, text({ hints: ['x', 'y'] })), 'schema: “hints” has 2 entries, not at most 1');
    assert.equal(made(recipe, text({ hints: 'x' })), 'schema: “hints” is no list of texts');
    assert.equal(
      made(recipe, text({ question: 'what is the Capital of france' })),
      'duplicate: “question” is the seed’s own',
    );
    assert.equal(made(recipe, text({ answer: 'B' })), 'schema: “answer” matches /[A-Z]/s');
    assert.match(
      String(made(recipe, text({ question: `${'a'.repeat(60)}!` }))),
      /^schema: whether “question” matches .* it takes longer than 2 s/,
    );
  }).timeout(20_000);

  it('gives joined values by “at”, and refuses a gold that its own scorer does not accept', async () => {
    const recipe = await recipeOf(
      {
        form: { kind: 'json', fields: { question: { kind: 'text' }, right: { kind: 'text', at: '/answer/text' } } },
        checks: [],
      },
      { ...quizAdapter(), task: { ...quizAdapter().task, gold: '/answer/text' }, answer: { kind: 'last-line' } },
    );
    assert.deepEqual(made(recipe, '{"question":"q","right":"r"}'), ['Q: q', 'r']);
    assert.match(
      String(made(recipe, '{"question":"q","right":"r\\ns"}')),
      /^gold: its own gold is no right answer by “exact”/,
    );
  });

  it('cannot vary what is judged otherwise, or has nothing that its prompt names', async () => {
    const recipe = await recipeOf({ prompt: [{ role: 'user', content: '{{ seed.evaluation.accept[0] }}' }] });
    assert.match(
      recipe.misfit(seed) ?? '',
      /recipe\.prompt cannot be made from it: the template names seed\.evaluation\.accept/,
    );
    assert.match(
      recipe.misfit({ ...seed, evaluation: { kind: 'number' } }) ?? '',
      /judged by “number”, and the adapter’s by “exact”/,
    );
    assert.equal((await recipeOf()).misfit({ ...seed, gold: null }), 'it has no gold');
  });

  it('is told of everything that is wrong with it, at its line', () => {
    const fields = { question: { kind: 'text' }, answer: { kind: 'text' } };
    assert.deepEqual(wrong(quizRecipe()), []);
    const of = (over: Parameters<typeof quizRecipe>[0]): string => wrong(quizRecipe(over)).join('\n');
    assert.match(
      of({ prompt: [{ role: 'user', content: '{{ sed.gold }}' }] }),
      /^recipe\.prompt\[0\]\.content: .* names “sed”, which it does not know\. Did you mean “seed”\?$/,
    );
    assert.match(of({ prompt: [{ role: 'user', content: '{{ seed' }] }), /is no Jinja template/);
    assert.match(of({ form: { kind: 'json', fields: {} } }), /recipe\.form\.fields: The form has no field/);
    assert.match(
      of({ form: { kind: 'json', fields: { ...fields, more: { kind: 'text', at: '/x/y' } } } }),
      /fields\.more\.at: \/x\/y begins with “x”/,
    );
    assert.match(
      of({ form: { kind: 'json', fields: { ...fields, more: { kind: 'text', label: 'M:' } } } }),
      /fields\.more\.label: Labels are for sections/,
    );
    assert.match(
      of({ form: { kind: 'sections', fields: { ...fields, more: { kind: 'json' } } } }),
      /fields\.more\.kind: A section holds text/,
    );
    assert.match(
      of({ form: { kind: 'sections', fields: { ...fields, more: { kind: 'text', label: 'ANSWER:' } } } }),
      /“more” and “answer” begin with the same label/,
    );
    assert.match(
      of({ form: { kind: 'json', fields: { question: { kind: 'text' } } }, checks: [] }),
      /recipe\.form\.fields: task\.gold cannot be made from what is written: there is nothing at \/record\/answer/,
    );
    assert.match(
      of({ checks: [{ kind: 'words', field: 'questio', least: 1 }] }),
      /checks\[0\]\.field: The form has no field “questio”\. Did you mean “question”\?/,
    );
    assert.match(of({ checks: [{ kind: 'words', field: 'question' }] }), /checks\[0\]: The check has no limit/);
    assert.match(
      of({ checks: [{ kind: 'range', field: 'answer', least: 2, most: 1 }] }),
      /No value is at least 2 and at most 1/,
    );
    assert.match(
      of({ checks: [{ kind: 'pattern', field: 'answer', pattern: '(' }] }),
      /checks\[0\]\.pattern: .*Correct the regular expression/,
    );
    assert.match(
      of({ checks: [{ kind: 'pattern', field: 'answer', pattern: '.', flags: 'g' }] }),
      /checks\[0\]\.flags/,
    );
    assert.match(of({ splits: { base: ['trian'] } }), /splits\.base\[0\]: There is no split “trian”/);
    assert.match(of({ splits: { base: ['train'], heldOut: ['train'] } }), /is trained on and held out/);
    assert.match(of({ difficulty: { words: '{{ recrod.question }}' } }), /difficulty\.words: .* names “recrod”/);
    assert.match(
      wrong(quizRecipe(), { scorer: { kind: 'alfworld', admissible: false } }).join('\n'),
      /recipe: Tasks judged by “alfworld” are played/,
    );
    assert.doesNotMatch(wrong(quizRecipe({ splits: { base: ['trian'] } })).join('\n'), /no line/);
  });
});
