/** Templates of new experiments. Pure: the texts and the files, no editor. */
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { placeholderEnding } from '../../../shared/experiment/contradictions/placeholder.ts';
import type { Mode } from '../../../shared/experiment/schema.ts';
import type { PresetName } from '../../../shared/experiment/presets.ts';

export interface Template {
  id: string;
  /** Under which heading it stands. */
  section: 'run' | 'remote' | 'compare' | 'paper';
  icon: string;
  label: string;
  /** When to take it: one sentence. */
  detail: string;
  preset: PresetName;
  mode: Mode;
  /** Suggested name. */
  name: string;
  /**
   * The first choice for this template: a file of tasks, a server, a cluster with its server, or any of these that
   * trains, which may be filled in later.
   */
  needs?: 'tasks' | 'tinker' | 'openai' | 'verl' | 'trainer';
}

/** Whether its policies are language models that tasks in plain words are for, and not the embedded ones. */
export const isForModels = ({ section, needs }: Template): boolean =>
  section === 'remote' || (section === 'paper' && needs === 'trainer');

/** An endpoint that is added gets its entry here. */
export const templates: readonly Template[] = [
  {
    id: 'embedded',
    section: 'run',
    icon: 'rocket',
    label: 'Embedded demo',
    detail: 'Two small language models co-evolve on this machine: no GPU, no key.',
    preset: 'embedded',
    mode: 'coevolve',
    name: 'embedded demo',
  },
  {
    id: 'tinker',
    section: 'remote',
    icon: 'server-environment',
    label: 'Tinker or SkyRL server…',
    detail: 'Both policies are LoRA adapters that a server trains: hosted Tinker, SkyRL, or “genenv serve”.',
    preset: 'default',
    mode: 'coevolve',
    name: 'tinker',
    needs: 'tinker',
  },
  {
    id: 'openai',
    section: 'remote',
    icon: 'comment-discussion',
    label: 'OpenAI-compatible server, environment frozen…',
    detail: 'vLLM, SGLang, llama.cpp, Ollama or a hosted model writes the tasks; a training server trains the agent.',
    preset: 'default',
    mode: 'random',
    name: 'frozen environment',
    needs: 'openai',
  },
  {
    id: 'verl',
    section: 'remote',
    icon: 'circuit-board',
    label: 'verl on Ray…',
    detail: 'Both policies are trained by jobs on a cluster of your own, one an epoch, and sampled by a vLLM server.',
    preset: 'default',
    mode: 'coevolve',
    name: 'verl',
    needs: 'verl',
  },
  {
    id: 'later',
    section: 'remote',
    icon: 'edit',
    label: 'Fill it in later',
    detail: 'The file names a placeholder for a training server, and says so until there is an address.',
    preset: 'default',
    mode: 'coevolve',
    name: 'experiment',
  },
  {
    id: 'random',
    section: 'compare',
    icon: 'lock',
    label: 'Environment never trained',
    detail: 'GenEnv-Random: the environment writes new tasks in every epoch, but learns nothing.',
    preset: 'embedded',
    mode: 'random',
    name: 'embedded random',
  },
  {
    id: 'static',
    section: 'compare',
    icon: 'archive',
    label: 'Tasks written once',
    detail: 'GenEnv-Static: the environment writes all its tasks before the first epoch.',
    preset: 'embedded',
    mode: 'static',
    name: 'embedded static',
  },
  {
    id: 'offline',
    section: 'compare',
    icon: 'file',
    label: 'Tasks from a file…',
    detail: 'Gemini-Offline: the agent trains on tasks of a file, which a run or a bigger model wrote.',
    preset: 'embedded',
    mode: 'offline',
    name: 'embedded offline',
    needs: 'tasks',
  },
  {
    id: 'release',
    section: 'compare',
    icon: 'tag',
    label: 'What the public release does',
    detail: 'Seeds ranked by mean score, both ends cut, the environment frozen.',
    preset: 'embedded',
    mode: 'release',
    name: 'embedded release',
  },
  {
    id: 'paper',
    section: 'paper',
    icon: 'book',
    label: 'The paper’s settings…',
    detail: 'Every value the paper gives, on GPUs of your own: it trains Qwen2.5-7B-Instruct on both sides.',
    preset: 'paper',
    mode: 'coevolve',
    name: 'paper settings',
    needs: 'trainer',
  },
  {
    id: 'miniature',
    section: 'paper',
    icon: 'beaker',
    label: 'The paper’s numbers on the embedded models',
    detail: 'A rehearsal: the small models cut the long texts, and what they show says nothing about a 7B model.',
    preset: 'paper',
    mode: 'coevolve',
    name: 'paper numbers in miniature',
  },
];

