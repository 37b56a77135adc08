import { dirname, resolve } from 'node:path';
import { preflight, type Cleared } from '../node/preflight.ts';
import { largest } from '../../../shared/extremes.ts';
import { checkIds, checkTitles, type Check } from '../contract.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { fewProblemLines } from '../../../cli/failure.ts';
import { readExperiment, typedIn } from '../../../cli/readExperiment.ts';
import { writeLines, type Terminal } from '../../../cli/terminal.ts';
import { padEnd, wrap } from '../../../cli/text/displayWidth.ts';
import { style } from '../../../cli/text/style.ts';
import { styled, type Printable, type Styled } from '../../../cli/text/styled.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

/** Checks of the user's files; the others are of the machine and of endpoints. */
const written: readonly Check['id'][] = ['experiment', 'inputs', 'weights'];
const titleWidth = largest(checkIds.map((id) => checkTitles[id].length));

/** `genenv check FILE`: everything that is checked before a run, one task end to end included; makes no run. */
export async function check(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given, store, dist } = context;
  const { target } = given;
  const path = resolve(terminal.cwd, target);
  const overrides = given.all('set');
  // An unreadable file is reported as by every other command.
  if (!(await isReadable(path))) await readExperiment(terminal.cwd, target, overrides);
  const checks = new Map<Check['id'], Check>();
  let cleared: Cleared = { experiment: null, work: null };
  const updates = preflight({
    file: target,
    text: await strictText(path, target),
    overrides,
    asSeen: typedIn(terminal.cwd, dirname(path)),
    directory: dirname(path),
    root: store.root,
    dist,
    clock: terminal,
    keys: await cliKeys(context),
    log: { info: () => undefined, warn: (message) => terminal.err.write(`${message}\n`) },
    signal: new AbortController().signal,
  });
  for await (const update of updates) {
    if ('work' in update) {
      cleared = update;
      continue;
    }
    if (update.state === 'running') continue;
    checks.set(update.id, update);
    if (!given.has('json')) writeLines(terminal.out, linesOf(update, terminal));
  }
  const all = [...checks.values()];
  const failed = all.filter(({ state }) => state === 'failed');
  if (given.has('json')) writeJson(terminal, { file: target, passed: failed.length === 0, checks: all, ...cleared });
  if (failed.length === 0) return exitCode.done;
  return failed.some(({ id }) => written.includes(id)) ? exitCode.badInput : exitCode.failed;
}

async function isReadable(path: string): Promise<boolean> {
  return strictText(path).then(
    () => true,
    () => false,
  );
}

function linesOf({ id, state, message, findings, prompts = [] }: Check, { out }: Terminal): Printable[] {
  const head = styled`${mark(state)} ${padEnd(checkTitles[id], titleWidth)}  `;
  const indent = ' '.repeat(titleWidth + 4);
  const [first = '', ...rest] = wrap(message, Math.max(40, out.columns - indent.length));
  return [
    styled`${head}${first}`,
    ...rest.map((line) => indent + line),
    ...fewProblemLines(findings).map((line) => styled`  ${line}`),
    ...prompts.flatMap(({ reader, text }) => [
      `${indent}The ${reader} reads:`,
      ...text.split('\n').map((line) => `${indent}  ${line}`),
    ]),
  ];
}

function mark(state: Check['state']): Styled {
  if (state === 'passed') return style.good('✔');
  if (state === 'failed') return style.bad('✘');
  return state === 'warned' ? style.warn('!') : style.dim('–');
}
