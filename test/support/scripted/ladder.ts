/**
 * A domain small enough to compute by hand: a task is a rung `climb D`, its gold is `D`. The environment writes
 * `rung D N`, N being a number that only makes tasks different.
 */
import type {
  Domain,
  Environment,
  GenerationContext,
  ParsedTask,
  Scorer,
  Verification,
} from '../../../src/engine/ports.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Task, TaskDraft } from '../../../src/shared/records/task.ts';
import type { Verdict } from '../../../src/shared/records/trace.ts';

export const user = (content: string): Message => ({ role: 'user', content });

function draft(rung: number, nonce: number, plan: string): TaskDraft {
  return {
    prompt: [user(`climb ${rung} ${nonce}`)],
    evaluation: { kind: 'exact' },
    gold: `${rung}`,
    complexity: { rung },
    plan,
  };
}

function seed(id: string, rung: number, nonce: number, origin: 'base' | 'validation'): Task {
  return { v: 1, id, family: id, epoch: 0, origin, seed: null, status: 'accepted', ...draft(rung, nonce, '') };
}

export class LadderDomain implements Domain {
  readonly name = 'ladder';
  readonly #turns: number;
  readonly planPrompt?: (context: GenerationContext) => readonly Message[];

  constructor(options: { turns?: number; plans?: boolean } = {}) {
    this.#turns = options.turns ?? 1;
    if (options.plans === true) this.planPrompt = (context) => [user(`plan near ${context.seed.id}`)];
  }

  seeds(split: 'base' | 'validation'): readonly Task[] {
    return Array.from({ length: 12 }, (_, i) =>
      seed(`${split}.${i}`, 1 + (i % 6), split === 'base' ? i : 500 + i, split),
    );
  }

  environmentPrompt(context: GenerationContext, plan: Message | null): readonly Message[] {
    const asked = user(`write near ${context.seed.id} at ${context.recentSuccess ?? 'unknown'}`);
    return plan === null ? [asked] : [...(this.planPrompt?.(context) ?? []), plan, asked];
  }

  parseTask(text: string, plan: string): ParsedTask {
    const match = /^rung (\d+) (\d+)$/.exec(text);
    if (match === null) return { ok: false, cause: 'unparseable', note: `Not a rung: "${text}".` };
    return { ok: true, draft: draft(Number(match[1]), Number(match[2]), plan) };
  }

  verify(task: TaskDraft): Verification {
    const rung = task.complexity['rung'] ?? 0;
    return rung >= 1 && rung <= 9 ? { ok: true } : { ok: false, cause: 'schema', note: `Rung ${rung} is not 1…9.` };
  }

  fingerprint({ prompt }: Pick<Task, 'prompt'>): string {
    return prompt.map(({ content }) => content).join('\n');
  }

  agentPrompt(task: Task): readonly Message[] {
    return task.prompt;
  }

  environment(): Environment | null {
    if (this.#turns === 1) return null;
    let turn = 0;
    return {
      reset: () => ({ messages: [{ role: 'tool', content: 'ready' }], done: false }),
      step: (action) => {
        turn += 1;
        return { messages: [{ role: 'tool', content: `heard ${action}` }], done: turn >= this.#turns };
      },
    };
  }

  environmentExample(task: Task): readonly Message[] | null {
    return [user('write'), { role: 'assistant', content: `rung ${task.complexity['rung'] ?? 1} 0` }];
  }
}

export class LadderScorer implements Scorer {
  score(task: Parameters<Scorer['score']>[0], trace: Parameters<Scorer['score']>[1]): Verdict {
    const answers = trace.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    const success = answers.length > 0 && answers.every((answer) => answer === task.gold);
    return { success, reward: success ? 1 : 0, valid: answers.length > 0 };
  }
}
