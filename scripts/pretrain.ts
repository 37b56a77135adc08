/**
 * `npm run pretrain`: makes the shipped warm-start weights of both embedded policies, from seeds: the same bytes every
 * time. `-- --only agent|environment` makes one of them, `-- --check` compares with what is shipped and writes nothing,
 * `-- --out DIR` writes there and leaves what is shipped alone; `-- --out DIR --seed N` makes other warm starts like them,
 * `-- --out DIR --only agent --lengths uniform --steps 400` an agent that saw tasks of every length alike.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { defaultConfig } from '../src/endpoints/embedded/model/config.ts';
import { EmbeddedTrainer } from '../src/endpoints/embedded/model/trainer.ts';
import { readWeights, writeWeights } from '../src/endpoints/embedded/model/weights.ts';
import { StorekeeperDomain } from '../src/benchmarks/storekeeper/domain.ts';
import { endWord, vocabulary } from '../src/benchmarks/storekeeper/vocabulary.ts';
import type { Message } from '../src/shared/records/message.ts';
import { agentConversations, environmentConversations } from './pretrain/conversations.ts';
import { agentFigures, environmentFigures } from './pretrain/figures.ts';
import { supervise, type Schedule } from './pretrain/supervise.ts';

type Role = 'agent' | 'environment';

// The agent stops early on purpose: what it has not learnt yet is what the method is to teach it.
const schedules: Record<Role, Schedule> = {
  agent: { steps: 500, batch: 32, learningRate: 2e-3, warmup: 50, floor: 0.1, weightDecay: 0, gradClipNorm: 1 },
  environment: {
    steps: 7000,
    batch: 16,
    learningRate: 5e-3,
    warmup: 100,
    floor: 0.01,
    weightDecay: 0.02,
    gradClipNorm: 0.5,
  },
};

const shipped = new URL('../src/endpoints/embedded/model/weights', import.meta.url);
const kernels = await readFile(new URL('../dist/kernels.wasm', import.meta.url));
const { values: options } = parseArgs({
  options: {
    ...{ only: { type: 'string' }, check: { type: 'boolean' } },
    ...{ out: { type: 'string' }, seed: { type: 'string', default: '1' } },
    ...{ lengths: { type: 'string', default: 'short' }, steps: { type: 'string' } },
  },
});
const seed = Number(options.seed);
if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed is a whole number, not "${options.seed}"`);
if (seed !== 1 && options.out === undefined) throw new Error('What is shipped is of seed 1: --seed needs --out.');
const { lengths } = options;
if (lengths !== 'short' && lengths !== 'uniform') throw new Error(`--lengths is short or uniform, not "${lengths}"`);
const agentSteps = Number(options.steps ?? schedules.agent.steps);
if (!Number.isSafeInteger(agentSteps) || agentSteps < 1) {
  throw new Error(`--steps is a whole number above 0, not "${options.steps ?? ''}"`);
}
if ((lengths !== 'short' || options.steps !== undefined) && (options.out === undefined || options.only !== 'agent')) {
  throw new Error('--lengths and --steps make another agent: they need --out and --only agent.');
}
schedules.agent.steps = agentSteps;
const folder = options.out === undefined ? shipped : pathToFileURL(`${resolve(options.out)}/`);
const domain = new StorekeeperDomain();
const base = domain.seeds('base');

const conversations: Record<Role, (length: number) => Iterator<readonly Message[], never>> = {
  agent: () => agentConversations(base, seed, lengths),
  environment: (length) => environmentConversations(domain, seed, length),
};

/** Trains one policy and gives its weights file. */
function pretrain(role: Role): Uint8Array {
  const trainer = EmbeddedTrainer.random(kernels, defaultConfig(vocabulary.length), vocabulary, endWord, seed);
  const schedule = schedules[role];
  const every = Math.ceil(schedule.steps / 10);
  const start = performance.now();
  let sum = 0;
  supervise(trainer, schedule, conversations[role](schedule.steps * schedule.batch), (step, loss) => {
    sum += loss;
    if ((step + 1) % every !== 0 && step + 1 !== schedule.steps) return;
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(
      `${role}  step ${step + 1} of ${schedule.steps}  ${(sum / every).toFixed(4)} nats a token  ${seconds} s`,
    );
    sum = 0;
  });
  return writeWeights({ ...trainer.state(), moments: null }, 'f16');
}

/** The weights as they are shipped: half precision. */
function opened(bytes: Uint8Array, role: Role): EmbeddedTrainer {
  return new EmbeddedTrainer(kernels, readWeights(bytes, `${role}.bin`));
}

const roles = (['agent', 'environment'] as const).filter((role) => options.only === undefined || options.only === role);
if (roles.length === 0) throw new Error(`--only is agent or environment, not "${options.only ?? ''}"`);
const made = new Map<Role, Uint8Array>();
for (const role of roles) {
  const bytes = pretrain(role);
  made.set(role, bytes);
  if (options.check === true) {
    const same = Buffer.compare(bytes, await readFile(new URL(`${role}.bin`, shipped))) === 0;
    console.log(`${role}.bin: ${same ? 'the same bytes as shipped' : 'other bytes than shipped'}`);
    if (!same) process.exitCode = 1;
  } else {
    await mkdir(folder, { recursive: true });
    await writeFile(new URL(`${role}.bin`, folder), bytes);
    const next = options.out === undefined ? ' Run npm run build to put it into dist/.' : '';
    console.log(`${role}.bin: ${bytes.length} bytes.${next}`);
  }
}

const weightsOf = async (role: Role) =>
  opened(made.get(role) ?? (await readFile(new URL(`${role}.bin`, shipped))), role);
const agent = await weightsOf('agent');
const figures = {
  agent: () => agentFigures(agent),
  environment: async () => environmentFigures(await weightsOf('environment'), agent),
};
for (const role of roles) console.log([`\n${role}`, ...(await figures[role]())].join('\n'));
