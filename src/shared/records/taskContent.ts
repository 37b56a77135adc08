/** The content that tells two tasks apart, beside their ids. */
interface Content {
  prompt: unknown;
  tools?: unknown;
  evaluation: unknown;
  gold: unknown;
}

/** Equal for tasks that ask the same, with the same tools, and are judged alike. */
export const taskContent = ({ prompt, tools = [], evaluation, gold }: Content): string =>
  JSON.stringify([prompt, tools, evaluation, gold]);
