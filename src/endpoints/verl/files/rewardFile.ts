/**
 * The reward file of a job: the experiment's scorer as Python, and around it what verl calls. It needs nothing but
 * Python; the model's tokenizer, which is there wherever verl is, only counts tokens.
 */
import { answerOf } from './thoughts.ts';

/** Folder beside the reward file with what was counted. */
export const countsFolder = 'counts';

/** File beside the reward file with the rows that its job attempts. */
export const agentRowsName = 'train.json';

/** A scorer in another language. */
export interface PythonScorer {
  /**
   * Source of a module with `judge(text, gold, evaluation, finished, asked) -> dict`: `reward` (0…1), `success`, `valid`,
   * and `parts` by name. It gives the same verdicts as the scorer it was made from. `asked`: JSON of what a reward of a
   * person's own is asked with, or None.
   */
  python: string;
}

/**
 * verl's newer trainer dumps a score and nothing else that a reward file says. So what was counted of an answer is noted
 * beside the reward file, by process, under the digest of the answer's text.
 *
 * @param model whose tokenizer counts; @param maxTokens that an answer may have
 */
export function rewardFile({ python }: PythonScorer, model: string, maxTokens: number): string {
  return `"""Written by GenEnv: the experiment's scorer for verl's reward workers."""
import hashlib
import json
import math
import os
import re
import socket

MODEL = ${JSON.stringify(model)}
MAX_TOKENS = ${maxTokens}

${python.trim()}


${answerOf}


class _Tokens:
    """Tokens of a text; -1 where there is no tokenizer."""

    tokenizer = None
    missing = False

    @classmethod
    def count(cls, text):
        if cls.missing:
            return -1
        if cls.tokenizer is None:
            try:
                from transformers import AutoTokenizer

                cls.tokenizer = AutoTokenizer.from_pretrained(MODEL)
            except Exception as error:
                cls.missing = True
                print("Tokens are not counted:", error)
                return -1
        return len(cls.tokenizer.encode(text, add_special_tokens=False))

    @classmethod
    def of_prompt(cls, messages):
        if cls.count("") < 0:
            return -1
        text = cls.tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        return cls.count(text)


class _Notes:
    """A file of this process alone, beside this one."""

    file = None
    missing = False

    @classmethod
    def add(cls, text, tokens, cut):
        if tokens < 0:
            return
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        cls.write({"text": digest, "tokens": tokens, "cut": int(cut)})

    @classmethod
    def write(cls, note):
        if cls.missing:
            return
        line = json.dumps(note) + "\\n"
        try:
            if cls.file is None:
                folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(countsFolder)})
                os.makedirs(folder, exist_ok=True)
                name = "%s-%d.jsonl" % (socket.gethostname(), os.getpid())
                cls.file = open(os.path.join(folder, name), "a", encoding="utf-8", buffering=1)
            cls.file.write(line)
        except OSError as error:
            cls.missing = True
            print("What was counted is not noted:", error)


class _Prompts:
    """Tokens of tasks' prompts as the model's template renders them, each noted once: verl tells a reward file none."""

    rows = None
    noted = set()

    @classmethod
    def note(cls, task):
        if task in cls.noted:
            return
        cls.noted.add(task)
        try:
            if cls.rows is None:
                with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(agentRowsName)}), encoding="utf-8") as file:
                    rows = [json.loads(line) for line in file]
                cls.rows = {row["extra_info"]["task"]: row["prompt"] for row in rows}
            tokens = _Tokens.of_prompt(cls.rows[task])
        except Exception as error:
            print("The prompt of", task, "is not counted:", error)
            return
        if tokens >= 0:
            _Notes.write({"task": task, "prompt": tokens})


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **_):
    truth = json.loads(ground_truth)
    tokens = _Tokens.count(solution_str)
    # The token that ends an answer is no part of its text: as many as may be are one too many.
    cut = tokens >= MAX_TOKENS
    _Notes.add(solution_str, tokens, cut)
    _Prompts.note(truth["task"])
    asked = (extra_info or {}).get("asked")
    verdict = judge(_answer_of(solution_str), truth["gold"], truth["evaluation"], not cut, asked)
    return {
        "score": float(verdict["reward"]),
        "success": int(verdict["success"]),
        "valid": int(verdict["valid"]),
        "tokens": tokens,
        "cut": int(cut),
        **{"part_" + name: float(value) for name, value in verdict["parts"].items()},
    }
`;
}
