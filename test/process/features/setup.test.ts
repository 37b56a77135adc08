import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoxChoice } from '../../../src/features/setup/contract.ts';
import { boxFiles } from '../../../src/features/setup/core/boxFiles.ts';
import { findGpus } from '../../../src/features/setup/node/findGpus.ts';
import { writeBox } from '../../../src/features/setup/node/writeBox.ts';

const choice: BoxChoice = {
  servers: 'verl',
  gpus: 2,
  memory: 80,
  model: 'Qwen/Qwen2.5-7B-Instruct',
  parameters: null,
  host: 'me@box',
  slurm: true,
  name: 'night',
};

describe('scripts for a GPU machine', function () {
  this.timeout(60_000);
  let dir: string;
  let path: string | undefined;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'genenv-box-'));
    path = process.env['PATH'];
    const bin = join(dir, 'bin');
    mkdirSync(bin);
    program('nvidia-smi', 'case "$1" in *driver*) echo 580.65.06;; *) printf "81559\\n81559\\n";; esac');
    process.env['PATH'] = `${bin}:${path}`;
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(dir, { recursive: true, force: true });
  });
  function program(name: string, text: string): void {
    writeFileSync(join(dir, 'bin', name), `#!/usr/bin/env bash\n${text}\n`);
    chmodSync(join(dir, 'bin', name), 0o755);
  }
  const box = (): string => join(dir, 'box');
  const bash = (script: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync('bash', [join(box(), script), ...words], { encoding: 'utf8' });
    return { status, out: stdout, err: stderr };
  };

  it('are Bash that parses, for every kind of servers', async () => {
    for (const servers of ['skyrl', 'skyrl-megatron', 'frozen', 'verl'] as const)
      for (const file of boxFiles({ ...choice, servers, gpus: 8 }).filter(({ text }) => text.startsWith('#!'))) {
        const { status, stderr } = spawnSync('bash', ['-n'], { input: file.text, encoding: 'utf8' });
        assert.deepEqual([file.path, status, stderr], [file.path, 0, '']);
      }
    await writeBox(box(), boxFiles({ ...choice, servers: 'skyrl', gpus: 8 }));
    const { out } = bash('start.sh', '--dry-run');
    assert.match(
      out,
      /^CUDA_VISIBLE_DEVICES=0,1,2,3 uv run --project SkyRL --extra tinker --extra fsdp -m skyrl\.tinker\.api .*--host 127\.0\.0\.1 --port 8700 /m,
    );
    assert.match(
      out,
      /^CUDA_VISIBLE_DEVICES=4,5,6,7 uv run .*--port 8701 .*sqlite:\/\/\/\/\S+\/state\/environment\.db/m,
    );
  });

  it('start a server that answers, find it, and stop it with its children', async () => {
    await writeBox(box(), boxFiles(choice));
    mkdirSync(join(box(), 'venv', 'bin'), { recursive: true });
    const server = `require('node:http').createServer((_, answer) => answer.end('ok')).listen(8800, '127.0.0.1')`;
    writeFileSync(
      join(box(), 'venv', 'bin', 'vllm'),
      `#!/usr/bin/env bash\necho "$CUDA_VISIBLE_DEVICES $*"\nnode -e "${server}"\n`,
    );
    chmodSync(join(box(), 'venv', 'bin', 'vllm'), 0o755);
    const started = bash('start.sh');
    assert.deepEqual([started.status, started.err], [0, '']);
    assert.match(
      readFileSync(join(box(), 'logs', 'vllm.log'), 'utf8'),
      /^1 serve Qwen\/Qwen2\.5-7B-Instruct --host 127\.0\.0\.1 --port 8800/,
    );
    const checked = bash('check.sh');
    assert.match(checked.out, /✓ driver 580\.65\.06\n✓ 2 GPUs\n✓ vllm answers/);
    assert.equal(checked.status, 0);
    assert.match(bash('start.sh').out, /vllm answers already/);
    bash('stop.sh');
    await assert.rejects(fetch('http://127.0.0.1:8800/health'));
    const after = bash('check.sh');
    assert.equal(after.status, 1);
    assert.match(after.out, /✗ vllm does not run/);
  });

  it('say why a server did not come up', async () => {
    await writeBox(box(), boxFiles(choice));
    mkdirSync(join(box(), 'venv', 'bin'), { recursive: true });
    const line = 'ValueError: Free memory on device cuda:0 (3.1/23.6 GiB) on startup is less than desired';
    writeFileSync(join(box(), 'venv', 'bin', 'vllm'), `#!/usr/bin/env bash\necho "${line}"\nexit 1\n`);
    chmodSync(join(box(), 'venv', 'bin', 'vllm'), 0o755);
    const { status, out, err } = bash('start.sh');
    assert.equal(status, 1);
    assert.match(err, /vllm did not come up/);
    assert.match(out, /✗ vllm does not run\n {2}cause: vLLM finds too little memory for its cache/);
    assert.match(out, /do: {4}Look for other processes with nvidia-smi/);
  });

  it('are written whole or not at all', async () => {
    mkdirSync(box());
    writeFileSync(join(box(), 'start.sh'), 'mine');
    await assert.rejects(writeBox(box(), boxFiles(choice)), /has start\.sh already; nothing was written/);
    assert.equal(readFileSync(join(box(), 'start.sh'), 'utf8'), 'mine');
    assert.equal(spawnSync('ls', [box()], { encoding: 'utf8' }).stdout, 'start.sh\n');
  });

  it('are placed on the GPUs that nvidia-smi names, here or over ssh', async () => {
    assert.deepEqual(await findGpus(null), { count: 2, memory: 79 });
    program('ssh', 'echo "$@" >"$(dirname "$0")/asked"; echo 24564');
    assert.deepEqual(await findGpus('me@box'), { count: 1, memory: 23 });
    assert.match(
      readFileSync(join(dir, 'bin', 'asked'), 'utf8'),
      /^-o BatchMode=yes -o ConnectTimeout=10 -- me@box nvidia-smi /,
    );
    program('ssh', 'echo "me@box: Permission denied (publickey)." >&2; exit 255');
    await assert.rejects(
      findGpus('me@box'),
      /The GPUs of me@box were not found: me@box: Permission denied \(publickey\)\./,
    );
  });
});
