/**
 * How the environment policy writes new tasks in a benchmark's form: what it reads, and what its text must come to. The
 * functions of a domain file, called right here; a domain file that names the recipe stands before it (docs/domains.md).
 */
import type { GenerationContext, LocalDomain, LocalEnvironment } from '../../engine/ports.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';

type Posed = Pick<Task, 'prompt' | 'evaluation'>;

/** Details of a seed for its prompt, as text by name. */
export type About = Readonly<Record<string, string>>;

/** A domain that comes with GenEnv, and that a domain file may stand before: what is not in the file is done by it. */
export interface DomainBase extends LocalDomain {
  /** Details that a prompt shows of the varied seed. */
  about(context: GenerationContext): About;
  /** Why a task cannot be a seed of it, as a clause; null where it can. */
  misfit(task: Posed & Pick<Task, 'gold'>): string | null;
}

/** One benchmark's recipe. Checks throw TaskFault. */
export interface Recipe {
  readonly name: string;
  /** Of the rule that judges its tasks; null where any may. */
  readonly kind: string | null;
  /** True where nothing can execute a gold: independent answers have to agree with it. */
  readonly needsAgreement: boolean;
  /** True where a program judges without the gold, which only shows that there is an answer. */
  readonly goldFollows?: boolean;
  /** False where a new task may be nearly a base task. */
  readonly comparesBase?: false;
  /** Why a task cannot be a seed of this recipe, as a clause; null where it can. */
  misfit(task: Posed & Pick<Task, 'gold'>): string | null;
  /** Details that a prompt shows of the varied seed. */
  about?(seed: Task): About;
  environmentPrompt(context: GenerationContext): readonly Message[];
  /** The agent's prompt; the task's own without it. */
  agentPrompt?(task: Task): readonly Message[];
  /** @throws TaskFault `unparseable`, `schema` or `gold` */
  parse(text: string, seed: Task): TaskDraft;
  /** Pure: everything that can be known of a task without attempting it. @throws TaskFault */
  verify(draft: TaskDraft): void;
  /** The words that distinguish tasks; '' where words do not. */
  wording(task: Pick<Task, 'prompt'>): string;
  /**
   * Equal ones mean the same task, whatever the words: the call that is asked for, the room with its goal. Null where
   * there is no such thing. Of tasks that verify.
   */
  key(task: Posed & Pick<Task, 'gold'>): string | null;
  /** Equal texts mean the same task. */
  fingerprint(task: Posed): string;
  /** An episode, for tasks of more than one turn. */
  environment?(task: Task): LocalEnvironment;
}

/** A person's request in a prompt; the last of several. */
export const questionOf = ({ prompt }: Pick<Task, 'prompt'>): string =>
  prompt.findLast(({ role }) => role === 'user')?.content ?? '';

/** Numbers, single letters and brackets: a hyphen, slash or star between two of them is no punctuation. */
const operands = {
  before: String.raw`(?<=(?:[\p{N})]|(?<!\p{L})\p{L})\s*)`,
  after: String.raw`(?=\s*(?:[\p{N}(]|\p{L}(?!\p{L})))`,
};
/** 12 − 7 is not 12 + 7, and −5 is not 5. */
const sign = String.raw`(?![|~])[\p{Sm}^%]|${operands.before}[-*/]${operands.after}|(?<![\p{L}\p{N}])-(?=\p{N})`;
const wordOrSign = new RegExp(String.raw`[\p{L}\p{N}]+|${sign}`, 'gu');

/** Words, numbers and signs between them, so that blanks, case and punctuation make no other task. */
export const wordsOf = (text: string): string[] => text.toLowerCase().replaceAll('−', '-').match(wordOrSign) ?? [];

/** `wordsOf` in one text. */
export const plainWords = (text: string): string => wordsOf(text).join(' ');
