/**
 * Arithmetic stories: the environment writes a story that ends with a question, and the calculation of its answer. The
 * calculation is executed, so the gold is never believed, and the story is held to it: every number that is calculated
 * with has to be in the story. This file is a domain as docs/domains.md has it; GenEnv ships it under the name "stories".
 */
import { CalculationError, execute } from './stories.calculation.ts';
import { numbersOf } from './stories.numbers.ts';
import { seedStories } from './stories.seeds.ts';

interface Task {
  prompt: { role: string; content: string }[];
  gold: string | null;
  evaluation: { kind: string; calculation?: unknown };
}

interface Context {
  seed: Task;
  /** Share of its latest attempts that the agent solved; null before anything was measured. */
  recentSuccess: number | null;
  /** α: the share that it is to solve. */
  target: number;
}

const most = { words: 180, steps: 12, unused: 3 };
const fewestWords = 8;

/** Judged by GenEnv's rule “number”: the last number that the agent gives as its answer has to be the gold. */
const rule = { kind: 'number', answer: { kind: 'final-number' }, absolute: 0, relative: 0 };

/** Stories to vary, of one to eight steps, and stories that only validation measures. */
export const seeds = (split: 'base' | 'heldOut') =>
  seedStories(split).map(({ id, story, calculation }) => ({ id, ...taskOf(story, calculation) }));

