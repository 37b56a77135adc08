/** Versions of a run's policies that answer a person, with the tools of a task where one is chosen. Affects no run. */
import { append } from '../../../shared/append.ts';
import { asked } from '../../../engine/phases/attempts/episode.ts';
import { seedFrom } from '../../../engine/random.ts';
import type { Environment, Observation } from '../../../engine/ports.ts';
import { hasFailed } from '../../../engine/unanswered.ts';
import { policyNamed, type AgentTools, type OpenAgent } from '../../../launch/policies/newestAgent.ts';
import { openGround, runNow, type RunNow, type TaskGround } from '../../../launch/scoring/taskGround.ts';
import { editedTask } from '../../../launch/taskEdits.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task, ToolSpec } from '../../../shared/records/task.ts';
import { readBy, withExchange, type Talk } from '../core/talk.ts';
import { TalkError } from './talkError.ts';

/** Of each policy: its turns, or the reason why there is none. */
export interface Answered {
  talk: Talk;
  /** By policy; null where it answered. */
  failures: (string | null)[];
}

interface Posed extends TaskGround {
  task: Task;
  prompt: readonly Message[];
}

/** Keeps policies and tools open between answers. */
export class Talker {
  readonly #run: RunReader;
  readonly #tools: AgentTools;
  readonly #policies = new Map<string, Promise<OpenAgent>>();
  #now: Promise<RunNow> | null = null;
  #posed: { task: string; ground: Promise<Posed> } | null = null;

  constructor(run: RunReader, tools: AgentTools) {
    this.#run = run;
    this.#tools = tools;
  }

  /**
   * Every policy answers. One that fails leaves its part empty, and the others stand.
   * @param you null where the task's own prompt is answered
   * @throws TalkError where none can; TaskEditError, RunError, InputError; the signal's reason
   */
  async answer(talk: Talk, you: string | null, signal: AbortSignal): Promise<Answered> {
    const posed = talk.task === null ? null : await this.#poseOf(talk.task);
    const next = withExchange(talk, you, []);
    const tried = await Promise.all(
      talk.policies.map(async (name, side) => {
        try {
          return { messages: await this.#turns(next, { name, side }, posed, signal), failure: null };
        } catch (error) {
          signal.throwIfAborted();
          return { messages: [], failure: `${name}: ${messageOf(error)}` };
        }
      }),
    );
    const failures = tried.map(({ failure }) => failure);
    const [first] = failures;
    if (first != null && failures.every((one) => one !== null)) throw new TalkError('unanswered', first, '');
    return {
      talk: withExchange(
        talk,
        you,
        tried.map(({ messages }) => messages),
      ),
      failures,
    };
  }

  /** The task's prompt, as its agent reads it; empty without a task. @throws TaskEditError, RunError, InputError */
  async promptOf({ task }: Pick<Talk, 'task'>): Promise<readonly Message[]> {
    return task === null ? [] : (await this.#poseOf(task)).prompt;
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled([...this.#policies.values()]);
    for (const one of open) if (one.status === 'fulfilled') await one.value.close();
    await (await this.#posed?.ground.catch(() => null))?.close();
  }

  async #turns(
    talk: Talk,
    { name, side }: { name: string; side: number },
    posed: Posed | null,
    signal: AbortSignal,
  ): Promise<Message[]> {
    const { policy, version } = await this.#policy(name);
    const episode = await played(posed, readBy(talk, side));
    const { maxTurns } = this.#run.manifest.experiment.rollouts;
    const answered: Message[] = [];
    try {
      for (let turn = 0; turn < maxTurns; turn++) {
        const request = {
          ...{ id: `talk-${side}`, messages: episode.read, n: 1, logprobs: false },
          ...{ maxTokens: talk.maxTokens, temperature: talk.temperature },
          // The same for all policies: they differ by their weights alone.
          seed: seedFrom(talk.seed, 'talk', talk.exchanges.length, turn),
          ...(episode.tools.length > 0 && { tools: episode.tools }),
        };
        let said: Message | null = null;
        for await (const answer of policy.sample(version, [request], signal)) {
          if (hasFailed(answer)) throw new TalkError('unanswered', answer.failure, '');
          const { text, reasoning } = answer;
          said = { role: 'assistant', content: text, ...(reasoning !== undefined && { reasoning }) };
        }
        if (said === null) break;
        answered.push(said);
        const observation = await episode.step(said);
        append(answered, observation.messages);
        if (observation.done || observation.messages.length === 0) break;
      }
    } finally {
      await episode.close();
    }
    return answered;
  }

  #policy(name: string): Promise<OpenAgent> {
    const known = this.#policies.get(name);
    if (known !== undefined) return known;
    const opening = policyNamed(this.#run, name, this.#tools);
    this.#policies.set(name, opening);
    opening.catch(() => this.#policies.delete(name));
    return opening;
  }

  async #poseOf(task: string): Promise<Posed> {
    if (this.#posed?.task !== task) {
      const before = this.#posed;
      this.#posed = { task, ground: this.#pose(task) };
      await (await before?.ground.catch(() => null))?.close();
    }
    return this.#posed.ground;
  }

  async #pose(id: string): Promise<Posed> {
    const { task } = await editedTask(this.#run, id);
    const ground = await openGround(await (this.#now ??= runNow(this.#run)), task, this.#tools);
    if (ground.domain.leader !== undefined) {
      await ground.close();
      throw new TalkError(
        'led',
        'A program leads the attempts at this task: its tools answer only it.',
        'Choose another task, or none.',
      );
    }
    return { ...ground, task, prompt: await ground.domain.agentPrompt(task) };
  }
}

interface Live {
  /** The conversation as the policy reads it. */
  read: readonly Message[];
  tools: readonly ToolSpec[];
  /** The tools' answer; nothing once the task's episode is over. */
  step(said: Message): Promise<Pick<Observation, 'messages' | 'done'>>;
  close(): Promise<void>;
}

/** The task's tools after the turns of a conversation, which are played to them again. */
async function played(posed: Posed | null, said: readonly Message[]): Promise<Live> {
  const environment: Environment | null = posed?.domain.environment(posed.task) ?? null;
  const opening = posed === null || environment === null ? null : await environment.reset(posed.task);
  const prompt = posed?.prompt ?? [];
  let over = environment === null;
  const live: Live = {
    read: [...(opening === null ? prompt : asked(prompt, opening)), ...said],
    tools: opening?.tools ?? posed?.task.tools ?? [],
    async step(turn) {
      if (environment === null || over) return { messages: [], done: true };
      const { messages, done, tools } = await environment.step(turn.content, turn.reasoning);
      over = done;
      live.tools = tools ?? live.tools;
      live.read = [...live.read, turn, ...messages];
      return { messages, done };
    },
    close: async () => environment?.close?.(),
  };
  const { read } = live;
  for (const turn of said) if (turn.role === 'assistant') await live.step(turn);
  live.read = read;
  return live;
}
