/**
 * A file of tasks for mode `offline`: a run's accepted tasks, or new ones of a policy, checked against held-out and
 * existing tasks, filtered by an agent's success rate, each with its provenance.
 */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { exportFile } from '../../../runs/export/exportFile.ts';
import { manifestFileOf } from '../../../runs/export/exportPool.ts';
import { writeBytes } from '../../../runs/export/writeBytes.ts';
import { writeJsonLines } from '../../../runs/export/writeJsonLines.ts';
import { readError } from '../../../runs/files/fileErrors.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { fileTask } from '../../tasks/node/fileLine.ts';
import type { Domain } from '../../../engine/ports.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Unanswered } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import { defined } from '../../../shared/defined.ts';
import { heldOutLike } from '../../../launch/inputs/heldOutLike.ts';
import { leftOutLine } from '../../../shared/leftOutTasks.ts';
import { parsed } from '../../../launch/inputs/taskText.ts';
import { domainOf } from '../../../launch/domains/openDomain.ts';
import { authorOf, leftOutReasons, type Candidate, type Leave, type LeftOutReason } from './candidate.ts';
import { tasksOfPolicy, type PolicyAsk, type PolicyTools } from './fromPolicy.ts';
import { tasksOfRun } from './fromRun.ts';
import { MakeTasksError } from './makeTasksError.ts';
import { inEnglish } from '../../../launch/language.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { strictText } from '../../../launch/inputs/strictText.ts';

export interface MakeTasksAsk {
  source:
    | { kind: 'run'; run: RunReader; epochs: readonly [number, number] | null }
    | ({ kind: 'policy' } & Omit<PolicyAsk, 'folder'>);
  /** The file to write, absolute. */
  file: string;
  /** Lowest and highest p̂ of a task; null for all. */
  solved: readonly [number, number] | null;
  /** A further file of tasks that none may be; absolute path. */
  heldOut: string | null;
  /** Whether the seed tasks go into the file, too. */
  withSeeds: boolean;
}

interface LeftOutLine {
  reason: LeftOutReason;
  why: string;
  count: number;
  /** Ids of the first few. */
  examples: string[];
}

/** The written tasks, and omissions with their reasons; stored beside the file. */
export interface MadeTasks {
  v: 1;
  file: string;
  /** Tasks of a policy's, and seed tasks beside them. */
  tasks: number;
  seeds: number;
  source: { run: string | null; experiment: string; endpoint: string; model: string };
  filter: string;
  leftOut: LeftOutLine[];
  /** Total tokens of a policy, earlier sessions included; null for a run. */
  tokens: number | null;
  unanswered: Unanswered | null;
}

const examplesKept = 3;

/**
 * The file is there when everything was read, or not at all.
 * @throws MakeTasksError, InputError, RunError, the endpoints' own errors, and the signal's reason: answers are kept
 */
export function makeTasks(ask: MakeTasksAsk, tools: PolicyTools): Promise<MadeTasks> {
  return inEnglish(() => make(ask, tools));
}

