/** `genenv check-domain FILE`: a domain file tried on its own seed tasks. */
import { basename, resolve } from 'node:path';
import { checkDomain, textsOf, type DomainReport } from '../../../domains/checkDomain.ts';
import { openDomainTrial, soloExperiment, type DomainTrial } from '../node/openTrial.ts';
import { runDomainCases } from '../node/trialCases.ts';
import type { WrongCause } from '../../../domains/domainCases.ts';
import type { DoctorLine } from '../../../endpoints/doctorLine.ts';
import { openenvOfExperiment, visitOpenenv } from '../../../launch/domains/doctorOpenenv.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';
import { leftOutLine } from '../../../shared/leftOutTasks.ts';
import type { Message } from '../../../shared/records/message.ts';
import { writeJson, type Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { inputFile } from '../../../cli/outFile.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { warningsTo, writeLines } from '../../../cli/terminal.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { table } from '../../../cli/text/table.ts';

export async function checkDomainCommand(context: Surroundings): Promise<ExitCode> {
  const { terminal, arguments: given, dist } = context;
  const file = resolve(terminal.cwd, given.target);
  const named = given.text('seeds');
  const seeds = named === null ? null : resolve(terminal.cwd, named);
  const warn = warningsTo(terminal);
  const trial = await openDomainTrial(soloExperiment(file, seeds), terminal.cwd, dist, (found) =>
    warn(leftOutLine(found)),
  );
  try {
    const texts = given.text('texts');
    const { domain, functions, exported, base, heldOutLike } = trial;
    const report = await checkDomain({
      ...{ domain, functions, exported, tasks: base, heldOutLike },
      texts: texts === null ? null : textsOf(await strictText(await inputFile(terminal.cwd, texts), texts)),
    });
    const server = await serverLines(context, file);
    const broken = server.filter(({ mark }) => mark === 'no').map(({ title, evidence }) => `${title}: ${evidence}`);
    const problems = [...report.problems.map(({ message }) => message), ...broken];
    const cases = await casesOf(trial);
    const wrong = cases?.wrong.length ?? 0;
    if (given.has('json')) writeJson(terminal, { file: given.target, ...report, server, problems, cases });
    else writeLines(terminal.out, [...linesOf(report, server, problems), ...(cases === null ? [] : caseLines(cases))]);
    return problems.length === 0 && wrong === 0 ? exitCode.done : exitCode.failed;
  } finally {
    trial.close();
  }
}

interface Cases {
  file: string;
  run: number;
  /** Of those that are wrong, how many for which cause. */
  causes: Readonly<Partial<Record<WrongCause, number>>>;
  wrong: readonly { line: number; name: string; cause: WrongCause; message: string }[];
}

/** Null without a file of cases. */
async function casesOf(trial: DomainTrial): Promise<Cases | null> {
  const cases = await runDomainCases(trial, new AbortController().signal);
  if (cases === null) return null;
  const wrong: Cases['wrong'][number][] = [];
  const causes: Partial<Record<WrongCause, number>> = {};
  let run = 0;
  for await (const { line, name, wrong: found } of cases.results) {
    run += 1;
    if (found === null) continue;
    wrong.push({ line, name, ...found });
    causes[found.cause] = (causes[found.cause] ?? 0) + 1;
  }
  return { file: cases.file, run, causes, wrong };
}

function caseLines({ file, run, causes, wrong }: Cases): string[] {
  const totals = Object.entries(causes).map(([cause, count]) => `${cause} ${count}`);
  return [
    '',
    `${run - wrong.length} of ${plural(run, 'case')} are as they expect${totals.length === 0 ? '.' : `; wrong: ${totals.join(', ')}.`}`,
    ...wrong.map(({ line, name, message }) => {
      const who = name === `line ${line}` ? '' : `${name}: `;
      return `  ${basename(file)}:${line}: ${who}${message}`;
    }),
  ];
}

/** The findings on a file's OpenEnv server; empty where it names none. @throws InputError */
async function serverLines(context: Surroundings, file: string): Promise<DoctorLine[]> {
  const { terminal, dist } = context;
  const [visit] = await openenvOfExperiment(soloExperiment(file, null), terminal.cwd, dist);
  if (visit === undefined) return [];
  const interrupts = stopAtInterrupt(terminal);
  const log = { info: () => undefined, warn: warningsTo(terminal) };
  try {
    const keys = await cliKeys(context);
    return await Array.fromAsync(visitOpenenv(visit, { keys, log, signal: interrupts.signal }));
  } finally {
    interrupts.dispose();
  }
}

function linesOf(
  { functions, seeds, environmentPrompt, agentPrompt, texts }: DomainReport,
  server: readonly DoctorLine[],
  problems: readonly string[],
): string[] {
  return [
    `${plural(seeds, 'seed task')}; ${functions.length === 0 ? 'written by the recipe of the adapter' : `functions: ${functions.join(', ')}`}`,
    ...shown('The environment reads:', environmentPrompt),
    ...shown('The agent reads:', agentPrompt),
    ...(texts === null ? [] : textLines(texts)),
    ...(server.length === 0
      ? []
      : ['', 'The server:', ...server.map(({ title, evidence }) => `  ${title}: ${evidence}`)]),
    '',
    problems.length === 0 ? 'No problem was found.' : `${plural(problems.length, 'problem')}:`,
    ...problems.map((problem) => `  ${problem}`),
  ];
}

function textLines({ given, tasks, causes, rejected }: NonNullable<DomainReport['texts']>): string[] {
  const reasons = Object.entries(rejected).sort(([, a], [, b]) => b - a);
  const rows = table<(typeof reasons)[number]>(
    [
      { title: 'Rejected', cell: ([, count]) => String(count), right: true },
      { title: 'Why', cell: ([why]) => why },
    ],
    reasons,
  );
  const totals = Object.entries(causes).map(([cause, count]) => `${cause} ${count}`);
  const others = totals.length === 0 ? '.' : `; rejected: ${totals.join(', ')}.`;
  return ['', `${tasks} of ${plural(given, 'text')} became tasks${others}`, ...rows.map(String)];
}

function shown(title: string, prompt: readonly Message[] | null): string[] {
  if (prompt === null) return [];
  return [
    '',
    title,
    ...prompt.flatMap(({ role, content }) => [`  [${role}]`, ...content.split('\n').map((line) => `  ${line}`)]),
  ];
}
