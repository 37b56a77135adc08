/** The experiment that uses the servers: tasks in plain words, lengths and settings that fit them. */
import type { BoxChoice, BoxFile } from '../contract.ts';
import { jobsFolder } from './installScript.ts';
import { trainerGpus, type Server } from './place.ts';

/** Address of the hosted Tinker service. */
export const hosted = 'https://tinker.thinkingmachines.dev/services/tinker-prod';
const rank = 32;

/** Name of the experiment’s file: `GPU box` → `gpu-box.genenv.json`. */
export const experimentName = (name: string): string =>
  `${
    name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'experiment'
  }.genenv.json`;

export function experimentFile(choice: BoxChoice, servers: readonly Server[]): BoxFile {
  const settings = {
    version: 1,
    name: choice.name,
    preset: 'default',
    mode: choice.servers === 'frozen' ? 'random' : 'coevolve',
    seed: 1,
    domain: { name: 'stories' },
    endpoints: endpointsOf(choice, servers),
    // Stories and their answers are short; a limit of the preset’s 4,096 lets one that rambles hold up an epoch.
    generation: { maxTokens: 1024 },
    rollouts: { maxTokens: 1024 },
    ...(!isKlKnown(choice) && { environment: { klCoefficient: 0, updateKlCap: null } }),
  };
  return { path: experimentName(choice.name), executable: false, text: `${JSON.stringify(settings, null, 2)}\n` };
}

/** SkyRL with engines of their own answers no log-probabilities of prompts, and jobs of verl take no KL here. */
export const isKlKnown = ({ servers }: BoxChoice): boolean => servers !== 'skyrl-megatron' && servers !== 'verl';

function endpointsOf(choice: BoxChoice, servers: readonly Server[]): { agent: object; environment: object } {
  const { servers: kind, model, host } = choice;
  const address = (name: string): string => {
    const server = servers.find((one) => one.name === name) ?? servers[0];
    return server === undefined ? hosted : `http://127.0.0.1:${server.port}`;
  };
  const skyrl = (name: string): object => ({ kind: 'tinker', url: address(name), key: null, model, rank });
  switch (kind) {
    case 'skyrl':
    case 'skyrl-megatron':
      return { agent: skyrl('agent'), environment: skyrl('environment') };
    case 'frozen': {
      const environment = { kind: 'openai', url: `${address('vllm')}/v1`, key: null, model };
      return { agent: skyrl('agent'), environment };
    }
    case 'verl': {
      const gpus = trainerGpus(choice).length;
      const url = host === null ? address('ray') : `ssh://${host}`;
      const jobs = { kind: 'verl', url, key: null, model, rank, workdir: jobsFolder, mount: null };
      const both = { ...jobs, nodes: 1, gpus, sampler: `${address('vllm')}/v1`, samplerKey: null };
      return { agent: both, environment: both };
    }
    case 'tinker': {
      const both = { kind: 'tinker', url: hosted, key: '${env:TINKER_API_KEY}', model, rank };
      return { agent: both, environment: both };
    }
  }
}
