/** Parsed JSON, or undefined when the text is none (JSON itself has no undefined): what was cut, or what is no JSON. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