async function make(ask: MakeTasksAsk, tools: PolicyTools): Promise<MadeTasks> {
  const { source, file, solved, withSeeds } = ask;
  const left = new Map<LeftOutReason, LeftOutLine>();
  const leave: Leave = (reason, example) => {
    const line = left.get(reason) ?? { reason, why: leftOutReasons[reason](), count: 0, examples: [] };
    line.count += 1;
    if (line.examples.length < examplesKept) line.examples.push(example);
    left.set(reason, line);
  };
  const made = await candidatesOf(ask, leave, tools);
  const filter = filterText(ask);
  const held = ask.heldOut === null ? [] : await heldOutTasks(ask.heldOut, tools.log);
  const like = await heldOutLike(made.experiment, [...made.domain.seeds('validation'), ...held], true);
  const base = made.domain.seeds('base');
  const known = new Set(base.map((task) => made.domain.fingerprint(task)));
  let written = 0;
  async function* lines(): AsyncGenerator<object> {
    if (withSeeds) for (const task of base) yield fileTask({ task, excluded: null, tags: [] });
    for await (const { task, measured, provenance } of made.candidates) {
      const outside = whyOutside(measured, solved);
      const fingerprint = made.domain.fingerprint(task);
      if (like(task) !== null) leave('held-out', task.id);
      else if (known.has(fingerprint)) leave('duplicate', task.id);
      else if (outside !== null) leave(outside, task.id);
      else {
        known.add(fingerprint);
        written += 1;
        const from = { ...provenance, filter, ...defined({ measured: measured ?? undefined }) };
        yield fileTask({ task: { ...task, provenance: from }, excluded: null, tags: [] });
      }
    }
  }
  await exportFile(file, async (out) => {
    await writeJsonLines(lines(), out);
    if (written === 0) throw nothing(linesOf(left));
  });
  const manifest: MadeTasks = {
    ...{ v: 1, file: basename(file), tasks: written, seeds: withSeeds ? base.length : 0 },
    source: {
      run: source.kind === 'run' ? source.run.id : null,
      experiment: made.experiment.name,
      ...authorOf(made.experiment),
    },
    filter,
    leftOut: linesOf(left),
    tokens: made.tokens,
    unanswered: made.unanswered,
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await exportFile(manifestFileOf(file), (out) => writeBytes([Buffer.from(text)], out));
  return manifest;
}

/** Most first. */
const linesOf = (left: ReadonlyMap<LeftOutReason, LeftOutLine>): LeftOutLine[] =>
  [...left.values()].sort((a, b) => b.count - a.count);

interface Made {
  experiment: Experiment;
  domain: Domain;
  candidates: AsyncIterable<Candidate> | Iterable<Candidate>;
  tokens: number | null;
  unanswered: Unanswered | null;
}

async function candidatesOf({ source, file, solved }: MakeTasksAsk, leave: Leave, tools: PolicyTools): Promise<Made> {
  if (source.kind === 'policy') {
    if (solved !== null && source.attempts === 0) {
      const remedy = l10n.t('Say how many attempts the experiment’s agent makes at each task.');
      throw new MakeTasksError('filter', l10n.t('Nothing measures how often these tasks are solved.'), remedy);
    }
    const written = await tasksOfPolicy({ ...source, folder: `${file}.parts` }, leave, tools);
    return { ...written, experiment: source.experiment };
  }
  const { run, epochs } = source;
  const { domain } = await domainOf(run);
  const candidates = tasksOfRun(run, domain, { epochs, leave, signal: tools.signal, dist: tools.dist });
  return { experiment: run.manifest.experiment, domain, candidates, tokens: null, unanswered: null };
}

function whyOutside(measured: Candidate['measured'], solved: MakeTasksAsk['solved']): LeftOutReason | null {
  if (solved === null) return null;
  if (measured === null) return 'unmeasured';
  const p = measured.successes / measured.attempts;
  // Shares of a few attempts are compared as the difficulty filter compares.
  if (p < solved[0] - 1e-9) return 'too-hard';
  return p > solved[1] + 1e-9 ? 'too-easy' : null;
}

function filterText({ source, solved }: MakeTasksAsk): string {
  if (solved === null) return '';
  const by = source.kind === 'run' ? l10n.t('attempts of the run') : l10n.t('{0} attempts', source.attempts);
  return l10n.t('p̂ from {0} to {1} over {2}', solved[0], solved[1], by);
}

/** @throws InputError, RunError */
async function heldOutTasks(path: string, log: PolicyTools['log']): Promise<Task[]> {
  let text: string;
  try {
    text = await strictText(path);
  } catch (error) {
    throw error instanceof InputError ? error : readError(error, path);
  }
  const { tasks, leftOut } = parsed(text, path, 'validation');
  if (leftOut.length > 0) log.warn(leftOutLine({ file: path, tasks: tasks.length, leftOut }));
  return tasks;
}

function nothing(left: readonly LeftOutLine[]): MakeTasksError {
  const told = left.map(({ count, why, examples }) =>
    l10n.t('{0} left out: {1} ({2})', count, why, examples.join('; ')),
  );
  const why = told.length === 0 ? l10n.t('there is none') : told.join('; ');
  return new MakeTasksError('nothing', l10n.t('No task is left to write: {0}.', why), l10n.t('Nothing was written.'));
}
