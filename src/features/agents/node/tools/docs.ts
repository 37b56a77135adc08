/** `search_docs`: questions of method and use, answered from our own pages; no network. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { passagesOf, searchPassages } from '../../core/docsSearch.ts';
import { pieceOf } from '../../core/quoting.ts';
import { tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';

const longest = 1500;

/** Pages of a folder and of those in it, with slashes on any system. */
async function pagesIn(folder: URL): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort();
}

export const searchDocs = tool({
  name: 'search_docs',
  title: 'Search the Documentation',
  description:
    'Answers questions of method and use from GenEnv’s own pages: what p̂, α, β, λ and k_min mean, how intervals are made, ' +
    'how experiments, domains, rewards, studies and endpoints are set up. Gives the passages that fit best with their places.',
  does: 'read',
  input: z.strictObject({
    question: z.string().min(2).max(500),
    limit: z.int().min(1).max(10).default(4).describe('Passages to show, 1 to 10.'),
  }),
  answer: async ({ place }: AgentContext, { question, limit }) => {
    const docs = new URL('../docs/', place.dist);
    const names = await pagesIn(docs);
    const pages = await Promise.all(
      names.map(async (name) => passagesOf(name, await readFile(new URL(name, docs), 'utf8'))),
    );
    const found = searchPassages(pages.flat(), question, limit);
    if (found.length === 0) return `No page has these words. The pages are ${names.join(', ')}.`;
    return found
      .map(({ file, line, headings, text }) => {
        const piece = pieceOf(text, 0, longest);
        const address = new URL(file, docs);
        const whole = `${fileURLToPath(address)}:${line}`;
        return `[docs/${file}:${line}](${address.href}#L${line}) ${headings.join(' › ')}\n\n${piece.text}${piece.left === 0 ? '' : ` … (more in ${whole})`}`;
      })
      .join('\n\n---\n\n');
  },
});
