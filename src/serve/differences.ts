/** Ways in which a server may differ from the hosted service, as real ones do: for tests of clients. */

/** Each by name, with its meaning; they are SkyRL's (its JAX backend averages, its FSDP backend holds one model). */
export const differences = {
  mean: 'a step averages: over the tokens of each sequence, then over the sequences',
  merging: 'passes between two steps all take the loss of the first',
  'fixed-adam': 'an optimiser step applies its learning rate; the rest is the server’s own',
  'one-model': 'one training model at a time',
  'no-sequence-ids': 'promises of samples do not name the sequences',
  'remembers-models': 'after a restart it still knows sessions and models by name, and refuses to work on them',
  'names-once': 'a save whose name exists is refused with 409, also where it repeats a request',
  'no-first-logprob': 'a prompt of N tokens comes back with N − 1 logprobs: none stands for the first',
} as const;
export type Difference = keyof typeof differences;

export const isDifference = (name: string): name is Difference => Object.hasOwn(differences, name);

/** Adam's parameters of a server with `fixed-adam`, whatever the request says. */
export const ownAdam = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, gradClipNorm: 1 };
