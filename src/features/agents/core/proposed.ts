/** Which files may be proposed, and whether a proposed text can be one. */
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import { isError, type Problem } from '../../../shared/experiment/problems/problem.ts';
import { parseTaskFile } from '../../../shared/records/taskFile.ts';
import { leftOutSentence } from '../../../shared/leftOutTasks.ts';
import { readStudy } from '../../study/core/readStudy.ts';
import type { ProposalKind } from '../contract.ts';
import { AgentError } from './agentError.ts';
import { named } from './quoting.ts';

const kinds: readonly (readonly [RegExp, ProposalKind])[] = [
  [/\.genenv\.json$/, 'experiment'],
  [/\.study\.json$/, 'study'],
  [/\.reward\.(?:ts|js|py)$/, 'reward'],
  [/\.jsonl$/, 'tasks'],
];

/** A part of a path that hides nothing and leads nowhere else. */
const part = /^[^.\\/:][^\\/:]*$/;

/** Of a path from the workspace folder, with `/`. @throws AgentError `refused` for a file that may not be proposed */
export function kindOf(file: string): ProposalKind {
  const parts = file.split('/');
  const found = kinds.find(([ending]) => ending.test(file));
  if (found === undefined) {
    throw new AgentError(
      'refused',
      `“${named(file)}” cannot be proposed.`,
      'Proposals are of experiments (*.genenv.json), studies (*.study.json), rewards (*.reward.ts, .js, .py) and task files (*.jsonl).',
    );
  }
  if (!parts.every((one) => part.test(one)) || parts.includes('node_modules')) {
    throw new AgentError(
      'outside',
      `“${named(file)}” cannot be proposed: it must be a path from the workspace folder, with “/”, without “..” and hidden folders.`,
      'Name the file as in experiments/mine.genenv.json.',
    );
  }
  return found[1];
}

/** Everything that is wrong with a text as such a file; a reward is looked at when a person tries it. */
export function problemsIn(kind: ProposalKind, text: string, file: string): readonly Problem[] {
  if (kind === 'reward') return [];
  const read =
    kind === 'experiment'
      ? parseExperiment(text, file, [])
      : kind === 'study'
        ? readStudy(text, file)
        : parseTaskFile(text, file, 'base');
  return 'problems' in read ? read.problems.filter(isError) : [];
}

/** A sentence on the tasks of a proposed file that a run would leave out; '' where there are none. */
export function leftOutIn(kind: ProposalKind, text: string, file: string): string {
  const read = kind === 'tasks' ? parseTaskFile(text, file, 'base') : null;
  if (read === null || 'problems' in read || read.leftOut.length === 0) return '';
  return leftOutSentence({ file, tasks: read.tasks.length, leftOut: read.leftOut });
}
