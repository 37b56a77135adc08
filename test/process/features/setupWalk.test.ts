/** The first hour of a stranger with GPUs, as far as a machine without any goes: `genenv setup`, then its README, step by step. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { serverKinds, type BoxChoice } from '../../../src/features/setup/contract.ts';
import { boxFiles } from '../../../src/features/setup/core/boxFiles.ts';
import { writeBox } from '../../../src/features/setup/node/writeBox.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { shownCommands } from '../../support/docs/commandLines.ts';

const needTwo = ['skyrl', 'skyrl-megatron', 'verl'];
const places = [
  { host: null, slurm: false },
  { host: 'me@gpu-machine', slurm: false },
  { host: null, slurm: true },
];
const choices: BoxChoice[] = serverKinds.flatMap((servers) =>
  [1, 2, 4, 8].flatMap((gpus) =>
    gpus === 1 && needTwo.includes(servers)
      ? []
      : places.map((place) => ({
          ...{ servers, gpus, ...place },
          ...{ memory: 80, model: 'Qwen/Qwen2.5-7B-Instruct', parameters: null, name: 'night' },
        })),
  ),
);

describe('a stranger with GPUs', function () {
  this.timeout(60_000);
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'genenv-walk-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  const textOf = (path: string): string => readFileSync(join(dir, path), 'utf8');

  for (const choice of choices) {
    const { servers, gpus, host, slurm } = choice;
    const where = host === null ? (slurm ? ' by Slurm' : '') : ' over ssh';
    it(`is led to the end of the README by ${servers} on ${gpus} GPUs${where}`, async () => {
      await writeBox(dir, boxFiles(choice));
      const files = readdirSync(dir);
      const scripts = files.filter((file) => /\.(sh|sbatch)$/.test(file));
      for (const file of scripts) {
        const { status, stderr } = spawnSync('bash', ['-n', join(dir, file)], { encoding: 'utf8' });
        assert.deepEqual([file, status, stderr], [file, 0, '']);
      }
      for (const file of files.filter((name) => name.endsWith('.json')))
        assert.doesNotThrow(() => JSON.parse(textOf(file)));
      const parsed = parseExperiment(textOf('night.genenv.json'), 'night.genenv.json');
      assert.ok('experiment' in parsed, JSON.stringify(parsed));
      assert.deepEqual(parsed.warnings, []);

      const page = textOf('README.md');
      for (const [, script = ''] of page.matchAll(/(?:\.\/|sbatch )([\w-]+\.(?:sh|sbatch))/g))
        assert.ok(files.includes(script), `README names ${script}`);
      const steps = shownCommands(page, ['genenv']).map(({ words }) => parseCommandLine(words.slice(1)));
      const commands = steps.flatMap((step) => (step.kind === 'command' ? [step] : []));
      const used = commands.map(({ command, arguments: given }) => `${command} ${given.target}`);
      const order = ['doctor night.genenv.json', 'check night.genenv.json', 'run night.genenv.json', 'queue add'];
      assert.deepEqual(
        used.filter((step) => order.includes(step)),
        order,
      );
      // Without "start" a runner ends with its terminal.
      assert.ok(used.includes('runner start'));
      const isAsked = used.some((step) => step.startsWith('allow '));
      assert.equal(isAsked, servers === 'tinker' || (servers === 'verl' && host !== null));

      if (servers === 'tinker') {
        assert.deepEqual(scripts, []);
        return;
      }
      const { status, stdout, stderr } = spawnSync('bash', [join(dir, 'start.sh'), '--dry-run'], { encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, '']);
      for (const line of stdout.trim().split('\n'))
        assert.match(line, /^CUDA_VISIBLE_DEVICES=\d(,\d)* .*(--host|--dashboard-host) 127\.0\.0\.1 /);
      // The page speaks of the keys of servers that are there.
      assert.equal(page.includes('VLLM_API_KEY'), stdout.includes('vllm serve'));
      assert.equal(page.includes('6379'), stdout.includes('ray start'));
    });
  }
});
