/** The doctor's visit to one endpoint: reached, opened as a run opens it, and tried with a task of a run's own kind. */
import * as l10n from '@vscode/l10n';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndpointError } from '../../../endpoints/endpointError.ts';
import { broken, no, unknown, yes, type DoctorLine } from '../../../endpoints/doctorLine.ts';
import { semanticsLines } from './checks/semantics.ts';
import { examineSampling } from './checks/sampling.ts';
import type { Subject } from './checks/subject.ts';
import { examineTraining } from './checks/training.ts';
import { readFacts } from '../../../endpoints/tinker/facts.ts';
import { TinkerPolicy } from '../../../endpoints/tinker/tinkerPolicy.ts';
import { machineTime } from '../../../endpoints/time.ts';
import { StorekeeperDomain } from '../../../benchmarks/storekeeper/domain.ts';
import { LoopError } from '../../../engine/errors.ts';
import { trainable } from '../../../engine/loop.ts';
import type { Policy } from '../../../engine/ports.ts';
import type { Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Message } from '../../../shared/records/message.ts';
import { isRemote, type RemoteEndpoint } from '../../../launch/access/address.ts';
import { examineOpenai } from './doctorOpenai.ts';
import { visitVerl } from './doctorVerl.ts';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import { lookAt, type EndpointLook } from '../../../launch/policies/lookAt.ts';
import { openPolicy } from '../../../launch/policies/openPolicy.ts';
import { Schedulers } from '../../../launch/policies/schedulers.ts';
import { tinkerClient, tinkerTokens } from '../../../launch/policies/tinkerClient.ts';
import { keepWeights, type Role } from '../../../launch/policies/weightFiles.ts';
import type { DoctorOptions } from './doctorOptions.ts';

const looks = 3;

