/** A domain of sums in both languages: the environment writes `3 + 4`, the agent answers `7`. */
export const sums = {
  'sums.domain.ts': `
interface Context { seed: { prompt: { content: string }[] }; recentSuccess: number | null; target: number }

export const seeds = (split: 'base' | 'heldOut') =>
  split === 'base'
    ? [1, 2, 3].map((n) => ({ prompt: \`\${n} + \${n}\`, gold: 2 * n, difficulty: { digits: 1 } }))
    : [{ id: 'held', prompt: '9 + 9', gold: 18 }];

export const environmentPrompt = ({ seed, target }: Context): string =>
  \`Write another sum than \${seed.prompt[0]?.content ?? ''}. Success wanted: \${target}.\`;

export function parse(text: string) {
  const [, a, b] = /^(\\d+) \\+ (\\d+)$/.exec(text) ?? [];
  if (a === undefined || b === undefined) return { reject: 'it is no sum' };
  return { prompt: text, gold: Number(a) + Number(b), difficulty: { digits: text.length - 3 } };
}

export const verify = ({ gold }: { gold: string }): true | string => Number(gold) < 100 || 'the sum is 100 or more';

export const agentPrompt = ({ prompt }: { prompt: { content: string }[] }): string =>
  \`How much is \${prompt[0]?.content ?? ''}? Answer with the number.\`;

export const judge = ({ gold }: { gold: string }, { answer }: { answer: string }) => ({
  success: answer.trim() === gold,
  reward: answer.trim() === gold ? 1 : 0,
});
`,
  'sums.domain.py': `
import re


def seeds(split):
    if split == "base":
        return [{"prompt": f"{n} + {n}", "gold": 2 * n, "difficulty": {"digits": 1}} for n in (1, 2, 3)]
    return [{"id": "held", "prompt": "9 + 9", "gold": 18}]


def environmentPrompt(context):
    return f"Write another sum than {context['seed']['prompt'][0]['content']}. Success wanted: {context['target']}."


def parse(text, given):
    found = re.fullmatch(r"(\\d+) \\+ (\\d+)", text)
    if found is None:
        return {"reject": "it is no sum"}
    return {"prompt": text, "gold": int(found[1]) + int(found[2]), "difficulty": {"digits": len(text) - 3}}


def verify(task):
    return True if int(task["gold"]) < 100 else "the sum is 100 or more"


def agentPrompt(task):
    return f"How much is {task['prompt'][0]['content']}? Answer with the number."


def judge(task, trace):
    right = trace["answer"].strip() == task["gold"]
    return {"success": right, "reward": 1 if right else 0}
`,
} as const;
