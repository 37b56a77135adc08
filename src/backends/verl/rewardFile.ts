/**
 * The reward file of a job: the experiment's scorer as Python, and around it what verl calls. It needs nothing but
 * Python; the model's tokenizer, which is there wherever verl is, only counts tokens.
 */

/** A scorer in another language. */
export interface PythonScorer {
  /**
   * Source of a module with `judge(text, gold, evaluation, finished) -> dict`: `reward` (0…1), `success`, `valid`, and
   * `parts` by name. It gives the same verdicts as the scorer it was made from.
   */
  python: string;
}

/** @param model whose tokenizer counts; @param maxTokens that an answer may have */
export function rewardFile({ python }: PythonScorer, model: string, maxTokens: number): string {
  return `"""Written by GenEnv: the experiment's scorer for verl's reward workers."""
import json
import re

MODEL = ${JSON.stringify(model)}
MAX_TOKENS = ${maxTokens}

${python.trim()}


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


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **_):
    truth = json.loads(ground_truth)
    tokens = _Tokens.count(solution_str)
    # The token that ends an answer is no part of its text: as many as may be are one too many.
    cut = tokens >= MAX_TOKENS
    verdict = judge(solution_str, truth["gold"], truth["evaluation"], not cut)
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
