/** The answer without the thoughts before it, for a job's reward file: the same cut as `apart` of `shared/text/thoughts.ts`. */
import { marks } from '../../../shared/text/thoughts.ts';

/** Python with `_answer_of(text)`. */
export const answerOf = `# What JavaScript trims.
_BLANKS = "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


def _answer_of(text):
    """A text behind the model's thoughts. A thought that was cut before it ended is no answer."""
    for begin, end in ${JSON.stringify(marks)}:
        begun = text.lstrip(_BLANKS).startswith(begin)
        at = text.find(end)
        if at == -1 and not begun:
            continue
        return "" if at == -1 else text[at + len(end):].lstrip(_BLANKS)
    return text
`;
