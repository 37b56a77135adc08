import { Rng } from '../../src/engine/random.ts';
import type { Body } from '../../src/benchmarks/storekeeper/body.ts';
import { renderCall, renderCalls } from '../../src/benchmarks/storekeeper/calls.ts';
import { StorekeeperEpisode } from '../../src/benchmarks/storekeeper/episode.ts';
import { execute } from '../../src/benchmarks/storekeeper/execute.ts';
import { randomBody } from '../../src/benchmarks/storekeeper/randomBody.ts';
import type { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { expressionShare, weighted } from '../../src/benchmarks/storekeeper/seeds.ts';
import { agentMessages, authoredTask, bodyOfPrompt } from '../../src/benchmarks/storekeeper/task.ts';
import { functionNames, items } from '../../src/benchmarks/storekeeper/vocabulary.ts';
import type { Message } from '../../src/shared/records/message.ts';
import type { Task } from '../../src/shared/records/task.ts';

/** The same task with other items and functions: a consistent renaming, which changes nothing that matters. */
function renamed(body: Body, rng: Rng): Body {
  const shuffled = rng.shuffle(items);
  const itemOf = new Map(items.map((item, i) => [item, shuffled[i] ?? item]));
  const names = rng.pick(functionNames, body.menu.length).sort();
  return {
    ...body,
    menu: body.menu.map((entry, i) => ({ ...entry, name: names[i] ?? entry.name })),
    steps: body.steps.map((step) => ({ ...step, item: itemOf.get(step.item) ?? step.item })),
  };
}

/** Tasks over and over, shuffled anew each time. */
function* rounds(tasks: readonly Task[], ...stream: (string | number)[]): Generator<Task, never> {
  for (let round = 0; ; round++) yield* Rng.from('pretrain', 'agent', ...stream, round).shuffle(tasks);
}

/** Steps of the tasks that the agent sees most, and one example in how many is of any length. */
const easySteps = 2;
const anyLengthEvery = 10;

/** Whether the agent starts sure of short tasks, or halfway to tasks of every length. */
export type Lengths = 'short' | 'uniform';

function* mostlyShort(base: readonly Task[], seed: number): Generator<Task, never> {
  const easy = rounds(
    base.filter(({ complexity }) => (complexity['steps'] ?? 0) <= easySteps),
    'easy',
    seed,
  );
  const any = rounds(base, 'any', seed);
  for (let n = 0; ; n++) yield (n % anyLengthEvery === 0 ? any : easy).next().value;
}

/** Each number of steps in its turn, so that long tasks come as often as short ones. */
function* everyLength(base: readonly Task[], seed: number): Generator<Task, never> {
  const byLength = Map.groupBy(base, ({ complexity }) => complexity['steps'] ?? 0);
  const supplies = [...byLength].map(([steps, tasks]) => rounds(tasks, 'steps', steps, seed));
  for (;;) for (const supply of supplies) yield supply.next().value;
}

/**
 * The agent's training, example after example: the base tasks, each with its gold as the answer, nine of ten of the
 * short ones. So the agent starts sure of what is easy and with a first idea of what is not: a frontier to move. With
 * `uniform` lengths its success falls slowly with length, without a frontier.
 * Renaming keeps a small model from learning 544 answers by heart.
 */
export function* agentConversations(
  base: readonly Task[],
  seed: number,
  lengths: Lengths = 'short',
): Generator<Message[], never> {
  const tasks = lengths === 'short' ? mostlyShort(base, seed) : everyLength(base, seed);
  for (let n = 0; ; n++) {
    const task = tasks.next().value;
    const body = renamed(bodyOfPrompt(task.prompt), Rng.from('pretrain', 'agent', 'names', seed, n));
    if (n % stepwiseEvery === 1) yield stepwise(body);
    else yield [...agentMessages(body, 'CALLS'), { role: 'assistant', content: renderCalls(execute(body)) }];
  }
}

/** One example in so many is posed turn by turn, so that multi-turn runs have an agent to start from. */
const stepwiseEvery = 5;

/** The gold as an episode: one call a turn, each followed by what the store answers. */
function stepwise(body: Body): Message[] {
  const task = authoredTask(body, 'stepwise', 'base', 'CALL');
  const episode = new StorekeeperEpisode();
  episode.reset(task);
  const turns = execute(body).flatMap((call): Message[] => {
    const content = renderCall(call);
    return [{ role: 'assistant', content }, ...episode.step(content).messages];
  });
  // Tokens after the last turn are never read.
  return [...task.prompt, ...turns.slice(0, turns.findLastIndex(({ role }) => role === 'assistant') + 1)];
}

/**
 * How many tasks of 93 that the environment learns from have 1, 2, … 12 steps: mostly far too hard for the agent's start,
 * as in the paper, whose first epoch succeeds at 0.138.
 */
const environmentSteps = [3, 4, 5, 6, 7, 9, 11, 12, 11, 10, 8, 7];

/** Training begins with short tasks, which teach the grammar soonest, and a tenth of all; after this share, all. */
const shortUntil = 0.4;
const shortest = environmentSteps.slice(0, 4);

/**
 * The environment's training, an endless set of its own: like base tasks, with wider tails. Steps, menu, fillers, item
 * hints and the success token are drawn independently: what difficulty suits which success is for the method to find.
 * @param length how many examples the training has
 */
export function* environmentConversations(
  domain: StorekeeperDomain,
  seed: number,
  length: number,
): Generator<readonly Message[], never> {
  for (let i = 0; ; i++) {
    const rng = Rng.from('pretrain', 'environment', seed, i);
    const anyLength = rng.next() < 0.1 + (0.9 * i) / (length * shortUntil);
    const about = rng.pick(items, 1 + rng.int(2));
    const spec = {
      steps: 1 + weighted(rng, anyLength ? environmentSteps : shortest),
      menu: 1 + rng.int(6),
      fillers: weighted(rng, [45, 25, 15, 10, 5]),
      expressions: expressionShare,
      about,
    };
    const task = authoredTask(randomBody(rng, spec), `pretrain.${i}`, 'base', 'CALLS');
    const hint = randomBody(rng, { steps: about.length, menu: 1, fillers: 0, expressions: 0, about });
    const recentSuccess = rng.int(12) === 11 ? null : rng.int(11) / 10;
    const context = { seed: authoredTask(hint, 'hint', 'base', 'CALLS'), recentSuccess, target: 0.5 };
    yield domain.environmentExample(task, context);
  }
}
