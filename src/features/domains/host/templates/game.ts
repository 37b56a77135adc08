/** A new domain of attempts that are games of several turns, in TypeScript and JavaScript. */
import type { Dialect } from './dialect.ts';

export const game = ({
  ts,
  exported,
}: Dialect): string => `// A domain of games: the environment sets the game up, the agent plays it turn by turn (docs/domains.md).
// Try it with: genenv check-domain THIS_FILE
// An attempt has at most rollouts.maxTurns turns: set it to at least the guesses of the longest game.
${ts(`import type { EnvironmentPrompt, Judge, Parse, Reset, Seeds, Step, Task } from './genenv-domain';

`)}/** Guess a number from 1 to \`most\`. The game's state is any JSON; it travels with each call. */
${ts(`interface State {
  guessesLeft: number;
}

`)}const task = (most${ts(': number')}, secret${ts(': number')}, guesses${ts(': number')}) => ({
  prompt: \`I have a number from 1 to \${most}. You have \${guesses} guesses. Answer with a number alone.\`,
  gold: secret,
  difficulty: { most, guesses, slack: guesses - Math.ceil(Math.log2(most + 1)) },
});

// Tasks to vary, and tasks that only validation measures.
${exported('seeds', 'Seeds')} (split) => (split === 'base' ? [task(7, 5, 3), task(20, 3, 5)] : [task(10, 8, 4)]);

// What the environment policy reads. \`target\` is α, the success rate that is wanted.
${exported('environmentPrompt', 'EnvironmentPrompt')} ({ seed, target, recentSuccess }) =>
  \`A player guesses a number and is told “higher” or “lower”. Set up a game that is won in \${Math.round(100 * target)} % of tries.
\${recentSuccess === null ? '' : \`Of late the player won \${Math.round(100 * recentSuccess)} %.\\n\`}The game before: \${seed.prompt[0]?.content}
Write one line with three numbers: the largest number, the secret one, the guesses. For example: 20 3 5\`;

// Its text as a task.
${exported('parse', 'Parse')} (text) => {
  const [, most, secret, guesses] = (/^\\s*(\\d{1,4}) (\\d{1,4}) (\\d{1,2})\\s*$/.exec(text) ?? []).map(Number);
  if (most === undefined || secret === undefined || guesses === undefined) return { reject: 'it is not three numbers' };
  if (secret < 1 || secret > most) return { reject: 'the secret number is out of range' };
  if (guesses < 1 || guesses > 12) return { reject: 'it has no guess, or more than 12' };
  return task(most, secret, guesses);
};

const guessesOf = ({ prompt }${ts(': Task')})${ts(': number')} => Number(/You have (\\d+) guesses/.exec(prompt[0]?.content ?? '')?.[1] ?? 1);

// The agent has read the task's prompt; the game itself says nothing before its first guess.
${exported('reset', 'Reset<State>')} (given) => ({ state: { guessesLeft: guessesOf(given) } });

${exported('step', 'Step<State>')} ({ gold }, { guessesLeft }, action) => {
  const said = /\\d+/.exec(action)?.[0];
  const state = { guessesLeft: guessesLeft - 1 };
  if (said !== undefined && Number(said) === Number(gold)) return { say: 'Right!', state, done: true };
  if (state.guessesLeft === 0) return { say: 'No more guesses.', state, done: true };
  if (said === undefined) return { say: 'That is no number.', state };
  return { say: Number(said) < Number(gold) ? 'Higher.' : 'Lower.', state };
};

// Won, by what the game said last. A guess that is saved is worth a little.
${exported('judge', 'Judge')} (given, { messages }) => {
  const said = messages.filter(({ role }) => role !== 'assistant');
  const success = said.at(-1)?.content === 'Right!';
  const used = messages.length - said.length;
  return { success, reward: success ? 1 - (0.2 * (used - 1)) / guessesOf(given) : 0, parts: { guesses: used } };
};
`;
