import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse, seeds } from '../../../src/domains/shipped/stories.domain.ts';

const story = 'A baker fills 4 trays with 6 rolls each and sells 15 of them before noon. How many rolls has she left?';
const plain = `Story: ${story}\nCalculation: 4 * 6 - 15`;

const task = (text: string) => {
  const parsed = parse(text);
  assert.ok(!('reject' in parsed), JSON.stringify(parsed));
  return parsed;
};
const refusal = (text: string): string => {
  const parsed = parse(text);
  assert.ok('reject' in parsed, JSON.stringify(parsed));
  return parsed.reject;
};

/** The same story in the ways in which models of 1 to 7 billion parameters write it. */
const habits: Record<string, string> = {
  'as asked': plain,
  'a preamble': `Sure! Here is a new story:\n\n${plain}`,
  'a remark at the end': `${plain}\n\nThis story is harder because it has two steps.`,
  'a remark on the next line': `${plain}\nI hope this helps!`,
  'a code fence': `\`\`\`\n${plain}\n\`\`\``,
  'a code fence around the calculation': `Story: ${story}\nCalculation:\n\`\`\`python\n4 * 6 - 15\n\`\`\``,
  'bold labels': `**Story:** ${story}\n\n**Calculation:** 4 * 6 - 15`,
  'bold labels, colon outside': `**Story**: ${story}\n**Calculation**: 4 * 6 - 15`,
  headings: `### Story:\n${story}\n\n### Calculation:\n4 * 6 - 15`,
  'another label': `Problem: ${story}\nSolution: 4 * 6 - 15`,
  'a new story': `New Story: ${story}\nCalculation: 4 * 6 - 15`,
  'an answer below': `${plain}\nAnswer: 9`,
  'an answer in words below': `${plain}\n\n**Answer:** 9 rolls`,
  'a result behind it': `Story: ${story}\nCalculation: 4 * 6 - 15 = 9`,
  'a result with its unit': `Story: ${story}\nCalculation: 4 × 6 − 15 = 9 rolls`,
  'a program': `Story: ${story}\nCalculation:\nrolls = 4 * 6\nleft = rolls - 15`,
  steps: `Story: ${story}\nCalculation: 4 * 6 = 24\n24 - 15 = 9`,
  LaTeX: `Story: ${story}\nCalculation: \\(4 \\times 6 - 15\\)`,
  quotes: `Story: "${story}"\nCalculation: 4 * 6 - 15`,
  'two paragraphs': `Story: ${story.replace('noon. ', 'noon.\n\n')}\nCalculation: 4 * 6 - 15`,
  'Windows line ends': plain.replaceAll('\n', '\r\n'),
  JSON: JSON.stringify({ story, calculation: '4 * 6 - 15' }),
  'JSON in a fence': `\`\`\`json\n${JSON.stringify({ Story: story, Calculation: '4 * 6 - 15' })}\n\`\`\``,
  'thoughts before it': `<think>Story: no\nCalculation: 1</think>\n${plain}`,
};

describe('a story that a model wrote', () => {
  for (const [habit, text] of Object.entries(habits))
    it(`is read with ${habit}`, () => {
      const { prompt, gold, difficulty } = task(text);
      assert.deepEqual([prompt, gold, difficulty.steps], [story, '9', 2]);
    });

  it('has its measures of difficulty', () => {
    assert.deepEqual(task(plain).difficulty, { steps: 2, words: 22, digits: 2, unused: 0 });
    const more = task(plain.replace('A baker', 'At 7 in the morning a baker'));
    assert.deepEqual(more.difficulty, { steps: 2, words: 27, digits: 2, unused: 1 });
  });

  it('may say its numbers in words, with commas, or mean them', () => {
    const told = (text: string, calculation: string) => task(`Story: ${text}\nCalculation: ${calculation}`).gold;
    assert.equal(
      told('Twenty-five pupils share three dozen apples and eat all but 11. How many are eaten?', '3 * 12 - 11'),
      '25',
    );
    assert.equal(
      told('A farm has 12,500 hens and sells half of them. How many hens has it left?', '12500 / 2'),
      '6250',
    );
    assert.equal(
      told('Ida walks 4 kilometres a day, every day for two weeks. How many does she walk?', '4 * 7 * 2'),
      '56',
    );
    assert.equal(
      told('A coat of 80 dollars is 15% cheaper today. How much does the coat cost now?', '80 * (1 - 15 / 100)'),
      '68',
    );
    assert.equal(told('Tom and his two friends share 12 sweets fairly. How many does each get?', '12 / (2 + 1)'), '4');
  });

  const refused: Record<string, [string, RegExp]> = {
    nothing: ['', /no line “Calculation:”/],
    'a refusal': ['I cannot help with that.', /no line “Calculation:”/],
    'no story': ['Calculation: 4 * 6', /no line “Story:”/],
    'two stories': [`${plain}\n\n${plain}`, /more than one story/],
    'no question': [plain.replace('?', '.'), /asks no question/],
    'a story of four words': ['Story: How many are 4?\nCalculation: 4 * 1', /has 4 words, not 8 to 180/],
    'a very long story': [plain.replace('A baker', `A baker ${'who sings '.repeat(90)}`), /words, not 8 to 180/],
    'a number that the story has not': [plain.replace('- 15', '- 14'), /has the number 14, which is not in the story/],
    'its own calculation shown': [
      plain.replace('4 trays with 6 rolls each', '4 * 6 rolls'),
      /shows its own calculation/,
    ],
    'a wrong result': [`${plain} = 10`, /comes to 9/],
    'a wrong answer': [`${plain}\nAnswer: 10`, /says that the answer is 10, and the calculation comes to 9/],
    'nothing to calculate': [plain.replace('4 * 6 - 15', '15'), /calculates nothing/],
    'a program of words': [plain.replace('4 * 6 - 15', 'trays times rolls minus sold'), /is no arithmetic/],
    'a negative answer': [plain.replace('4 * 6 - 15', '4 - 15'), /less than zero/],
    'many idle numbers': [
      plain.replace('noon.', 'noon, in 1, 2, 3 and 5 hours.'),
      /4 numbers of the story are not used/,
    ],
  };
  for (const [name, [text, why]] of Object.entries(refused))
    it(`is refused with ${name}`, () => assert.match(refusal(text), why));

  it('is a task or is refused with a reason, whatever the text', () => {
    const piece = fc.constantFrom(
      'Story:',
      'Calculation:',
      '\n',
      '4 * 6',
      '?',
      'Answer: 9',
      '{',
      '"story":',
      '= 7',
      '%',
      '**',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(piece, fc.string())).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(text, (one) => {
        const parsed = parse(one);
        if ('reject' in parsed) assert.ok(parsed.reject.length > 0);
        else assert.match(parsed.gold, /^\d+(?:\.\d{1,2})?$/);
      }),
      { numRuns: 2000 },
    );
  });

  it('comes back as it was from every seed, written in the form that is asked for', () => {
    for (const split of ['base', 'heldOut'] as const)
      for (const { prompt, gold, evaluation } of seeds(split)) {
        const read = task(`Story: ${prompt}\nCalculation: ${evaluation.calculation}`);
        assert.deepEqual([read.prompt, read.gold], [prompt, gold]);
      }
  });
});