/** The environment policy's prompt. */
export function environmentPrompt({ seed, recentSuccess, target }: Context) {
  const { calculation } = seed.evaluation;
  const system = `You write arithmetic stories for a student to solve. Each is a short text about people, things or places that ends with one question, and its answer is one number.

Write exactly in this form, and nothing before or after it:
Story: the text in one paragraph, ending with the question
Calculation: the arithmetic that gives the answer

Rules:
- Every number in the calculation stands in the story. The story says nothing of the result.
- The calculation has numbers, + - * / and brackets only. For a longer one, write lines such as "boxes = 4 * 6" and use the names in the lines below.
- The answer is not negative and has at most two decimals. People and things come in whole numbers.

Example:
Story: A baker fills 4 trays with 6 rolls each and sells 15 of the rolls before noon. How many rolls has she left?
Calculation: 4 * 6 - 15`;
  const user = `Write a new story, a variation of this one: other people and things, other numbers, and another course of events.

Story: ${storyOf(seed)}${typeof calculation === 'string' ? `\nCalculation: ${calculation}` : ''}

${difficulty({ recentSuccess, target })}`;
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** How hard it is to be, and how that is reached. */
function difficulty({ recentSuccess, target }: Pick<Context, 'recentSuccess' | 'target'>): string {
  const wanted = `The student should solve the new story in about ${percent(target)} of its tries: not always, and not never.`;
  if (recentSuccess === null) return wanted;
  const lately = `Lately it solved ${percent(recentSuccess)} of its stories.`;
  if (Math.abs(recentSuccess - target) < 0.05)
    return `${wanted} ${lately} Keep about the difficulty of the story above.`;
  const change =
    recentSuccess > target
      ? 'Write a harder one than the story above: more steps, larger numbers, percentages or fractions, an order of events that has to be untangled, or a number that is not needed.'
      : 'Write an easier one than the story above: fewer steps, smaller numbers, and things told in the order in which they are calculated.';
  return `${wanted} ${lately} ${change}`;
}

/** Its text as a task, or why it is none. */
export function parse(text: string) {
  const written = writtenIn(text);
  if ('reject' in written) return written;
  const { story, calculation, answer } = written;
  const fault = faultOf(story, calculation);
  if (fault !== null) return { reject: fault };
  const task = taskOf(story, calculation);
  if (answer !== null && Math.abs(Number(answer) - Number(task.gold)) > 0.005)
    return { reject: `it says that the answer is ${answer}, and the calculation comes to ${task.gold}` };
  return task;
}

/** True, or why a task does not count: its calculation is executed once more. */
export function verify({ prompt, gold, evaluation }: Pick<Task, 'prompt' | 'gold' | 'evaluation'>): true | string {
  const { calculation } = evaluation;
  // A person's own seed task may come without one.
  if (typeof calculation !== 'string') return true;
  const story = prompt[0]?.content ?? '';
  const fault = faultOf(story, calculation);
  if (fault !== null) return fault;
  const { value } = execute(calculation);
  return value === gold || `the gold is ${gold ?? 'missing'}, and the calculation comes to ${value}`;
}

/** The agent's prompt. */
export const agentPrompt = (task: Pick<Task, 'prompt'>): string =>
  `${storyOf(task)}\n\nThink step by step. Then give the result as a number on a last line of its own, in this form:\nAnswer: NUMBER`;

const storyOf = ({ prompt }: Pick<Task, 'prompt'>): string => prompt.at(-1)?.content ?? '';

const wordsOf = (story: string): number => story.split(/\s+/).length;

/** A story and its calculation as a task. @throws CalculationError */
function taskOf(story: string, calculation: string) {
  const { value, steps, numbers } = execute(calculation);
  const { written } = numbersOf(story);
  return {
    prompt: story,
    gold: value,
    evaluation: { ...rule, calculation },
    difficulty: {
      steps,
      words: wordsOf(story),
      digits: numbers.reduce((most, number) => Math.max(most, String(Math.trunc(number)).length), 0),
      unused: written.filter((number) => !numbers.includes(number)).length,
    },
  };
}

/** The fault of a story and its calculation, as a clause; null for none. */
function faultOf(story: string, calculation: string): string | null {
  const words = wordsOf(story);
  if (words < fewestWords || words > most.words)
    return `the story has ${words} words, not ${fewestWords} to ${most.words}`;
  if (!story.includes('?')) return 'the story asks no question';
  if (/\d\s*(?:[*×÷=]|\+)\s*\d/.test(story)) return 'the story shows its own calculation';
  let executed;
  try {
    executed = execute(calculation);
  } catch (error) {
    if (error instanceof CalculationError) return error.message;
    throw error;
  }
  const { steps, numbers } = executed;
  if (steps === 0) return 'the calculation calculates nothing';
  if (steps > most.steps) return `the calculation has ${steps} steps, more than ${most.steps}`;
  const { written, says } = numbersOf(story);
  const unsaid = numbers.find((number) => !says(number));
  if (unsaid !== undefined) return `the calculation has the number ${unsaid}, which is not in the story`;
  const unused = written.filter((number) => !numbers.includes(number));
  if (unused.length > most.unused)
    return `${unused.length} numbers of the story are not used, more than ${most.unused}`;
  return null;
}

interface Written {
  story: string;
  calculation: string;
  /** The answer that the text states; null where it states none. */
  answer: string | null;
}

const storyLabel = /^[\s*_#>-]*(?:the\s+|new\s+|your\s+)*(?:story|problem|question|task)\b[\s*_]*:[\s*_]*/i;
const calculationLabel = /^[\s*_#>-]*(?:the\s+)?(?:calculation|expression|solution|program|equation)\b[\s*_]*:[\s*_]*/i;
const answerLabel = /^[\s*_#>-]*(?:the\s+)?(?:final\s+)?(?:answer|result)\b[\s*_]*[:=][\s*_]*/i;

/** Story and calculation of a text, without the decoration that models add. */
function writtenIn(text: string): Written | { reject: string } {
  const said = text.replace(/^[\s\S]*<\/think>/, '');
  const object = fromJson(said);
  if (object !== null) return object;
  const lines = said.split(/\r?\n/).filter((line) => !line.trim().startsWith('```'));
  const stories = lines.flatMap((line, i) => (storyLabel.test(line) ? [i] : []));
  const calculations = lines.flatMap((line, i) => (calculationLabel.test(line) ? [i] : []));
  const [from] = stories;
  const [to] = calculations.filter((i) => from === undefined || i > from);
  if (to === undefined) return { reject: 'there is no line “Calculation:”' };
  if (from === undefined) return { reject: 'there is no line “Story:”' };
  if (stories.length > 1 || calculations.length > 1) return { reject: 'there is more than one story' };
  const story = lines.slice(from, to).join(' ').replace(storyLabel, '');
  const below = [(lines[to] ?? '').replace(calculationLabel, ''), ...lines.slice(to + 1)];
  const calculation = linesOfCalculation(below);
  const last = below.findLast((line) => answerLabel.test(line))?.replace(answerLabel, '') ?? '';
  const answer = /-?\d[\d,]*(?:\.\d+)?/.exec(last)?.[0].replaceAll(',', '') ?? null;
  return { story: plainStory(story), calculation, answer };
}

/** Up to a blank line, prose, or the answer. */
function linesOfCalculation(lines: readonly string[]): string {
  const found: string[] = [];
  for (const line of lines) {
    const bare = line.replaceAll('**', '').trim();
    if (bare === '' && found.length === 0) continue;
    const calculates = /[\d=+*/×÷]/.test(bare) && !answerLabel.test(line) && !/[.!?]\s+[A-Z]/.test(bare);
    if (bare === '' || (found.length > 0 && !calculates)) break;
    found.push(bare);
  }
  return found.join('\n');
}

const plainStory = (text: string): string =>
  text
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^\s*["“]|["”]\s*$/g, '')
    .trim();

/** The same as a JSON object, which models write unasked. */
function fromJson(text: string): Written | null {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start || !/"story"\s*:/i.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    if (typeof value !== 'object' || value === null) return null;
    const fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), String(field)]));
    const [story, calculation] = [fields.get('story'), fields.get('calculation')];
    if (story === undefined || calculation === undefined) return null;
    return { story: plainStory(story), calculation, answer: fields.get('answer') ?? null };
  } catch {
    return null;
  }
}
