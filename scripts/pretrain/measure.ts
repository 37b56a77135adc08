import { Rng, seedFrom } from '../../src/engine/random.ts';
import { render } from '../../src/endpoints/embedded/render.ts';
import type { EmbeddedTrainer } from '../../src/endpoints/embedded/model/trainer.ts';
import type { SampledCompletion } from '../../src/endpoints/embedded/model/sampler.ts';
import { itemsOf } from '../../src/benchmarks/storekeeper/body.ts';
import type { StorekeeperDomain } from '../../src/benchmarks/storekeeper/domain.ts';
import { StorekeeperEpisode } from '../../src/benchmarks/storekeeper/episode.ts';
import { StorekeeperScorer } from '../../src/benchmarks/storekeeper/scorer.ts';
import { bodyOfPrompt } from '../../src/benchmarks/storekeeper/task.ts';
import type { Item } from '../../src/benchmarks/storekeeper/vocabulary.ts';
import type { Message } from '../../src/shared/records/message.ts';
import type { Task } from '../../src/shared/records/task.ts';

const scorer = new StorekeeperScorer();

interface Asked {
  messages: readonly Message[];
  n: number;
  maxTokens: number;
  temperature: number;
}

/** Completions by request, in stream order. */
function complete(trainer: EmbeddedTrainer, name: string, asked: readonly Asked[]): SampledCompletion[][] {
  const requests = asked.map(({ messages, n, maxTokens, temperature }, i) => ({
    prompt: render(trainer.vocabulary, messages).tokens,
    indices: Array.from({ length: n }, (_, k) => k),
    seed: seedFrom('pretrain', 'measure', name, i),
    maxTokens,
    temperature,
    tempered: false,
  }));
  const found: SampledCompletion[][] = requests.map(() => []);
  for (const finished of trainer.sample(null, requests)) {
    for (const completion of finished) found[completion.request]?.push(completion);
  }
  return found;
}

/** Share of attempts that succeed, for each task. */
export function successRates(
  agent: EmbeddedTrainer,
  tasks: readonly Task[],
  group: number,
  temperature: number,
): number[] {
  const answers = complete(
    agent,
    'agent',
    tasks.map((task) => ({ messages: task.prompt, n: group, maxTokens: 96, temperature })),
  );
  return tasks.map((task, i) => {
    const attempts = answers[i] ?? [];
    const solved = attempts.filter(({ tokens, stopReason }) => {
      const content = agent.vocabulary.decode(tokens);
      return scorer.score(task, { messages: [{ role: 'assistant', content }], stopReason }).success;
    });
    return solved.length / attempts.length;
  });
}

/** The same for tasks posed turn by turn, one greedy attempt each: the share of tasks solved. */
export function stepwiseSuccess(agent: EmbeddedTrainer, domain: StorekeeperDomain, tasks: readonly Task[]): number {
  let open = tasks.map((task) => {
    const episode = domain.environment() ?? new StorekeeperEpisode();
    return { task, episode, messages: [...episode.reset(task).messages] };
  });
  let solved = 0;
  for (let turn = 0; open.length > 0; turn++) {
    const answers = complete(
      agent,
      `turn ${turn}`,
      open.map(({ task, messages }) => ({
        messages: [...task.prompt, ...messages],
        n: 1,
        maxTokens: 96,
        temperature: 0,
      })),
    );
    open = open.filter(({ task, episode, messages }, i) => {
      const completion = answers[i]?.[0];
      const content = agent.vocabulary.decode(completion?.tokens ?? []);
      const { messages: answer, done } = episode.step(content);
      messages.push({ role: 'assistant', content, tokens: completion?.tokens ?? [] }, ...answer);
      if (done && scorer.score(task, { messages, stopReason: 'stop' }).success) solved++;
      return !done && turn < 15;
    });
  }
  return solved / tasks.length;
}

export interface WrittenFamily {
  /** Items of the seed task that the environment was given. */
  about: Item[];
  plan: string;
  tasks: Task[];
  /** `accepted` or the cause of rejection, a variation each. */
  outcomes: string[];
  /** A note of a rejection, if any. */
  notes: string[];
}

/** Families as the loop asks for them: one plan, then its variations. */
export function writeFamilies(
  environment: EmbeddedTrainer,
  domain: StorekeeperDomain,
  options: { families: number; variations: number; recentSuccess: number | null },
): WrittenFamily[] {
  const rng = Rng.from('pretrain', 'families');
  const { families, variations, recentSuccess } = options;
  const contexts = rng.pick(domain.seeds('base'), families).map((seed) => ({ seed, recentSuccess, target: 0.5 }));
  const abouts = contexts.map(({ seed }) => itemsOf(bodyOfPrompt(seed.prompt)).slice(0, 2));
  const settings = { maxTokens: 176, temperature: 1 };
  const plans = complete(
    environment,
    'plan',
    contexts.map((context) => ({ messages: domain.planPrompt(context), n: 1, ...settings })),
  ).map(([completion]): Message => {
    const tokens = completion?.tokens ?? [];
    return { role: 'assistant', content: environment.vocabulary.decode(tokens), tokens };
  });
  const texts = complete(
    environment,
    'task',
    contexts.map((context, i) => ({
      messages: domain.environmentPrompt(context, plans[i] ?? null),
      n: variations,
      ...settings,
    })),
  );
  return texts.map((completions, f) => {
    const plan = plans[f]?.content ?? '';
    const family: WrittenFamily = { about: abouts[f] ?? [], plan, tasks: [], outcomes: [], notes: [] };
    for (const { tokens, stopReason, index } of completions) {
      const parsed = domain.parseTask(environment.vocabulary.decode(tokens), plan);
      const verified = parsed.ok ? domain.verify(parsed.draft) : parsed;
      const outcome = stopReason === 'length' ? 'truncated' : verified.ok ? 'accepted' : verified.cause;
      family.outcomes.push(outcome);
      if (!verified.ok) family.notes.push(verified.note);
      if (parsed.ok && outcome === 'accepted') {
        const id = `f${f}.v${index}`;
        const filed = { id, family: `f${f}`, epoch: 0, origin: 'generated', seed: null, status: 'accepted' } as const;
        family.tasks.push({ v: 1, ...filed, ...parsed.draft });
      }
    }
    return family;
  });
}

/** Whether a task begins with the items its family was given, as far as it has steps. */
export function isAboutHint(family: WrittenFamily, task: Task): boolean {
  const { steps } = bodyOfPrompt(task.prompt);
  return family.about.every((item, i) => i >= steps.length || steps[i]?.item === item);
}
