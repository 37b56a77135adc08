import assert from 'node:assert/strict';
import { serverKinds, SetupError, type BoxChoice } from '../../../../src/features/setup/contract.ts';
import { boxFiles } from '../../../../src/features/setup/core/boxFiles.ts';
import { knownFailures } from '../../../../src/features/setup/core/knownFailures.ts';
import { microBatch, parametersOf, tensorParallel } from '../../../../src/features/setup/core/modelSize.ts';
import { placeServers } from '../../../../src/features/setup/core/place.ts';
import { gpusIn } from '../../../../src/features/setup/node/findGpus.ts';
import { parseExperiment } from '../../../../src/shared/experiment/parse.ts';

const choice: BoxChoice = {
  servers: 'skyrl',
  gpus: 8,
  memory: 80,
  model: 'Qwen/Qwen2.5-7B-Instruct',
  parameters: null,
  host: null,
  slurm: false,
  name: 'night',
};
const textOf = (given: BoxChoice, path: string): string =>
  boxFiles(given).find((file) => file.path === path)?.text ?? assert.fail(`There is no ${path}.`);
const refusal = (given: Partial<BoxChoice>): SetupError => {
  try {
    boxFiles({ ...choice, ...given });
  } catch (error) {
    if (error instanceof SetupError) return error;
  }
  return assert.fail('It was not refused.');
};

describe('setting up a GPU machine', () => {
  for (const servers of serverKinds) {
    for (const gpus of [1, 2, 3, 4, 6, 7, 8]) {
      for (const host of [null, 'me@gpu-box']) {
        const given = { ...choice, servers, gpus, host };
        if (gpus === 1 && servers !== 'frozen' && servers !== 'tinker') continue;
        if (gpus === 1) given.model = 'Qwen/Qwen3-1.7B';
        it(`${servers} on ${gpus} GPUs${host === null ? '' : ' over ssh'}: an experiment that is valid, GPUs and ports that are one server’s`, () => {
          const parsed = parseExperiment(textOf(given, 'night.genenv.json'), 'night.genenv.json');
          assert.ok('experiment' in parsed, JSON.stringify(parsed));
          const placed = placeServers(given);
          const ports = placed.map(({ port }) => port);
          assert.equal(new Set(ports).size, ports.length);
          const used = placed.flatMap((server) => server.gpus);
          if (gpus > 1) assert.equal(new Set(used).size, used.length);
          assert.ok(used.every((gpu) => gpu < gpus));
          const addresses = Object.values(parsed.experiment.endpoints).flatMap((endpoint) =>
            endpoint.kind === 'tinker' || endpoint.kind === 'openai'
              ? [endpoint.url]
              : endpoint.kind === 'verl'
                ? [endpoint.url, endpoint.sampler]
                : [],
          );
          // The experiment asks what the scripts start, and nothing else.
          for (const address of addresses.filter((one) => one.startsWith('http:')))
            assert.ok(ports.includes(Number(new URL(address).port)), address);
        });
      }
    }
  }

  it('uses all GPUs where servers may be of any size', () => {
    for (const servers of ['skyrl', 'skyrl-megatron', 'frozen'] as const)
      for (const gpus of [2, 3, 5, 8]) {
        const used = placeServers({ ...choice, servers, gpus }).flatMap((server) => server.gpus);
        assert.deepEqual(
          used.toSorted((a, b) => a - b),
          Array.from({ length: gpus }, (_, gpu) => gpu),
        );
      }
  });

  it('reads the size of a model off its name, and asks where it does not say', () => {
    const sizes = { 'Qwen/Qwen2.5-7B-Instruct': 7, 'Qwen/Qwen3-0.6B': 0.6, 'Qwen/Qwen3-30B-A3B': 30, '/models/8b': 8 };
    for (const [model, size] of Object.entries(sizes)) assert.equal(parametersOf({ model, parameters: null }), size);
    assert.match(refusal({ model: 'openai/gpt-oss' }).remedy, /--parameters 7/);
    assert.equal(parametersOf({ model: 'openai/gpt-oss', parameters: 20 }), 20);
  });

  it('spreads what one GPU does not hold, and refuses what none do', () => {
    // 14 GB fit 0.6 · 80; 64 GB want two such GPUs; 64 GB of 24 each (14.4) want eight.
    assert.deepEqual([tensorParallel(7, 80, 4), tensorParallel(32, 80, 4), tensorParallel(32, 24, 8)], [1, 2, 8]);
    assert.match(refusal({ model: 'Qwen/Qwen2.5-72B-Instruct', memory: 24 }).message, /144 GB in bf16: too much/);
    assert.match(
      refusal({ servers: 'frozen', gpus: 1, memory: 8 }).message,
      /too much for the \d+ GB that sampling gets on the one GPU/,
    );
    // Sampling 14 GB over two GPUs of 24 is fine; training them unsharded is not.
    assert.match(refusal({ servers: 'skyrl-megatron', gpus: 4, memory: 24 }).remedy, /"skyrl", which share out/);
    // (80 − 1.2 · 14 / 4 − 10) / (0.6 · 7) = 15.7; (24 − 4.2 − 10) / 4.2 = 2.3.
    assert.deepEqual([microBatch(7, 80, 4), microBatch(7, 24, 4), microBatch(7, 16, 1)], [8, 2, 1]);
  });

  it('refuses one GPU for two trained policies, names that are options, and numbers that are none', () => {
    assert.match(refusal({ gpus: 1 }).remedy, /"frozen"/);
    for (const model of ['--help', 'a b', 'x;rm', '$(id)', ''])
      assert.match(refusal({ model }).message, /no name of a model/);
    for (const host of ['-oProxyCommand=x', 'a b', '$(id)'])
      assert.match(refusal({ host }).message, /no destination of ssh/);
    for (const gpus of [0, 1.5, 17]) assert.match(refusal({ gpus }).message, /no number of GPUs/);
    assert.match(refusal({ memory: 0 }).message, /no memory/);
  });

  it('has both policies of one server share a rank, and no KL where prompts have no log-probabilities', () => {
    const parsed = parseExperiment(textOf({ ...choice, servers: 'skyrl-megatron' }, 'night.genenv.json'), 'x');
    assert.ok('experiment' in parsed);
    const { agent, environment } = parsed.experiment.endpoints;
    assert.deepEqual(agent, environment);
    assert.deepEqual(
      [parsed.experiment.environment.klCoefficient, parsed.experiment.environment.updateKlCap],
      [0, null],
    );
  });

  it('reads nvidia-smi', () => {
    assert.deepEqual(gpusIn('81559\n81559\n', 'here'), { count: 2, memory: 79 });
    assert.throws(() => gpusIn('No devices were found\n', 'here'), SetupError);
  });

  it('names failures by expressions that JavaScript reads, too', () => {
    const lines = {
      'RuntimeError: The NVIDIA driver on your system is too old (found version 12040).': /driver is older/,
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.': /too little memory/,
      "OSError: [Errno 98] error while attempting to bind on address ('127.0.0.1', 8700): address already in use":
        /port is taken/,
      'ValueError: Free memory on device cuda:0 (3.1/23.6 GiB) on startup is less than desired':
        /too little memory for its cache/,
      "ModuleNotFoundError: No module named 'skyrl'": /do not fit these scripts/,
    };
    for (const [line, cause] of Object.entries(lines)) {
      const found = knownFailures.find(({ pattern }) => new RegExp(pattern).test(line));
      assert.match(found?.cause ?? '', cause);
    }
  });
});
