/** `genenv check-domain FILE`: a domain file tried on its own seed tasks. */
import { resolve } from 'node:path';
import { checkDomain, textsOf, type DomainReport } from '../../domains/checkDomain.ts';
import { openDomainTrial, soloExperiment } from '../../launch/domainTrial/openTrial.ts';
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
  const trial = await openDomainTrial(soloExperiment(file, seeds), terminal.cwd, dist);
  try {
    const texts = given.text('texts');
    const { domain, functions, exported, base } = trial;
    const report = await checkDomain({
      ...{ domain, functions, exported, tasks: base },
      texts: texts === null ? null : await textsOf(resolve(terminal.cwd, texts)),
    });
    const problems = report.problems.map(({ message }) => message);
    if (given.has('json')) writeJson(terminal, { file: given.target, ...report, problems });
    else writeLines(terminal.out, linesOf(report));
    return problems.length === 0 ? exitCode.done : exitCode.failed;
  } finally {
    trial.close();
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
    ...problems.map(({ message }) => `  ${message}`),
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
