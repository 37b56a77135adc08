/** `genenv check-curriculum FILE`: a curriculum file's rewards by successes, twice, and its worked cases. */
import { basename, resolve } from 'node:path';
import { curriculumCases, openCurriculum } from '../../../launch/scoring/curriculum.ts';
import type { CurriculumCaseResult } from '../../../rewards/curricula/testCases.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import { writeJson, type Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { table } from '../../../cli/text/table.ts';
import { probe, probedAttempts, type Probed } from '../node/probe.ts';

export async function checkCurriculum({
  terminal,
  arguments: given,
  dist,
}: Pick<Surroundings, 'terminal' | 'arguments' | 'dist'>): Promise<ExitCode> {
  const file = resolve(terminal.cwd, given.target);
  const host = await openCurriculum(presets.default, file, dist);
  try {
    const probed = await probe(host);
    const cases = await curriculumCases(host, file);
    const results = cases === null ? null : await Array.fromAsync(cases.results);
    const wrong = results?.filter((one) => one.wrong !== null) ?? [];
    if (given.has('json')) {
      const told = results?.map(({ line, name, wrong: why, given: gave }) => ({ line, name, wrong: why, given: gave }));
      writeJson(terminal, { file: given.target, attempts: probedAttempts, ...probed, cases: told ?? null });
    } else {
      writeLines(terminal.out, [
        ...rewardLines(probed),
        ...(cases === null ? [] : caseLines(cases.file, results ?? [])),
      ]);
    }
    return probed.problems.length === 0 && wrong.length === 0 ? exitCode.done : exitCode.failed;
  } finally {
    host.dispose();
  }
}

function rewardLines({ rewards, problems, output }: Probed): string[] {
  const found = rewards.map((reward, k) => [k, reward === null ? 'unknown' : JSON.stringify(reward)] as const);
  const rows = table<(typeof found)[number]>(
    [
      { title: 'Successes', cell: ([k]) => (k > probedAttempts ? 'not judged' : `${k} of ${probedAttempts}`) },
      { title: 'R_env', cell: ([, reward]) => reward },
    ],
    found,
  );
  return [
    ...(rewards.length === 0 ? [] : ['Families of one task, all in one epoch:', ...rows.map(String), '']),
    ...(output === ''
      ? []
      : [
          'It printed:',
          ...output
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
          '',
        ]),
    problems.length === 0 ? 'No problem was found.' : `${plural(problems.length, 'problem')}:`,
    ...problems.map((problem) => `  ${problem}`),
  ];
}

function caseLines(file: string, results: readonly CurriculumCaseResult[]): string[] {
  const wrong = results.filter((one) => one.wrong !== null);
  return [
    '',
    `${results.length - wrong.length} of ${plural(results.length, 'case')} are as they expect.`,
    ...wrong.map(({ line, name, wrong: why }) => `  ${basename(file)}:${line}: ${name}: ${why}`),
  ];
}
