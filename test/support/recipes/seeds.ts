/** Tasks of benchmarks as seeds, small enough to be read, and texts of an environment that varies them. */
import { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import type { GenerationContext } from '../../../src/engine/ports.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { gameFile } from '../alfworld/games.ts';

const seed = (id: string, task: Pick<Task, 'prompt' | 'evaluation' | 'gold'>): Task => ({
  ...{ v: 1, id, family: id, epoch: 0, origin: 'base', seed: null, status: 'accepted', complexity: {}, plan: '' },
  ...task,
});

/** A recipe's context, in the form that the loop gives. */
export const contextOf = (task: Task, recentSuccess: number | null = 0.2): GenerationContext => ({
  seed: task,
  recentSuccess,
  target: 0.5,
});

/** The rules of these kinds, without a folder of built files: what needs none of them. */
export const rulesOf = (...kinds: string[]): Promise<ScorerTable> => ScorerTable.open(kinds, null);

const weather = {
  name: 'weather.get',
  description: 'Weather of a city on a day.',
  parameters: {
    type: 'dict',
    properties: {
      city: { type: 'string', description: 'The city.' },
      days: { type: 'integer', description: 'How many days.' },
      unit: { type: 'string', description: 'Of the temperature.', enum: ['celsius', 'fahrenheit'], default: 'celsius' },
    },
    required: ['city', 'days'],
  },
};

/** A call of BFCL's category simple_python. */
export const bfclSeed = (id = 'base.weather', category = 'simple_python'): Task =>
  seed(id, {
    prompt: [
      { role: 'system', content: `Answer with calls.\n\n${JSON.stringify([weather])}` },
      { role: 'user', content: 'What will the weather be in Oslo over the next 3 days?' },
    ],
    evaluation: { kind: 'bfcl', answer: { kind: 'text' }, function: [weather], language: 'python', category },
    gold: '[{"weather.get":{"city":["Oslo"],"days":[3],"unit":["celsius",""]}}]',
  });

/** As an environment writes it; parts may be given otherwise. */
export const bfclText = (parts: { functions?: unknown; question?: string; calls?: unknown } = {}): string =>
  JSON.stringify({
    functions: parts.functions ?? [
      {
        name: 'book_table',
        description: 'Books a table in a restaurant.',
        parameters: {
          type: 'dict',
          properties: {
            restaurant: { type: 'string', description: 'Its name.' },
            people: { type: 'integer', description: 'How many people come.' },
            wishes: { type: 'array', items: { type: 'string' }, description: 'What is asked for besides.' },
            outside: { type: 'boolean', description: 'Whether it stands outside.', default: false },
          },
          required: ['restaurant', 'people'],
        },
      },
    ],
    question: parts.question ?? 'Please book a table for four at Luigi, with candles and a high chair.',
    calls: parts.calls ?? [
      { name: 'book_table', arguments: { restaurant: 'Luigi', people: 4, wishes: ['candles', 'high chair'] } },
    ],
  });

/** A question of Bamboogle's kind. */
export const bamboogleSeed = (id = 'base.zambia', question?: string, gold = 'Lusaka'): Task =>
  seed(id, {
    prompt: [
      { role: 'system', content: 'Write the answer between <answer> and </answer>.' },
      { role: 'user', content: question ?? 'What is the capital of the land in which Kenneth Kaunda was born?' },
    ],
    evaluation: {
      ...{ kind: 'bamboogle', counts: 'em' },
      answer: { kind: 'between', open: '<answer>', close: '</answer>' },
    },
    gold,
  });

/** The kitchen, where a hot potato is asked for. */
export const alfworldSeed = (id = 'base.potato'): Task =>
  seed(id, {
    prompt: [{ role: 'system', content: 'You act in a household, a command a turn.' }],
    evaluation: { kind: 'alfworld', answer: { kind: 'text' }, admissible: false, game: gameFile('potato') },
    gold: null,
  });
