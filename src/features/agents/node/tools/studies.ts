/** `list_studies` and `read_study`. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../../../shared/systemError.ts';
import { studyMarkdown } from '../../../study/core/markdown.ts';
import { loadResults } from '../../../study/node/loadResults.ts';
import { openStudy } from '../../../study/node/openStudy.ts';
import { AgentError } from '../../core/agentError.ts';
import { dataNotice, named } from '../../core/quoting.ts';
import { page, paged, tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';

/** Folders are looked into so deep, and so many entries at most: a home folder is no workspace. */
const [deepest, mostEntries] = [8, 20_000];
const passedOver = new Set(['node_modules', 'dist', 'out', 'venv', '__pycache__']);

export const listStudies = tool({
  name: 'list_studies',
  title: 'List Studies',
  description:
    'Lists the study files (*.study.json) of this folder: several arms of one experiment, each with several seeds.',
  does: 'read',
  input: z.strictObject(page),
  answer: async (context: AgentContext, asked) => {
    const files = await studiesIn(context.place.folder);
    if (files.length === 0)
      return 'There is no *.study.json in this folder. docs: search_docs “how is a study written”.';
    const { rows, rest } = paged(files, asked);
    return [...rows.map((file) => `- ${context.fileLink(file, 1)}`), '', ...rest, dataNotice].join('\n');
  },
});

export const readStudyTool = tool({
  name: 'read_study',
  title: 'Read a Study',
  description:
    'A study’s results: each arm’s measures over seeds with 95 % intervals, paired comparisons with p, Holm’s correction and ' +
    'effect sizes, and what they mean in sentences.',
  does: 'read',
  input: z.strictObject({
    study: z.string().min(1).max(500).describe('Path of the study file from the folder, as list_studies names it.'),
  }),
  answer: async (context: AgentContext, asked) => {
    if (!asked.study.endsWith('.study.json')) {
      throw new AgentError(
        'bad-input',
        `“${named(asked.study)}” is no study.`,
        'Studies are files named *.study.json; list_studies names them.',
      );
    }
    const path = await context.file(asked.study);
    const study = await openStudy(context.place.folder, path, (file) => context.reach.check(file));
    for (const { run } of study.folder.members.values()) await context.reach.checkRun(join(context.place.root, run));
    const results = await loadResults(study, context.store);
    return [`Study ${context.fileLink(path, 1)}`, '', ...studyMarkdown(results), '', dataNotice].join('\n');
  },
});

/** Absolute paths, in order. Links are not followed. */
async function studiesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  let seen = 0;
  const look = async (dir: string, depth: number): Promise<void> => {
    if (depth > deepest || seen > mostEntries) return;
    const entries = await entriesOf(dir);
    seen += entries.length;
    for (const entry of entries) {
      if (entry.isFile() && entry.name.endsWith('.study.json')) found.push(join(dir, entry.name));
      else if (entry.isDirectory() && !entry.name.startsWith('.') && !passedOver.has(entry.name)) {
        await look(join(dir, entry.name), depth + 1);
      }
    }
  };
  await look(folder, 0);
  return found.sort((a, b) => (relative(folder, a) < relative(folder, b) ? -1 : 1));
}

async function entriesOf(dir: string) {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === '') throw error;
    // A folder that may not be read has nothing for us.
    return [];
  }
}
