/** `genenv check-domain FILE`: a domain file tried on its own seed tasks. */
import { resolve } from 'node:path';
import { checkDomain, textsOf, type DomainReport } from '../../domains/checkDomain.ts';
import { loadDomain, openDomainHost } from '../../launch/domainFile.ts';
import { openScorer } from '../../launch/openScorer.ts';
import { presets } from '../../shared/experiment/presets.ts';
import { parseTaskFile } from '../../shared/records/taskFile.ts';
import { InputError } from '../../launch/inputError.ts';
import { readTaskText } from '../../launch/inputs.ts';
import type { Message } from '../../shared/records/message.ts';
import { writeJson, type Surroundings } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { writeLines } from '../terminal.ts';
import { plural } from '../text/numbers.ts';
import { table } from '../text/table.ts';

export async function checkDomainCommand({ terminal, arguments: given, dist }: Surroundings): Promise<ExitCode> {
  const file = resolve(terminal.cwd, given.target);
  const named = given.text('seeds');
  const seeds = named === null ? null : resolve(terminal.cwd, named);
  const { default: preset } = presets;
  const experiment = { ...preset, domain: { ...preset.domain, name: 'file' as const, file, seeds, heldOut: null } };
  const loaded = await loadDomain(experiment, terminal.cwd, dist);
  const text = seeds === null ? (loaded?.base ?? '') : await readTaskText(seeds, 'domain.seeds');
  const read = parseTaskFile(text, seeds ?? file, 'base');
  if ('problems' in read) throw new InputError(read.problems);
  const texts = given.text('texts');
  const host = await openDomainHost(experiment, file, dist, 1);
  try {
    const report = await checkDomain({
      ...{ file, host, tasks: read.tasks, rules: await openScorer(dist, read.tasks) },
      texts: texts === null ? null : await textsOf(resolve(terminal.cwd, texts)),
    });
    if (given.has('json')) writeJson(terminal, { file: given.target, ...report });
    else writeLines(terminal.out, linesOf(report));
    return report.problems.length === 0 ? exitCode.done : exitCode.failed;
  } finally {
    host.dispose();
  }
}

function linesOf({ functions, seeds, environmentPrompt, agentPrompt, texts, problems }: DomainReport): string[] {
  return [
    `${plural(seeds, 'seed task')}; functions: ${functions.join(', ')}`,
    ...shown('The environment reads:', environmentPrompt),
    ...shown('The agent reads:', agentPrompt),
    ...(texts === null ? [] : textLines(texts)),
    '',
    problems.length === 0 ? 'No problem was found.' : `${plural(problems.length, 'problem')}:`,
    ...problems.map((problem) => `  ${problem}`),
  ];
}

function textLines({ given, tasks, rejected }: NonNullable<DomainReport['texts']>): string[] {
  const causes = Object.entries(rejected).sort(([, a], [, b]) => b - a);
  const rows = table<(typeof causes)[number]>(
    [
      { title: 'Rejected', cell: ([, count]) => String(count), right: true },
      { title: 'Why', cell: ([why]) => why },
    ],
    causes,
  );
  return ['', `${tasks} of ${plural(given, 'text')} became tasks.`, ...rows.map(String)];
}

function shown(title: string, prompt: readonly Message[] | null): string[] {
  if (prompt === null) return [];
  return [
    '',
    title,
    ...prompt.flatMap(({ role, content }) => [`  [${role}]`, ...content.split('\n').map((line) => `  ${line}`)]),
  ];
}
