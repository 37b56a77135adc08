/** `genenv study FILE`, `genenv study show FILE` and `genenv study report FILE`. */
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { failureOf, problemLines, writeFailure } from '../../../cli/failure.ts';
import { watchInterrupts } from '../../../cli/interrupts.ts';
import { outFile } from '../../../cli/outFile.ts';
import { warningsTo, writeLines } from '../../../cli/terminal.ts';
import { UsageError } from '../../../cli/usageError.ts';
import { studyMarkdown } from '../core/markdown.ts';
import { studyWorkload } from '../core/workload.ts';
import { countArms } from '../node/countArms.ts';
import { loadResults, measuredSoFar } from '../node/loadResults.ts';
import { openStudy, type OpenStudy } from '../node/openStudy.ts';
import { targetOfEnvironment } from '../../../launch/traced/target.ts';
import { runStudy } from '../node/runStudy.ts';
import { filesOfStudy, writeStudyReport } from '../node/writeStudyReport.ts';
import { resultLines, workloadLines } from './resultLines.ts';
import { count, fixed } from '../../../shared/text/figures/numbers.ts';

export async function studyCommand(context: Context): Promise<ExitCode> {
  const { arguments: given, terminal, dist } = context;
  const [after, ...more] = given.rest;
  if (after === undefined && ['', 'show', 'report'].includes(given.target)) {
    const words = `study ${given.target}`.trimEnd();
    throw new UsageError(
      `"genenv ${words}" needs FILE.`,
      `Write genenv ${words} FILE; studies are files named *.study.json.`,
    );
  }
  const showing = given.target === 'show' && after !== undefined;
  const reporting = given.target === 'report' && after !== undefined;
  if ((!showing && !reporting && after !== undefined) || more.length > 0) {
    throw new UsageError(
      'One study is run or shown at a time.',
      'Write genenv study FILE, genenv study show FILE or genenv study report FILE.',
    );
  }
  const study = await openStudy(terminal.cwd, showing || reporting ? after : given.target);
  if (given.has('markdown') && (!showing || given.has('json'))) {
    throw new UsageError('--markdown is a way to show a study.', 'Write genenv study show FILE --markdown.');
  }
  const out = given.text('out');
  if (out !== null && !reporting) {
    throw new UsageError('--out is where the report of a study goes.', 'Write genenv study report FILE --out X.html.');
  }
  if (reporting) return report(context, study, out);
  if (showing) return show(context, study);
  writeLines(terminal.err, problemLines(study.plan.warnings));
  const price = priceOf(given.text('price'));
  const workload = studyWorkload(study.plan, await countArms(study, dist), measuredSoFar(study), price);
  if (given.has('plan')) {
    if (given.has('json')) {
      const members = study.plan.members.map(({ name, arm, seed }) => ({ name, arm, seed }));
      writeJson(terminal, { workload, members });
    } else writeLines(terminal.out, workloadLines(study, workload));
    return exitCode.done;
  }
  if (!given.has('json')) writeLines(terminal.out, workloadLines(study, workload));
  return execute(context, study);
}

async function execute(context: Context, study: OpenStudy): Promise<ExitCode> {
  const { terminal, store, dist, arguments: given, call } = context;
  const json = given.has('json');
  const say = (line: string): void => {
    if (!json) terminal.out.write(`${line}\n`);
  };
  const interrupts = watchInterrupts(
    () => terminal.now(),
    () => say('Pausing: finished rollouts are kept.'),
    () => process.exit(exitCode.paused),
  );
  try {
    const landing = await runStudy({
      ...{ study, store, dist, clock: terminal, signal: interrupts.signal },
      log: { info: () => undefined, warn: warningsTo(terminal) },
      keys: await cliKeys(context),
      traces: targetOfEnvironment(terminal.env),
      parallel: Math.max(1, given.count('parallel') ?? 1),
      onFinished: ({ name }, run, summary, done) => {
        const ends = [summary.validation[0] ?? null, summary.validation.at(-1) ?? null];
        const [from, to] = ends.map((rate) => (rate === null ? '–' : fixed(100 * rate, 1)));
        say(
          `${done}/${study.plan.members.length} ${name}: validation ${from ?? '–'} → ${to ?? '–'} %, ` +
            `${count(summary.rollouts)} rollouts, ${count(summary.seconds)} s (${run})`,
        );
      },
      onDropped: (arms) => {
        for (const { arm, why } of arms) say(`${arm}: ${why}`);
      },
      onWaiting: ({ name }, { why, milliseconds }) => {
        terminal.err.write(`${name}: waits, tried again in ${Math.ceil(milliseconds / 1000)} s: ${why}\n`);
      },
      onFailed: ({ name }, error) => {
        const { message, problems = [] } = failureOf(error);
        terminal.err.write(`${name}: ${message}\n`);
        writeLines(terminal.err, problemLines(problems));
      },
    });
    if (landing.state === 'paused') {
      say(`Paused. Carry on with: ${call('study', given.target)}`);
      if (json) writeJson(terminal, { state: landing.state });
      return exitCode.paused;
    }
    const [failure] = landing.failures;
    await show(context, study);
    if (failure === undefined) return exitCode.done;
    const { length } = landing.failures;
    writeFailure(
      terminal.err,
      {
        code: exitCode.failed,
        reason: 'members',
        message: `${length} ${length === 1 ? 'run' : 'runs'} did not get to the end. After fixing the cause, carry on with: ${call('study', given.target)}`,
      },
      json,
    );
    return exitCode.failed;
  } finally {
    interrupts.dispose();
  }
}

async function show({ terminal, store, arguments: given }: Context, study: OpenStudy): Promise<ExitCode> {
  const results = await loadResults(study, store);
  if (given.has('json')) writeJson(terminal, results);
  else if (given.has('markdown')) writeLines(terminal.out, studyMarkdown(results));
  else writeLines(terminal.out, resultLines(results, terminal.out.columns));
  return exitCode.done;
}

async function report(context: Context, study: OpenStudy, out: string | null): Promise<ExitCode> {
  const { terminal, store, dist, arguments: given } = context;
  const path = await writeStudyReport(study, store, {
    ...{ dist, madeAt: terminal.now() },
    ...(out !== null && { out: outFile(terminal.cwd, out, filesOfStudy(study)) }),
  });
  if (given.has('json')) writeJson(terminal, { study: study.study.name, report: path });
  else terminal.out.write(`${path}\n`);
  return exitCode.done;
}

function priceOf(text: string | null): number | null {
  if (text === null) return null;
  const price = Number(text);
  if (text.trim() === '' || !Number.isFinite(price) || price < 0) {
    throw new UsageError(`--price wants the price of a million tokens, not "${text}".`, 'Write a number, as in 0.4.');
  }
  return price;
}
