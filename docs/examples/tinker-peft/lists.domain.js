/**
 * Lists of words, of which the agent says the last. A model of some hundred million parameters can write such a list, and
 * solves it now and then: two words always, three half the time, five hardly ever. The answer is read from the list itself.
 */

/** Shown to both policies: a model this small follows examples rather than instructions. */
const examples = ['sun, river, stone', 'book, green'];

const words = 'apple dog tree house moon cup fish road star hat door lamp bird snow milk rope coin leaf'.split(' ');

/** Of two words to five; the held-out ones begin elsewhere and take other steps. */
export const seeds = (split) =>
  Array.from({ length: 32 }, (_, i) => {
    const [from, step] = split === 'base' ? [i * 5, 7] : [i * 11 + 3, 5];
    return taskOf(Array.from({ length: 2 + (i % 4) }, (_, k) => words[(from + k * step) % words.length]));
  });

const lastOf = (list) => list.at(-1);

const taskOf = (list) => ({
  prompt: list.join(', '),
  gold: lastOf(list),
  evaluation: { kind: 'exact', answer: { kind: 'text' }, compare: 'squad' },
  difficulty: { words: list.length },
});

const said = (role, content) => ({ role, content });
const textOf = ({ prompt }) => prompt.at(-1).content;

export function environmentPrompt({ seed, recentSuccess, target }) {
  const level = recentSuccess === null ? 'another' : recentSuccess > target ? 'a longer' : 'a shorter';
  return [
    ...[...examples, textOf(seed)].flatMap((list) => [said('user', 'Write a list of words.'), said('assistant', list)]),
    said('user', `Write ${level} list of words.`),
  ];
}

export function parse(text) {
  const list = text.trim().split(/,\s*/);
  if (list.length < 2) return { reject: 'it is no list' };
  if (list.length > 8) return { reject: 'it has more than eight words' };
  if (!list.every((word) => /^[a-z]{2,12}$/.test(word))) return { reject: 'one of its parts is not one small word' };
  if (new Set(list).size < list.length) return { reject: 'a word is there twice' };
  return taskOf(list);
}

const question = (list) => said('user', `Say the last word of this list: ${list}`);

export const agentPrompt = (task) => [
  said('system', 'Answer with one word.'),
  ...examples.flatMap((list) => [question(list), said('assistant', lastOf(list.split(', ')))]),
  question(textOf(task)),
];
