/** Initial content of a new reward function, in each language, and two attempts with their verdicts. */
import type { RewardLanguage } from '../../../shared/rewards/rewardFile.ts';
import { pinnedCase, withCase } from '../../../shared/rewards/cases.ts';
import type { RewardCall } from '../../../shared/rewards/given.ts';

export interface RewardTemplate {
  language: RewardLanguage;
  /** Of the file's name, after its stem. */
  ending: string;
  /** The types written beside it, from `media/rewards`. */
  types: string;
  text: string;
}

/** TypeScript, and JavaScript that says its types in comments. */
function script(typed: boolean): string {
  const type = (name: string): string => (typed ? `: ${name}` : '');
  const param = (...names: string[]): string => (typed ? '' : names.map((name) => ` @param ${name}`).join(''));
  return `${typed ? "import type { Result, Task, Trace } from './genenv-reward';\n\n" : ''}/**
 * \`success\` is what success rates count; \`reward\`, from 0 to 1, is what the agent learns from.${typed ? '' : "\n *\n * @type {import('./genenv-reward').Reward}"}
 */
export function reward(task${type('Task')}, trace${type('Trace')})${type('Result')} {
  // An exception makes no verdict: such an attempt trains nothing, where a zero would teach something wrong.
  if (task.gold === null) throw new Error('The task has no right answer to compare with.');
  const said = wordsOf(trace.answer);
  const right = wordsOf(task.gold);
  const success = said.join(' ') === right.join(' ');
  const overlap = overlapOf(said, right);
  return { success, reward: success ? 1 : 0.5 * overlap, parts: { overlap, words: said.length } };
}

/** In lower case, without the punctuation around them.${param('{string} text')} */
function wordsOf(text${type('string')})${type('string[]')} {
  const words = text.toLowerCase().split(/\\s+/);
  return words.map((word) => word.replace(/^["'(]+|[.,;:!?"')]+$/g, '')).filter((word) => word !== '');
}

/** F1 of the words that both have.${param('{string[]} said', '{string[]} right')} */
function overlapOf(said${type('string[]')}, right${type('string[]')})${type('number')} {
  const left = [...right];
  let common = 0;
  for (const word of said) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    common += 1;
  }
  return (2 * common) / Math.max(1, said.length + right.length);
}
`;
}

const python = `from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genenv_reward import Result, Task, Trace


def reward(task: Task, trace: Trace) -> Result:
    """success is what success rates count; reward, from 0 to 1, is what the agent learns from."""
    # An exception makes no verdict: such an attempt trains nothing, where a zero would teach something wrong.
    if task["gold"] is None:
        raise ValueError("The task has no right answer to compare with.")
    said = words_of(trace["answer"])
    right = words_of(task["gold"])
    success = said == right
    overlap = overlap_of(said, right)
    return {
        "success": success,
        "reward": 1 if success else 0.5 * overlap,
        "parts": {"overlap": overlap, "words": len(said)},
    }


def words_of(text: str) -> list[str]:
    """In lower case, without the punctuation around them."""
    words = [word.lstrip("\\"'(").rstrip(".,;:!?\\"')") for word in text.lower().split()]
    return [word for word in words if word != ""]


def overlap_of(said: list[str], right: list[str]) -> float:
    """F1 of the words that both have."""
    left = list(right)
    common = 0
    for word in said:
        if word in left:
            left.remove(word)
            common += 1
    return 2 * common / max(1, len(said) + len(right))
`;

export const rewardTemplates: readonly RewardTemplate[] = [
  { language: 'typescript', ending: '.reward.ts', types: 'genenv-reward.d.ts', text: script(true) },
  { language: 'javascript', ending: '.reward.js', types: 'genenv-reward.d.ts', text: script(false) },
  { language: 'python', ending: '.reward.py', types: 'genenv_reward.pyi', text: python },
];

const asked = (answer: string): RewardCall => ({
  task: {
    id: 'example',
    family: 'example',
    epoch: 0,
    prompt: [{ role: 'user', content: 'Which city is the seat of the Dutch government?' }],
    evaluation: { kind: 'exact' },
    gold: 'The Hague',
    seed: null,
    plan: '',
  },
  trace: {
    id: 'example',
    messages: [{ role: 'assistant', content: answer }],
    answer,
    toolCalls: null,
    stopReason: 'stop',
    version: 'agent@0',
  },
});

/** Two cases of every template, as a cases file: one that is right, one that is right only in part. */
export const workedCases = [
  pinnedCase(asked('"The Hague."'), { success: true, reward: 1 }, null, 'Right, in quotes'),
  pinnedCase(
    asked('It is The Hague, I think.'),
    { success: false, reward: 0.25 },
    null,
    'Says more than the answer: half the overlap of its words',
  ),
].reduce(withCase, '');
