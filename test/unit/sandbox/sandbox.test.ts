import assert from 'node:assert/strict';
import * as z from 'zod';
import { BlockingSandbox } from '../../../src/sandbox/blockingSandbox.ts';
import { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { SandboxError } from '../../../src/sandbox/sandboxError.ts';

const serve = JSON.stringify(new URL('../../../src/sandbox/serve.ts', import.meta.url).href);
/** Does what each job says. */
const script = `import(${serve}).then(({ serve }) => serve((job) => {
  if (job === 'hang') for (;;);
  if (job === 'fill') for (const all = []; ; ) all.push({ all });
  if (job === 'large') return 'x'.repeat(2 ** 30);
  if (job === 'throw') throw new Error('it is broken');
  if (job === 'exit') process.exit(3);
  if (job === 'keys') return Object.keys(process.env).length;
  return job;
}));`;
const options = { name: 'test', script, seconds: 2, memory: 32, answer: z.union([z.string(), z.number()]) };

for (const kind of ['waits', 'stands still'] as const) {
  describe(`a sandbox whose caller ${kind}`, () => {
    const made = {
      waits: new Sandbox<unknown, string | number>(options),
      'stands still': new BlockingSandbox<unknown, string | number>(options),
    }[kind];
    after(async () => made.dispose());
    // Both give the error as a rejection here.
    const call = async (job: unknown): Promise<string | number> => made.call(job);
    const reasonOf = async (job: unknown, box: Pick<typeof made, 'call'> = made): Promise<string> => {
      try {
        return `answered ${await box.call(job)}`;
      } catch (error) {
        assert.ok(error instanceof SandboxError, String(error));
        return error.reason;
      }
    };

    it('answers, without our environment', async () => {
      assert.equal(await call('a'), 'a');
      assert.equal(await call('keys'), 0);
    });

    it('ends what takes too long or too much memory, and answers the next job', async () => {
      assert.equal(await reasonOf('hang'), 'too-slow');
      assert.equal(await call('b'), 'b');
      if (kind === 'stands still') assert.equal(await reasonOf('fill'), 'too-slow');
      else {
        // A busy machine needs its time to fill the memory.
        const patient = new Sandbox<unknown, string | number>({ ...options, seconds: 200 });
        after(() => patient.dispose());
        assert.equal(await reasonOf('fill', patient), 'too-large');
      }
      assert.equal(await call('c'), 'c');
      assert.equal(await reasonOf('large'), 'too-large');
    });

    it('tells what its work threw, and refuses an answer of another form', async () => {
      await assert.rejects(call('throw'), { reason: 'crashed', message: 'it is broken' });
      assert.equal(await reasonOf({ other: 'form' }), 'crashed');
      assert.equal(await call('d'), 'd');
    });
  });
}

describe('a sandbox without its program', () => {
  it('says so at once, also to one who stands still', async () => {
    const missing = { ...options, script: new URL('file:///nowhere/worker.js') };
    await assert.rejects(new Sandbox(missing).call('a'), { reason: 'crashed', message: /its program is missing/ });
    assert.throws(() => new BlockingSandbox(missing).call('a'), {
      reason: 'crashed',
      message: /its program is missing/,
    });
  });
});

describe('a sandbox whose thread ends', () => {
  it('tells it', async () => {
    const sandbox = new Sandbox(options);
    await assert.rejects(sandbox.call('exit'), { reason: 'crashed', message: 'its thread ended with code 3' });
    await sandbox.dispose();
  });
});

describe('a sandbox whose caller is woken too early', () => {
  // As a busy machine makes it: the thread is stopped between an answer and its wake-up call, which comes in the next job.
  const late = `const { workerData: { port, word } } = require('node:worker_threads');
const wake = () => { Atomics.store(word, 0, 1); Atomics.notify(word, 0); };
port.on('message', (job) => setTimeout(() => {
  port.postMessage({ ok: true, value: job });
  wake();
  for (const after of [5, 10, 20]) setTimeout(wake, after);
}, 50));`;

  it('waits on for its own answer', () => {
    const sandbox = new BlockingSandbox<unknown, string | number>({ ...options, script: late });
    for (const job of ['a', 'b', 'c']) assert.equal(sandbox.call(job), job);
    sandbox.dispose();
  });
});
