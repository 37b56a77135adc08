/** `start_run`, `pause_run` and `branch_run`: only where a person’s own settings allow agents to act. */
import { isDeepStrictEqual } from 'node:util';
import { dirname, relative } from 'node:path';
import * as z from 'zod';
import { branchRun } from '../../../../launch/branchRun.ts';
import { InputError } from '../../../../launch/inputs/inputError.ts';
import { makeRun } from '../../../../launch/launch.ts';
import { experimentAt } from '../../../../runs/journal/experimentNow.ts';
import { refuseBranchOfImported } from '../../../../runs/store/branchable.ts';
import { branchedExperiment } from '../../../../shared/experiment/branched.ts';
import { parseExperiment } from '../../../../shared/experiment/parse.ts';
import { codeOf } from '../../../../shared/systemError.ts';
import { defaultRetries } from '../../../runner/contract.ts';
import { workOf } from '../../../runner/node/enqueue.ts';
import { lookAtRunner, runnerInbox } from '../../../runner/node/runnerFiles.ts';
import { AgentError } from '../../core/agentError.ts';
import { named, sentence } from '../../core/quoting.ts';
import { tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';
import { checkExperiment, otherFiles } from '../experimentFiles.ts';
import { runField } from './runs.ts';
import { strictText } from '../../../../launch/inputs/strictText.ts';

/** @throws AgentError `not-allowed` */
function requirePermission({ place }: AgentContext): void {
  if (place.mayAct) return;
  throw new AgentError(
    'not-allowed',
    'Agents may not start, pause or branch runs here.',
    'A person can allow it: “genenv.agents.mayStart” in the user settings of VS Code, or “genenv mcp --may-start”.',
  );
}

export const startRun = tool({
  name: 'start_run',
  title: 'Start a Run',
  description:
    'Puts a new run of an experiment file, or a run that waits or was interrupted, into the queue of this folder. Refused ' +
    'unless the person’s settings allow agents to act.',
  does: 'act',
  input: z.strictObject({
    experiment: z
      .string()
      .max(500)
      .optional()
      .describe('Path of an experiment file from the folder: mine.genenv.json.'),
    run: runField.optional().describe('Instead: a run to carry on.'),
  }),
  answer: async (context: AgentContext, { experiment, run }) => {
    requirePermission(context);
    if ((experiment === undefined) === (run === undefined)) {
      throw new AgentError('bad-input', 'Give either “experiment” or “run”.', 'One of the two says what to start.');
    }
    const said: string[] = [];
    const manifest =
      experiment === undefined ? await waiting(context, run ?? '') : await made(context, experiment, said);
    const { store, place } = context;
    const asked = { priority: 0, retries: defaultRetries, after: [], author: place.by };
    const { holder } = await lookAtRunner(store.root, place);
    await runnerInbox(store.root, place).post({
      type: 'add',
      work: [await workOf(store.root, manifest, asked)],
      author: place.by,
    });
    const next =
      holder === null
        ? 'No runner works yet: a person starts one (genenv runner start, or the editor).'
        : 'The runner takes it in its turn.';
    return `${context.link(manifest.id, { run: manifest.id })} is queued. ${[next, ...said.map(sentence)].join(' ')}`;
  },
});

/** @param said gets a sentence for each file with tasks that are left out */
async function made(context: AgentContext, wanted: string, said: string[]) {
  const path = await context.file(wanted);
  const file = relative(context.place.folder, path);
  const text = await strictText(path, file).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new AgentError('not-found', `There is no file “${named(file)}”.`, 'Give its path from the folder.');
  });
  const parsed = parseExperiment(text, file, []);
  if ('problems' in parsed) throw new InputError(parsed.problems);
  const { experiment } = parsed;
  const directory = dirname(path);
  await checkExperiment(context, experiment, directory);
  const log = { warn: (line: string) => said.push(line) };
  const writer = await makeRun(context.store, { experiment, directory, file: path }, context.place.dist, log);
  await writer.session({ type: 'paused', reason: 'Waits in the queue.' });
  await writer.close();
  return writer.manifest;
}

const waiting = (context: AgentContext, id: string) =>
  context.withRun(id, async (run) => {
    const { state } = await run.head();
    if (run.manifest.imported === null && state !== 'finished' && state !== 'running') return run.manifest;
    const why = run.manifest.imported === null ? state : 'imported and only read';
    throw new AgentError(
      'refused',
      `${run.id} is ${why}, so it cannot be queued.`,
      'Branch it with branch_run, or start its experiment.',
    );
  });

export const pauseRun = tool({
  name: 'pause_run',
  title: 'Pause a Run',
  description:
    'Asks a running run to pause at its next phase boundary. Refused unless the person’s settings allow agents to act.',
  does: 'act',
  input: z.strictObject({ run: runField }),
  answer: (context: AgentContext, { run: id }) => {
    requirePermission(context);
    return context.withRun(id, async (run) => {
      const { state } = await run.head();
      if (state !== 'running') throw new AgentError('refused', `${run.id} is not running: it is ${state}.`, '');
      await run.inbox.post({ type: 'pause', author: context.place.by });
      return `Asked: ${context.link(run.id, { run: run.id })} pauses at its next phase boundary.`;
    });
  },
});

export const branchRunTool = tool({
  name: 'branch_run',
  title: 'Branch a Run',
  description:
    'Makes a new run that shares the first epochs of another, with changed settings; it waits until start_run. Refused ' +
    'unless the person’s settings allow agents to act.',
  does: 'act',
  input: z.strictObject({
    run: runField,
    epoch: z.int().nonnegative().describe('Last epoch to share; 0 shares only the start.'),
    set: z.array(z.string().max(500)).max(50).default([]).describe('Changes as FIELD=VALUE: curriculum.kMin=0.15.'),
  }),
  answer: async (context: AgentContext, { run: asked, epoch, set }) => {
    requirePermission(context);
    const { parent, before } = await context.withRun(asked, async (run) => {
      refuseBranchOfImported(run.manifest);
      return { parent: run.id, before: await experimentAt(run.manifest, run.events(), epoch) };
    });
    const parsed = branchedExperiment(before, set, epoch);
    if ('problems' in parsed) throw new InputError(parsed.problems);
    const [file] = otherFiles(before, parsed.experiment);
    if (file !== undefined) {
      throw new AgentError(
        'refused',
        `The branch would read another file: ${file} would be changed.`,
        'A person branches with other files.',
      );
    }
    if (!isDeepStrictEqual(before.endpoints, parsed.experiment.endpoints)) {
      throw new AgentError(
        'refused',
        'The branch would ask other servers, or give them other work: endpoints would be changed.',
        'A person branches with other endpoints.',
      );
    }
    const { store, place } = context;
    const how = {
      experiment: parsed.experiment,
      named: [],
      author: place.by,
      clock: place.clock,
      dist: place.dist,
    };
    const writer = await branchRun(store, { run: parent, epoch, ...how });
    await writer.close();
    return `Made ${context.link(writer.id, { run: writer.id })} from ${named(parent)}, epoch ${epoch}. It waits: start_run queues it.`;
  },
});
