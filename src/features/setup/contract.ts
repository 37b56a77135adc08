/** A GPU machine that is to serve a run: the choices, and the files that come of them. Pure. */

/**
 * `skyrl`: a server a policy, each on half of the GPUs (FSDP). `skyrl-megatron`: one server that holds both policies as
 * adapters. `frozen`: SkyRL trains the agent, a vLLM beside it writes the tasks untrained. `verl`: jobs on Ray, sampled by
 * a vLLM. `tinker`: the hosted service, so no machine at all.
 */
export const serverKinds = ['skyrl', 'skyrl-megatron', 'frozen', 'verl', 'tinker'] as const;
export type ServerKind = (typeof serverKinds)[number];

export interface BoxChoice {
  servers: ServerKind;
  /** On one machine. */
  gpus: number;
  /** Of each, in GB. */
  memory: number;
  /** Name on the Hugging Face hub, or a folder on the GPU machine. */
  model: string;
  /** In billions; null to read them from the model's name. */
  parameters: number | null;
  /** How `ssh` reaches the machine; null where GenEnv runs on it. */
  host: string | null;
  /** Whether the servers start as a job of Slurm. */
  slurm: boolean;
  /** Name of the experiment. */
  name: string;
}

export interface BoxFile {
  /** Relative, without folders. */
  path: string;
  text: string;
  executable: boolean;
}

/** The choices do not fit together; nothing was written. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
