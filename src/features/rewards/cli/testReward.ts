import { resolve } from 'node:path';
import { openReward } from '../../../launch/scoring/reward.ts';
import { runCases } from '../../../launch/scoring/rewardCases.ts';
import type { CaseResult } from '../../../rewards/testCases.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import { writeJson, type Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { table } from '../../../cli/text/table.ts';
import { UsageError } from '../../../cli/usageError.ts';

interface Tested {
  /** As it was given. */
  file: string;
  cases: CaseResult[];
}

/** `genenv test-reward FILE…`: the worked cases beside each reward file, judged by it. */
export async function testReward({
  terminal,
  arguments: given,
  dist,
}: Pick<Surroundings, 'terminal' | 'arguments' | 'dist'>): Promise<ExitCode> {
  const all: Tested[] = [];
  for (const file of [given.target, ...given.rest]) {
    all.push({ file, cases: await test(resolve(terminal.cwd, file), file, dist) });
  }
  const wrong = all.flatMap(({ cases }) => cases).filter((one) => one.wrong !== null).length;
  if (given.has('json')) writeJson(terminal, { files: all, wrong });
  else {
    for (const { file, cases } of all) {
      const rows = table<CaseResult>(
        [
          { title: 'Line', cell: ({ line }) => String(line), right: true },
          { title: 'Case', cell: ({ name }) => name },
          { title: 'Verdict', cell: (one) => (one.wrong === null ? 'right' : `wrong: ${one.wrong}`) },
        ],
        cases,
      );
      writeLines(terminal.out, [file, ...rows, '']);
    }
    const count = all.reduce((sum, { cases }) => sum + cases.length, 0);
    terminal.out.write(`${plural(count, 'case')}, ${wrong} wrong.\n`);
  }
  return wrong === 0 ? exitCode.done : exitCode.failed;
}

/** @throws UsageError where it has no cases, InputError where it does not load */
async function test(path: string, file: string, dist: URL): Promise<CaseResult[]> {
  const host = await openReward(presets.default, path, dist, 1);
  try {
    const run = await runCases(host, path, new AbortController().signal);
    if (run === null) throw new UsageError(`${file} has no cases.`, 'Pin some, or write them: see docs/rewards.md.');
    return await Array.fromAsync(run.results);
  } finally {
    host.dispose();
  }
}