/** Yields each line when it is found. Ends early where nothing more can be tested. @throws the signal's reason */
export async function* visit(endpoint: Endpoint, role: Role, options: DoctorOptions): AsyncGenerator<DoctorLine> {
  if (endpoint.kind === 'verl') {
    yield* visitVerl(endpoint, options, (sampler) => visit(sampler, role, options));
    return;
  }
  if (isRemote(endpoint)) {
    const reached = yield* reach(endpoint, options);
    if (!reached) return;
  }
  const dir = await mkdtemp(join(tmpdir(), 'genenv-doctor-'));
  try {
    await mkdir(join(dir, 'checkpoints'));
    if (options.weights !== undefined) await keepWeights(dir, options.weights);
    yield* examine(endpoint, role, dir, options);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  options.signal.throwIfAborted();
}

async function* reach(endpoint: RemoteEndpoint, { keys, signal }: DoctorOptions): AsyncGenerator<DoctorLine, boolean> {
  const { model } = endpoint;
  const began = performance.now();
  let look: EndpointLook;
  try {
    look = await lookPatiently(endpoint, keys, signal);
  } catch (error) {
    const key = KeyError.is(error) || EndpointError.is(error, 'credentials');
    if (key) yield broken(l10n.t('Key'), error);
    else yield broken(l10n.t('Reached'), error);
    return false;
  }
  const took = Math.round(performance.now() - began);
  yield yes(l10n.t('Reached'), l10n.t('It answered in {0} ms.', took), l10n.t('Address and network are right.'));
  const { models, load } = look;
  // Ollama lists it with its tag.
  const served = models.find(
    ({ name }) => name === model || (endpoint.kind === 'openai' && name === `${model}:latest`),
  );
  if (models.length === 0)
    yield unknown(
      l10n.t('Model'),
      l10n.t('The server does not say what it serves.'),
      l10n.t('It shows when the model is opened.'),
    );
  else if (served === undefined) {
    const names = models.slice(0, 12).map(({ name }) => name);
    const evidence = l10n.t('"{0}" is not among the {1} it serves: {2}.', model, models.length, names.join(', '));
    // Some load models that are not on their list: the first request shows.
    if (endpoint.kind === 'openai')
      yield unknown(l10n.t('Model'), evidence, l10n.t('Most would have one of these as "model".'));
    else {
      yield no(l10n.t('Model'), evidence, l10n.t('Give one of these as "model".'));
      return false;
    }
  } else
    yield yes(
      l10n.t('Model'),
      l10n.t('"{0}" is one of {1} that it serves.', model, models.length),
      l10n.t('A run can ask for it.'),
    );
  const context = served?.context ?? null;
  // Servers of the OpenAI form say it in their own ways, found when they are opened.
  if (endpoint.kind !== 'openai') {
    yield context === null
      ? unknown(
          l10n.t('Context'),
          l10n.t('The server does not say how long a text may be.'),
          l10n.t('Prompt and answer that are too long together show as refused requests.'),
        )
      : yes(
          l10n.t('Context'),
          l10n.t('{0} tokens, prompt and answer together.', context),
          l10n.t('Keep rollouts.maxTokens and generation.maxTokens well below.'),
        );
  }
  yield load === null
    ? unknown(
        l10n.t('Load'),
        l10n.t('It has no metrics at /metrics.'),
        l10n.t('How busy it is shows only by how fast it answers.'),
      )
    : yes(
        l10n.t('Load'),
        l10n.t('{0} running, {1} waiting.', load.running, load.waiting ?? l10n.t('unknown')),
        l10n.t('The Endpoints view shows it live.'),
      );
  return true;
}

/** One failure of a server does not end the visit. */
async function lookPatiently(endpoint: RemoteEndpoint, keys: Keys, signal: AbortSignal): Promise<EndpointLook> {
  for (let left = looks - 1; ; left--) {
    try {
      return await lookAt(endpoint, keys, signal);
    } catch (error) {
      const passing = EndpointError.is(error) && !['credentials', 'billing', 'refused'].includes(error.reason);
      if (!passing || left === 0) throw error;
    }
  }
}

async function* examine(
  endpoint: Endpoint,
  role: Role,
  dir: string,
  options: DoctorOptions,
): AsyncGenerator<DoctorLine> {
  const { dist, keys, log, signal, time = machineTime } = options;
  const open = (): Promise<Policy> => {
    return openPolicy(endpoint, role, { dir, dist, keys, log, signal, time, schedulers: new Schedulers(time) });
  };
  // A second one must not find the first one's state on the server.
  const reopen = async (): Promise<Policy> => {
    await rm(join(dir, 'endpoints'), { recursive: true, force: true });
    return open();
  };
  let policy: Policy;
  try {
    policy = await open();
  } catch (error) {
    yield broken(l10n.t('Opened'), error);
    return;
  }
  try {
    const { mode, maxContext } = policy.capabilities;
    const opened =
      endpoint.kind === 'openai'
        ? l10n.t('The model answers; mode "{0}".', mode)
        : l10n.t('Session, tokenizer and model are there; mode "{0}", context {1} tokens.', mode, maxContext);
    yield yes(l10n.t('Opened'), opened, l10n.t('A run would get as far.'));
    if (isRemote(endpoint)) yield keyLine(endpoint);
    const { prompt, example } = conversation(role);
    const subject: Subject = { policy, prompt, example, signal, reopen };
    if (endpoint.kind === 'openai') yield* examineOpenai(endpoint, { prompt, example }, options);
    else yield* tokens(endpoint, policy, example, options);
    const version = await policy.publish('doctor@0');
    yield* examineSampling(subject, version);
    if (policy instanceof TinkerPolicy) yield* semantics(policy);
    try {
      yield* examineTraining(subject, trainable({ policy }, role), version);
    } catch (error) {
      if (!LoopError.is(error, 'not-trainable')) throw error;
      yield yes(
        l10n.t('Frozen'),
        l10n.t('It samples and has no training calls (mode "{0}").', mode),
        l10n.t('Use it for a policy that is not trained: the environment in the modes random, static and release.'),
      );
    }
  } catch (error) {
    yield broken(l10n.t('The rest'), error);
  } finally {
    await policy.dispose();
  }
}

/** How the server trains where the protocol leaves room. */
async function* semantics(policy: TinkerPolicy): AsyncGenerator<DoctorLine> {
  try {
    const { semantics: found, measured } = await policy.examine(true);
    yield* semanticsLines(found, measured);
  } catch (error) {
    yield broken(l10n.t('What it does with a batch'), error);
  }
}

const keyLine = ({ key }: RemoteEndpoint): DoctorLine =>
  key === null
    ? yes(
        l10n.t('Key'),
        l10n.t('None is given, and none was asked for.'),
        l10n.t('Anyone who reaches this server can use it.'),
      )
    : yes(
        l10n.t('Key'),
        l10n.t('The one in {0} was accepted.', key),
        l10n.t('It is read from there again whenever it is needed.'),
      );

/** A run's conversation with this role. */
function conversation(role: Role): { prompt: readonly Message[]; example: readonly Message[] } {
  const domain = new StorekeeperDomain({ baseTasks: 8 });
  const [task] = domain.seeds('base');
  if (task === undefined) throw new Error('Unreachable: the domain has tasks of its own.');
  const context = { seed: task, recentSuccess: 0.5, target: 0.5 };
  if (role === 'environment') {
    return { prompt: domain.planPrompt(context), example: domain.environmentExample(task, context) };
  }
  const prompt = domain.agentPrompt(task);
  return { prompt, example: [...prompt, { role: 'assistant', content: task.gold ?? '' }] };
}

/** Whether text, its tokens and its turns agree. */
async function* tokens(
  endpoint: Endpoint,
  policy: Policy,
  example: readonly Message[],
  options: DoctorOptions,
): AsyncGenerator<DoctorLine> {
  const title = l10n.t('Tokens and chat template');
  const answer = example.at(-1)?.content ?? '';
  if (policy.render === undefined) {
    yield unknown(
      title,
      l10n.t('The server renders conversations itself.'),
      l10n.t('What it makes of them is not seen here.'),
    );
    return;
  }
  try {
    const { tokens: ids, spans } = await policy.render(example);
    const [start, end] = spans.at(-1) ?? [0, 0];
    const turn = ids.slice(start, end);
    const own = await textOf(endpoint, turn, options);
    const same = own === null || own.trim() === answer.trim();
    const evidence = l10n.t(
      'A conversation of {0} messages is {1} tokens; the last turn has {2}, its end {3} included.',
      example.length,
      ids.length,
      turn.length,
      turn.at(-1) ?? l10n.t('none'),
    );
    yield same && turn.length > 1
      ? yes(title, evidence, l10n.t('Each turn is known by its ids, which are never made from text again.'))
      : no(
          title,
          l10n.t('{0} Read back it is another text.', evidence),
          l10n.t('Tokenizer and model do not fit: name the model’s own as "tokenizer".'),
        );
  } catch (error) {
    yield broken(title, error);
  }
}

/** The text of ids by the endpoint's own tokenizer; null where that is unknown here. */
async function textOf(
  endpoint: Endpoint,
  ids: readonly number[],
  { dist, keys, signal }: DoctorOptions,
): Promise<string | null> {
  if (endpoint.kind !== 'tinker') return null;
  const http = tinkerClient(endpoint, keys);
  try {
    return (await tinkerTokens(endpoint, await readFacts(http, signal), { keys, dist })).decode(ids);
  } finally {
    http.close();
  }
}
