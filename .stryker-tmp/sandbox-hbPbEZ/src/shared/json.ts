/** Parsed JSON, or undefined when the text is none (JSON itself has no undefined): what was cut, or what is no JSON. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Levels of lists and objects in what a model may write: whoever walks its values by recursion stays within the stack. */
const deepest = 200;

/** `parseOrUndefined` of a model's text, where values nested more than 200 levels deep are none. */
export const parseSaid = (text: string): unknown => (isTooDeep(text) ? undefined : parseOrUndefined(text));

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
