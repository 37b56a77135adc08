/** The doctor at a cluster that trains by jobs, and at the server that samples beside it. */
import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import { examineCluster } from './checks/cluster.ts';
import { broken, yes, type DoctorLine } from '../../../endpoints/doctorLine.ts';
import { Adapters } from '../../../endpoints/openai/adapters/adapters.ts';
import { addressesOf } from '../../../endpoints/openai/address.ts';
import { machineTime } from '../../../endpoints/time.ts';
import type { OpenaiEndpoint, VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { openaiConnection } from '../../../launch/policies/openaiClient.ts';
import { clusterOf } from '../../../launch/policies/verlClient.ts';
import type { DoctorOptions } from './doctorOptions.ts';

/** Only sampling is its purpose; its adapters have their own line here. */
const saidOtherwise = (): ReadonlySet<string> => new Set([l10n.t('Frozen'), l10n.t('LoRA adapters while it runs')]);

/** Of each request. A person waits: a server that is away is reported after seconds; a run gives it minutes. */
const tries = 3;

/** @param visitSampler the lines of an endpoint that only samples */
export async function* visitVerl(
  endpoint: VerlEndpoint,
  options: DoctorOptions,
  visitSampler: (sampler: OpenaiEndpoint) => AsyncIterable<DoctorLine>,
): AsyncGenerator<DoctorLine> {
  const { keys, signal, time = machineTime } = options;
  const { workdir, nodes, gpus, model, inFlight } = endpoint;
  const cluster = clusterOf(endpoint, keys, { time, tries });
  const id = `doctor-${randomUUID().slice(0, 8)}`;
  try {
    yield* examineCluster({ ...cluster, workdir, gpus: nodes * gpus, id, time, signal });
  } finally {
    cluster.launcher.close();
  }
  const sampler: OpenaiEndpoint = {
    ...{ kind: 'openai', url: endpoint.sampler, key: endpoint.samplerKey, model, tokenizer: null, inFlight },
  };
  for await (const line of visitSampler(sampler)) {
    if (!saidOtherwise().has(line.title)) yield { ...line, title: l10n.t('Sampler: {0}', line.title) };
  }
  yield await takesAdapters(sampler, options);
}

async function takesAdapters(
  { url, key, model }: OpenaiEndpoint,
  { keys, log, signal, time = machineTime }: DoctorOptions,
): Promise<DoctorLine> {
  const title = l10n.t('Sampler: adapters');
  const connections = addressesOf(url).map((address) => openaiConnection(address, key, keys, { time, tries }));
  try {
    await Adapters.open({ connections, base: model, family: 'genenv-doctor-', log, time }, signal);
    return yes(
      title,
      l10n.t('It takes adapters while it runs.'),
      l10n.t('What a job trained is sampled in the next epoch.'),
    );
  } catch (error) {
    return broken(title, error);
  } finally {
    for (const { http } of connections) http.close();
  }
}
