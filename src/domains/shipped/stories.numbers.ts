/** Which numbers a story says: written in digits, in words, or meant by a word (a dozen, a week, half). */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety';

const words: ReadonlyMap<string, number> = new Map([
  ...small.split(' ').map((word, i): [string, number] => [word, i]),
  ...tens.split(' ').map((word, i): [string, number] => [word, 20 + 10 * i]),
  ['hundred', 100],
  ['thousand', 1000],
]);

/** Words that imply a number without naming it. */
const meant: Readonly<Record<string, readonly number[]>> = {
  half: [2, 0.5],
  halve: [2, 0.5],
  third: [3],
  quarter: [4, 0.25, 25],
  fifth: [5],
  tenth: [10],
  once: [1],
  twice: [2],
  double: [2],
  doubled: [2],
  thrice: [3],
  triple: [3],
  tripled: [3],
  dozen: [12],
  pair: [2],
  couple: [2],
  both: [2],
  twin: [2],
  week: [7],
  weekly: [7],
  fortnight: [14],
  daily: [1],
  day: [24],
  hour: [60, 24],
  minute: [60],
  second: [60],
  month: [12, 30],
  year: [12, 52, 365],
  decade: [10],
  century: [100],
  percent: [100],
  discount: [100],
  metre: [100, 1000],
  meter: [100, 1000],
  kilometre: [1000],
  kilometer: [1000],
  km: [1000],
  cm: [100, 10],
  kg: [1000],
  kilogram: [1000],
  gram: [1000],
  litre: [1000],
  liter: [1000],
  millilitre: [1000],
  milliliter: [1000],
  foot: [12, 3],
  feet: [12, 3],
  inch: [12],
  yard: [3, 36],
  dollar: [100],
  cent: [100],
  euro: [100],
  pound: [100, 16],
  ounce: [16],
  square: [4],
  triangle: [3],
};

export interface StoryNumbers {
  /** Written in digits, each once, in order. */
  written: readonly number[];
  /** Whether the story says a number, or means it by a word. 1 is always meant: “Tom and his two friends” are three. */
  says: (number: number) => boolean;
}

export function numbersOf(story: string): StoryNumbers {
  const text = story.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  const written = [...new Set((text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number))];
  const said = new Set([1, ...written]);
  if (text.includes('%')) said.add(100);
  const spoken = text.toLowerCase().match(/[a-z]+(?:-[a-z]+)?/g) ?? [];
  for (const word of spoken.flatMap((one) => [one, ...one.split('-')])) {
    const [ten = '', unit = ''] = word.split('-');
    const compound = tens.includes(ten) && unit !== '' ? words.get(unit) : undefined;
    if (compound !== undefined) said.add((words.get(ten) ?? 0) + compound);
    const number = words.get(word);
    if (number !== undefined) said.add(number);
    for (const one of meant[word] ?? meant[word.replace(/e?s$/, '')] ?? meant[word.replace(/s$/, '')] ?? [])
      said.add(one);
  }
  return { written, says: (number) => said.has(number) };
}
