import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAdapter } from '../../../../src/endpoints/verl/files/adapterFiles.ts';
import { readAttempts } from '../../../../src/endpoints/verl/dump.ts';
import { diagnose } from '../../../../src/endpoints/verl/failure.ts';
import { MountedFiles, type JobFiles } from '../../../../src/endpoints/verl/files/jobFiles.ts';
import { JobLedger } from '../../../../src/endpoints/verl/ledger.ts';
import { lastOf, metricsOfFile, metricsOfLog, rowsTold, toldBy } from '../../../../src/endpoints/verl/metrics.ts';

describe('what a job of verl leaves', () => {
  let folder = '';
  let files: JobFiles;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-left-'));
    files = new MountedFiles('/shared/genenv', folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has its files under another name here, whole or not at all', async () => {
    await files.write('/shared/genenv/r/e1/rows', 'äbc');
    assert.equal((await files.read('/shared/genenv/r/e1/rows'))?.toString(), 'äbc');
    assert.equal((await files.read('/shared/genenv/r/e1/rows', 2))?.toString(), 'bc');
    assert.equal((await files.read('/shared/genenv/r/e1/rows', 9))?.toString(), '');
    assert.equal(await files.read('/shared/genenv/r/e1/none'), null);
    assert.deepEqual(await files.list('/shared/genenv/r/e1'), ['rows']);
    assert.deepEqual(await files.list('/shared/genenv/r/e2'), []);
    await assert.rejects(files.read('/etc/passwd'), RangeError);
  });

  it('is not put beside a share that is not mounted, and a share that is lost is a pause', async () => {
    const unmounted = new MountedFiles('/shared/genenv', join(folder, 'mnt'));
    await assert.rejects(unmounted.write('/shared/genenv/a', ''), { reason: 'unreachable', message: /mounted/ });
    symlinkSync('loop', join(folder, 'loop'));
    await assert.rejects(files.read('/shared/genenv/loop'), { reason: 'unreachable', message: /ELOOP/ });
  });

  it('tells attempts in their order, matched by what is in the ground truth, with what was counted of them', async () => {
    const line = (task: string, output: string, more = {}) =>
      JSON.stringify({
        ...{ input: 'p', output, gts: JSON.stringify({ task, evaluation: { kind: 'k' }, gold: null }) },
        ...{ score: 0.5, step: 1, ...more },
      });
    const count = (text: string, tokens: number, cut: number) =>
      JSON.stringify({ text: createHash('sha256').update(text).digest('hex'), tokens, cut });
    const place = { rollouts: '/shared/genenv/rollouts', counted: '/shared/genenv/counts' };
    await files.write(`${place.rollouts}/10.jsonl`, `${line('b', 'last')}\n`);
    const odd = line('a', 'zwei ü', { other: Number.NaN }).replace('null}', 'NaN}');
    await files.write(`${place.rollouts}/2.jsonl`, `${line('a', 'one')}\n${odd}\n${line('a', 'three')}\n`);
    await files.write(`${place.rollouts}/9.jsonl`, `${line('b', 'first')}\n{"output":"torn`);
    await files.write(`${place.rollouts}/notes.txt`, line('c', 'none'));
    const thought = '<think>\nhm\n</think>\n\nfour';
    await files.write(`${place.rollouts}/11.jsonl`, line('c', thought));
    await files.write(`${place.counted}/node-3.jsonl`, `${count(thought, 6, 0)}\n`);
    await files.write(`${place.counted}/node-1.jsonl`, `${count('one', 3, 0)}\n${count('last', 4, 0)}\n{"text":"to`);
    await files.write(`${place.counted}/node-2.jsonl`, `${count('zwei ü', 7, 1)}\n{"task": "a", "prompt": 9}\n`);
    const common = { reward: 0.5 };
    assert.deepEqual(await readAttempts(files, place, 2, 'ray'), [
      { task: 'a', index: 0, text: 'one', promptTokens: 9, tokens: 3, stopReason: 'stop', ...common },
      { task: 'a', index: 1, text: 'zwei ü', promptTokens: 9, tokens: 7, stopReason: 'length', ...common },
      { task: 'b', index: 0, text: 'first', promptTokens: null, tokens: null, stopReason: 'stop', ...common },
      { task: 'b', index: 1, text: 'last', promptTokens: null, tokens: 4, stopReason: 'stop', ...common },
      {
        task: 'c',
        index: 0,
        text: 'four',
        reasoning: 'hm',
        promptTokens: null,
        tokens: 6,
        stopReason: 'stop',
        ...common,
      },
    ]);
    const end = `${line('d', 'ü')}\n`;
    await files.write(`${place.rollouts}/12.jsonl`, Buffer.from(end).subarray(0, end.indexOf('ü') + 1));
    assert.equal((await readAttempts(files, place, 2, 'ray')).length, 5, 'a torn letter');
    await files.write(`${place.rollouts}/12.jsonl`, Buffer.from(`${line('d', 'x')}\n${end}`, 'latin1'));
    await assert.rejects(readAttempts(files, place, 2, 'ray'), {
      reason: 'malformed',
      message: /12\.jsonl:2 cannot be read: it is not UTF-8/,
    });
  });

  it('tells metrics by the file logger or by the lines that are printed, whatever stands before them', () => {
    const written = [
      '{"step":1,"data":{"critic/score/mean":0.25,"actor/kl_loss":0.5}}',
      '{"step":2,"elapsed_seconds":5.5,"data":{"critic/score/mean":0.5,"val-core/a/mean@8":NaN,"note":"x"}}',
      '{"step":3,"da',
    ].join('\n');
    assert.deepEqual(lastOf(metricsOfFile(written)), { 'critic/score/mean': 0.5, 'actor/kl_loss': 0.5 });
    const told = { loss: null, entropy: null, gradNorm: null, referenceKl: 0.5 };
    assert.deepEqual(toldBy(lastOf(metricsOfFile(written))), told);
    assert.deepEqual(toldBy({ 'train/loss': 0, 'train/grad_norm': 2 }), {
      ...told,
      loss: 0,
      gradNorm: 2,
      referenceKl: null,
    });

    const printed = [
      'Training Progress:  50%|█████     | 1/2 [00:12<00:12]',
      '\u001b[36m(TaskRunner pid=4711)\u001b[0m step:1 - critic/score/mean:0.25 - actor/lr:1e-06 - timing_s/step:12.5',
      'step:2 - critic/score/mean:np.float64(0.5) - val-core/genenv/x/mean@8:nan - response_length/clip_ratio:-0.0',
      'global_step:3 - no/metric:1',
    ].join('\n');
    assert.deepEqual(metricsOfLog(printed), [
      { step: 1, data: { 'critic/score/mean': 0.25, 'actor/lr': 1e-6, 'timing_s/step': 12.5 } },
      { step: 2, data: { 'critic/score/mean': 0.5, 'response_length/clip_ratio': -0 } },
    ]);
    assert.equal(rowsTold('dataset len: 64\nfilter dataset len: 63\ndataset len: 64\n'), 63);
    assert.equal(rowsTold('(TaskRunner pid=1) dataset len: 64\n'), 64);
    assert.equal(rowsTold('nothing'), null);
  });

  it('says why it failed', () => {
    const cases: [string, RegExp, RegExp][] = [
      [
        '(WorkerDict pid=9) torch.OutOfMemoryError: CUDA out of memory. Tried\n(raylet) exiting',
        /^torch\.OutOfMemoryError/,
        /too little memory/,
      ],
      ["Traceback\nModuleNotFoundError: No module named 'verl'", /No module named 'verl'/, /env\.sh/],
      [
        "torchtitan is not available: No module named 'torchtitan'\n(TaskRunner pid=9) ModuleNotFoundError: No module named 'uvicorn'",
        /^ModuleNotFoundError: No module named 'uvicorn'/,
        /install it beside verl/,
      ],
      [
        "WARNING no vllm: No module named 'triton'\nRuntimeError: Failed to infer device type\nbye",
        /device type/,
        /see no GPU/,
      ],
      ['/usr/bin/python3: No module named verl', /python3: No/, /env\.sh/],
      ["ModuleNotFoundError: No module named 'flash_attn'", /flash_attn/, /install it beside verl/],
      ['RuntimeError: No CUDA GPUs are available', /No CUDA GPUs/, /no GPU/],
      ['ValueError: Total available GPUs 0 is less than total desired GPUs 8', /GPUs 0/, /too few free GPUs/],
      ['bash: /srv/g/job.sh: No such file or directory', /job\.sh/, /does not see the folder/],
      ["Could not override 'reward.x'.\nKey 'reward' is not in struct", /Could not override/, /knows other settings/],
      ['Traceback (most recent call last):\n  File "a.py"\nKeyError: \'input_ids\'\n\n', /^KeyError/, /job’s log/],
      ['killed', /^killed$/, /job’s log/],
      ['', /^$/, /job’s log/],
    ];
    for (const [log, cause, remedy] of cases) {
      const read = diagnose(log);
      assert.match(read.cause, cause);
      assert.match(read.remedy, remedy);
    }
    assert.equal(diagnose(Array.from({ length: 500 }, (_, i) => `line ${i}`).join('\n')).tail.split('\n').length, 200);
  });

  it('is an adapter that changes something', async () => {
    const at = '/shared/genenv/adapter';
    const check = () => checkAdapter(files, at, 8, 'http://ray');
    await assert.rejects(check(), { reason: 'failed', message: /is not there/ });
    await files.write(`${at}/adapter_config.json`, '{"r":8,"lora_alpha":0}');
    await assert.rejects(check(), /no adapter_model\.safetensors/);
    await files.write(`${at}/adapter_model.safetensors`, 'weights');
    await assert.rejects(check(), /lora_alpha 0/);
    await files.write(`${at}/adapter_config.json`, '{"r":16,"lora_alpha":16}');
    await assert.rejects(check(), /rank 16, not 8/);
    await files.write(`${at}/adapter_config.json`, '{"r":8');
    await assert.rejects(check(), /no adapter_config\.json with/);
    await files.write(`${at}/adapter_config.json`, '{"r":8,"lora_alpha":16}');
    await check();
  });

  it('is in a ledger that survives a torn line', async () => {
    const path = join(folder, 'endpoints', 'verl-agent.jsonl');
    const first = await JobLedger.open(path);
    assert.deepEqual(first.of('e1-agent'), { begun: 0, open: null });
    await first.add({ type: 'begun', job: 'e1-agent', id: 'x', folder: '/x' });
    assert.deepEqual((await JobLedger.open(path)).of('e1-agent'), { begun: 1, open: { id: 'x', folder: '/x' } });
    await first.add({ type: 'over', id: 'x', how: 'failed' });
    await first.add({ type: 'begun', job: 'e1-agent', id: 'x.2', folder: '/x.2' });
    const local = new MountedFiles('/', '/');
    await local.write(path, `${(await local.read(path))?.toString() ?? ''}\n{"type":"ov`);
    const again = await JobLedger.open(path);
    assert.deepEqual(again.of('e1-agent'), { begun: 2, open: { id: 'x.2', folder: '/x.2' } });
    await local.write(path, '{"type":"session","id":"s"}');
    await assert.rejects(JobLedger.open(path), /verl-agent\.jsonl:1/);
  });
});
