/** `genenv import PATH --rollouts`: other programs' rollouts as a run that can be looked at like one of ours. */
import { basename } from 'node:path';
import { importRollouts } from '../../../runs/import/rollouts/importRollouts.ts';
import { rolloutFormats, type RolloutFormat } from '../../../runs/import/rollouts/rollout.ts';
import { surveyRollouts, type Survey } from '../../../runs/import/rollouts/survey.ts';
import { surveyLines } from '../../../runs/import/rollouts/surveyWords.ts';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import { writeJson, type Context } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { inputFile } from '../../../cli/outFile.ts';
import { writeLines } from '../../../cli/terminal.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** With `--preview` nothing is made. */
export async function importRolloutsCommand(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given, store, call } = context;
  for (const option of ['out', 'prompt', 'gold', 'evaluation']) {
    if (given.has(option))
      throw new UsageError(`--${option} is for tasks, and --rollouts makes a run.`, 'Leave it out.');
  }
  const path = await inputFile(terminal.cwd, given.target, 'or folder');
  const choices = { format: formatIn(given.text('format')), solved: solvedIn(given.text('solved')) };
  const survey = await surveyRollouts(path, choices, context.dist);
  const name = given.text('name') ?? basename(path);
  const id = given.has('preview')
    ? null
    : await importRollouts({ ...{ store, survey, choices, name }, clock: terminal, dist: context.dist });
  if (given.has('json')) {
    writeJson(terminal, { id, ...toldOf(survey) });
    return exitCode.done;
  }
  const [head = '', ...rest] = surveyLines(survey);
  terminal.out.write(`${head}\n`);
  writeLines(id === null ? terminal.out : terminal.err, rest);
  if (id !== null) terminal.out.write(`Imported as ${id}. See it with: ${call('show', id)}\n`);
  return exitCode.done;
}

const toldOf = ({ format, rollouts, tasks, steps, solved, unjudged, cut, leftOut }: Survey) => ({
  ...{ format, rollouts, tasks, steps, solved, unjudged, cut, leftOut },
});

function formatIn(text: string | null): RolloutFormat | null {
  if (text === null) return null;
  const known = rolloutFormats.find((format) => format === text);
  if (known !== undefined) return known;
  const near = nearest(text, rolloutFormats);
  const all = `The formats are ${rolloutFormats.join(', ')}.`;
  throw new UsageError(`There is no format "${text}".`, near === null ? all : `Did you mean "${near}"?`);
}

function solvedIn(text: string | null): number {
  const value = text === null ? 1 : Number(text);
  if (text?.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--solved wants a number, not "${text}".`, 'It is the reward from which an attempt is solved.');
}
