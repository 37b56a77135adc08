/** A run of two domains in memory: the ladder, and one whose environment writes the same rungs in other words. */
import { GivenTasks } from '../../../src/benchmarks/given/domain.ts';
import { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import { mixture } from '../../../src/domains/mixture.ts';
import type { Domain, GenerationContext, ParsedTask } from '../../../src/engine/ports.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { LadderDomain } from './ladder.ts';
import { smallExperiment } from './scriptedRun.ts';

/** Rungs that are called steps where they are posed: what is equal in one domain is another task in the other. */
class StairsDomain extends LadderDomain {
  override seeds(split: 'base' | 'validation'): readonly Task[] {
    return super
      .seeds(split)
      .slice(0, 8)
      .map((task) => ({ ...task, prompt: stepped(task.prompt) }));
  }

  override parseTask(text: string, plan: string): ParsedTask {
    const parsed = super.parseTask(text, plan);
    return parsed.ok ? { ok: true, draft: { ...parsed.draft, prompt: stepped(parsed.draft.prompt) } } : parsed;
  }

  override environmentPrompt(context: GenerationContext, plan: Message | null): readonly Message[] {
    const prompt = super.environmentPrompt(context, plan);
    return prompt.map(({ role, content }) => ({ role, content: `${content} on the stairs` }));
  }

  override environmentExample(): null {
    return null;
  }
}

const stepped = (prompt: readonly Message[]): Message[] =>
  prompt.map((message) => ({ ...message, content: `${message.content} by steps` }));

type Overrides = Parameters<typeof smallExperiment>[0];

/** Three parts of the ladder (`storekeeper` by name) to one of the stairs, unless said otherwise. */
export function mixedExperiment(over: Overrides = {}, shares: readonly [number, number] = [3, 1]): Experiment {
  const experiment = smallExperiment({
    ...over,
    generation: { families: 4, staticFamilies: 8, ...over.generation },
  });
  const { domain } = experiment;
  return {
    ...experiment,
    domains: [
      { ...domain, share: shares[0] },
      { ...domain, name: 'file', file: 'stairs.domain.ts', share: shares[1] },
    ],
  };
}

/** The domain of such an experiment. @param plans whether the stairs are planned first; the ladder never is */
export async function mixedDomain({ plans = false } = {}): Promise<Domain> {
  return mixture(
    [
      { name: 'storekeeper', domain: new LadderDomain() },
      { name: 'stairs', domain: new StairsDomain({ plans }) },
    ],
    new GivenTasks([], await ScorerTable.open([], null, [])),
  );
}
