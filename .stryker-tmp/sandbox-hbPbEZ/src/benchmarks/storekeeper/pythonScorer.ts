/**
 * The scorer in Python, for trainers that judge attempts by themselves: the same words, the same grammar, the same
 * verdicts (scorer.ts, calls.ts), which shared vectors hold together.
 */
import { evaluationKind } from './task.ts';
import { concepts, endWord, functionNames, items, maxNumber, ordinals, takesValue } from './vocabulary.ts';

/** Source with `judge(text, gold, evaluation, finished)`. @param reward as of `StorekeeperScorer` */
export function pythonScorer(reward: 'success' | 'calls' = 'success'): string {
  const words = (name: string, list: readonly string[]): string => `${name} = ${JSON.stringify(list)}`;
  return `${words('ORDINALS', ordinals)}
${words('CONCEPTS', concepts)}
${words('FUNCTIONS', functionNames)}
${words('ITEMS', items)}
${words('VALUED', concepts.filter(takesValue))}
MAX_NUMBER = ${maxNumber}
END = ${JSON.stringify(endWord)}
# What JavaScript calls a space.
SPACES = re.compile("[\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]+")


class NoCalls(Exception):
    pass


def turn_words(text):
    words = [word for word in SPACES.split(text) if word != ""]
    return words[:-1] if words and words[-1] == END else words


def is_number(word):
    return word is not None and re.fullmatch("[0-9]|1[0-9]", word) is not None and int(word) <= MAX_NUMBER


def parse_calls(words):
    calls = []
    at = 0

    def take(fits):
        nonlocal at
        word = words[at] if at < len(words) else None
        if not fits(word):
            raise NoCalls()
        at += 1
        return word

    while at < len(words):
        call = [take(ORDINALS.__contains__), take(CONCEPTS.__contains__), take(FUNCTIONS.__contains__)]
        call.append(take(ITEMS.__contains__))
        if call[1] in VALUED:
            call.append(take(is_number))
        calls.append(" ".join(call))
    return calls


def judge(text, gold, evaluation, finished, asked=None):
    if evaluation.get("kind") != ${JSON.stringify(evaluationKind)} or gold is None:
        return {"reward": 0, "success": False, "valid": False, "parts": {"calls": 0, "format": 0}}
    answer = turn_words(text)
    right = turn_words(gold)
    expected = parse_calls(right)
    try:
        calls = parse_calls(answer)
        parsed = len(answer) > 0
    except NoCalls:
        calls = []
        parsed = False
    hits = sum(1 for wanted, given in zip(expected, calls) if wanted == given)
    success = finished and answer == right
    share = hits / max(len(expected), len(calls))
    return {
        "reward": ${reward === 'success' ? '1 if success else 0' : 'share'},
        "success": success,
        "valid": finished and parsed,
        "parts": {"calls": share, "format": 1 if parsed else 0},
    }
`;
}
