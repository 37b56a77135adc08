/** Pages that both packages hold: those that help and messages name and `search_docs` searches, and most that these lead to. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const pages = [
  ...['adapters', 'agents', 'cli', 'curricula', 'data', 'domains', 'endpoints', 'method', 'money', 'rewards', 'runner'],
  ...['scorers', 'serve', 'settings', 'studies'],
  ...['data', 'evaluation', 'recipes', 'scoring'].map((name) => `benchmarks/${name}`),
];

/** Results of studies: in the command line's package, for which alone there is room. */
export const studyPages = ['docs/study.md', 'docs/study-first.md'];

/** Paths from the root, the examples' among them. */
export async function docPages(root: string): Promise<string[]> {
  const examples = (await readdir(join(root, 'docs/examples'))).filter((name) => name.endsWith('.py'));
  return [...pages.map((name) => `docs/${name}.md`), ...examples.map((name) => `docs/examples/${name}`)];
}