/** A server that both policies live on, or the environment alone where it cannot be trained there. */
interface TemplateServer {
  kind: 'tinker' | 'openai';
  url: string;
  key: string | null;
  model: string;
  /** Further fields of its endpoint. */
  more?: Readonly<Record<string, unknown>>;
  served: readonly string[];
}

/** A cluster that trains both policies by jobs. */
type TemplateCluster = Pick<
  VerlEndpoint,
  'kind' | 'url' | 'key' | 'model' | 'workdir' | 'mount' | 'gpus' | 'sampler' | 'samplerKey'
>;

/** Jobs learn resampled rows: these have no say there. */
const withoutKl = { klCoefficient: 0, updateKlCap: null };

/** A placeholder server: an empty address, which is reported as a problem until it is filled in. */
const laterServer: TemplateServer = {
  kind: 'tinker',
  url: `https://training-server${placeholderEnding}`,
  key: null,
  model: 'Qwen/Qwen2.5-7B-Instruct',
  served: [],
};

/** A domain that ships, a domain file, or a benchmark's recipe with a file of its tasks. */
export type ChosenDomain = { name: 'stories' | 'reasoning' } | { file: string } | { name: string; seeds: string };

export interface Chosen {
  /** Path of a file of tasks. */
  tasks?: string;
  /** The domain of tasks for language models; stories without it. */
  domain?: ChosenDomain;
  server?: TemplateServer;
  /** Trains the agent where `server` only samples; a placeholder without it. */
  trainer?: TemplateServer;
  cluster?: TemplateCluster;
}

/** The text of a new experiment: only its differences from the preset. */
export function templateText(template: Template, name: string, chosen: Chosen): string {
  const { preset, mode, needs, id } = template;
  const { tasks, cluster, trainer = laterServer } = chosen;
  const later = (needs === 'trainer' || id === 'later') && cluster === undefined ? laterServer : undefined;
  const server = chosen.server ?? later;
  // Lengths and rates that fit the embedded models, also where they are behind a server; these know one domain's words.
  const small = (server ?? cluster)?.model.startsWith('genenv/') === true;
  const domain = small && needs !== 'trainer' ? undefined : (chosen.domain ?? { name: 'stories' as const });
  const rest = {
    ...(isForModels(template) && domain !== undefined && { domain }),
    ...(tasks !== undefined && { generation: { offlineFile: tasks } }),
    ...(server !== undefined && { endpoints: endpointsOn(server, trainer) }),
    ...(cluster !== undefined && { endpoints: { agent: cluster, environment: cluster }, environment: withoutKl }),
  };
  const own = small && needs !== 'trainer' ? 'embedded' : preset;
  const json = JSON.stringify({ version: 1, name, preset: own, mode, seed: 1, ...rest }, null, 2);
  const comment = '  // A setting that is left out here comes from the preset.';
  const text = `${json.replace('{\n', `{\n${comment}\n`)}\n`;
  if (server?.kind !== 'tinker') return text;
  const apart = '    // SkyRL on FSDP trains one model at a time: give the environment a server of its own there.';
  return text.replace('    "environment": {', `${apart}\n    "environment": {`);
}

const endpointOf = ({ kind, url, key, model, more }: TemplateServer): object => ({ kind, url, key, model, ...more });

function endpointsOn(server: TemplateServer, trainer: TemplateServer): { agent: object; environment: object } {
  const { kind, model, served } = server;
  const endpoint = endpointOf(server);
  if (kind === 'openai') return { agent: endpointOf(trainer), environment: endpoint };
  const twin = model.replace(/\/agent$/, '/environment');
  return { agent: endpoint, environment: { ...endpoint, model: served.includes(twin) ? twin : model } };
}

/** `embedded demo` → `embedded-demo.genenv.json`, with a number where that name is taken. */
export function fileNameFor(name: string, taken: ReadonlySet<string>): string {
  const stem =
    name
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'experiment';
  for (let number = 1; ; number++) {
    const file = `${stem}${number === 1 ? '' : `-${number}`}.genenv.json`;
    if (!taken.has(file)) return file;
  }
}
