/** The tokens of an evaluation's answer, with figures by the version that was evaluated, and by others of its run. */
import { basename, dirname } from 'node:path';
import { shippedAgent, untrainedAgent, type AgentTools, type OpenAgent } from '../../../launch/policies/newestAgent.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { RunStore } from '../../../runs/store/runStore.ts';
import type { Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import type { EvaluationRequest } from '../../../shared/records/evaluation.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { readTokens } from '../../evaluation/node/answerTokens.ts';
import { readRequest } from '../../evaluation/node/asked.ts';
import { readEvaluation } from '../../evaluation/node/evaluationFolder.ts';
import { livingAt } from '../../evaluation/node/openRequest.ts';
import type { ShownTokens } from '../contract.ts';
import { tokensFrom, type TokensFrom } from './tokensOf.ts';
import { weightsOfRun, type Weights } from './weights.ts';

export interface AnswerAsk {
  /** Of the evaluation; absolute. */
  folder: string;
  trace: string;
  /** The other version; null for the first after the one that sampled it. */
  version: string | null;
}

/**
 * Null where it has no such answer.
 * @throws EvaluationError, RunError; ReattemptError `not-kept` for a version asked for that cannot be loaded
 */
export async function tokensOfAnswer(ask: AnswerAsk, tools: AgentTools): Promise<ShownTokens | null> {
  const { folder } = ask;
  const { manifest, answers } = await readEvaluation(folder);
  const answer = answers.find(({ id }) => id === ask.trace);
  if (answer === undefined) return null;
  const [sequences, request] = await Promise.all([readTokens(folder, answer.id), readRequest(folder)]);
  const { benchmark, policy } = manifest.settings;
  const trace = { ...answer, sequences: [...(sequences ?? [])] };
  const from: Omit<TokensFrom, 'weights' | 'endpoint'> = {
    ...{ of: 'evaluation', run: folder, runName: `${benchmark}: ${policy.version} (${policy.source})` },
    ...{ agent: presets.embedded.agent, learning: null, without: whyNone(answer, policy.version, request) },
  };
  const opened = await openWeights(request?.policy ?? null, trace, tools);
  try {
    const asked = { trace, group: answers.filter(({ task }) => task === answer.task), version: ask.version };
    return await tokensFrom({ ...from, weights: opened.weights, endpoint: opened.endpoint }, asked, tools);
  } finally {
    await opened.close();
  }
}

function whyNone(
  { counted }: Trace,
  version: string,
  request: EvaluationRequest | null,
): NonNullable<ShownTokens['without']> {
  if (counted !== undefined) return 'counted';
  const kind = request?.policy.kind ?? version.replace(/@.*/, '');
  return kind === 'gold' || kind === 'answers' ? 'written' : 'older';
}

interface OpenWeights {
  weights: Weights;
  endpoint: Endpoint | null;
  close(): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

/** @param policy null where it is not known any more */
async function openWeights(
  policy: EvaluationRequest['policy'] | null,
  { version }: Trace,
  tools: AgentTools,
): Promise<OpenWeights> {
  switch (policy?.kind) {
    case 'run': {
      const run = await openRun(policy.run, tools);
      if (run instanceof RunError) {
        return { weights: { ...unloaded(), cannot: 'failed', message: run.message }, endpoint: null, close: nothing };
      }
      const { imported, experiment } = run.manifest;
      return {
        weights: await weightsOfRun(run, version, tools),
        endpoint: imported === null ? experiment.endpoints.agent : null,
        close: () => run.close(),
      };
    }
    case 'shipped': {
      const weights = alone(version, () => shippedAgent(presets.embedded, tools));
      return { weights, endpoint: presets.embedded.endpoints.agent, close: nothing };
    }
    case 'endpoint': {
      const { name, endpoint } = policy;
      const { experiment } = livingAt(name, endpoint);
      const embedded = endpoint.kind === 'embedded';
      const weights = embedded ? alone(version, () => untrainedAgent(experiment, tools)) : unloaded();
      return { weights, endpoint, close: nothing };
    }
    default:
      return { weights: unloaded(), endpoint: null, close: nothing };
  }
}

/** It may have been deleted since. */
async function openRun(dir: string, { clock, log }: AgentTools): Promise<RunReader | RunError> {
  try {
    return await new RunStore(dirname(dir), { clock, log, version: '' }).openReader(basename(dir));
  } catch (error) {
    if (RunError.is(error)) return error;
    throw error;
  }
}

const unloaded = (): Weights => ({
  ...{ versions: [], other: null, cannot: 'server', message: null },
  open: () => Promise.reject(new Error('Unreachable: no version can be loaded.')),
});

/** The version that sampled is the only one. */
const alone = (version: string, open: () => Promise<OpenAgent>): Weights => ({
  ...{ versions: [version], other: version, cannot: 'not-kept', message: null },
  open,
});
