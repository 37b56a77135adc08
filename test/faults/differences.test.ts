/** Whole runs on servers that train in another semantics than the protocol says: the same run, or words about what differs. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EndpointError } from '../../src/endpoints/endpointError.ts';
import { ownAdam, type Difference } from '../../src/serve/differences.ts';
import type { JsonObject } from '../../src/shared/experiment/resolve.ts';
import { dist } from '../support/built.ts';
import { RemoteRun } from '../support/faults/remoteRun.ts';
import { onlyRun } from '../support/runContents.ts';

interface Outcome {
  contents: Record<string, string>;
  notes: string[];
  /** The server's semantics in the agent's ledger. */
  semantics: unknown;
}

async function finished(differences: readonly Difference[], over: JsonObject = {}): Promise<Outcome> {
  const run = new RemoteRun(dist);
  try {
    await run.serve({ differences });
    const landing = await run.start(over);
    assert.equal(landing.state, 'finished', landing.error?.stack);
    const ledger = await readFile(join(run.root, await onlyRun(run.root), 'endpoints', 'tinker-agent.jsonl'), 'utf8');
    const lines = ledger
      .split('\n')
      .flatMap((line): unknown[] => (line.includes('"manner"') ? [JSON.parse(line)] : []));
    return { contents: await run.contents(), notes: run.notes, semantics: lines[0] };
  } finally {
    await run.remove();
  }
}

/**
 * Numbers of the journal to four figures: a server that averages computes with other factors, which round otherwise in 32
 * bits. Tasks, traces and everything counted stay exact.
 */
const rounded = (contents: Record<string, string>): Record<string, string> => ({
  ...contents,
  'journal.jsonl': (contents['journal.jsonl'] ?? '').replaceAll(/-?\d+\.\d+(e-?\d+)?/g, (number) =>
    Number(number).toPrecision(4),
  ),
});

describe('a run on a server that', () => {
  let plain: Outcome;
  before(async () => (plain = await finished([])));

  it('says how it trains is not tried', () => assert.equal(plain.semantics, undefined));

  const asSpecified = {
    type: 'manner',
    reduction: 'sum',
    adam: 'all',
    clips: true,
    models: 'several',
    losses: 'apart',
  };

  for (const [name, differences, semantics] of [
    ['tells nothing, and names no sequences', ['no-sequence-ids'], asSpecified],
    ['averages its gradients', ['mean', 'no-sequence-ids'], { ...asSpecified, reduction: 'mean' }],
    ['lays the first loss on all passes of a step', ['merging'], { ...asSpecified, losses: 'first' }],
  ] satisfies readonly [string, Difference[], unknown][]) {
    it(`${name} is found out, and leaves the same journal`, async () => {
      const { contents, semantics: found } = await finished(differences);
      assert.deepEqual(found, semantics);
      const list: readonly Difference[] = differences;
      if (list.includes('mean')) assert.deepEqual(rounded(contents), rounded(plain.contents));
      else assert.deepEqual(contents, plain.contents);
    });
  }

  it('names models that a restart took from it, as SkyRL does, is given new ones from the checkpoints', async () => {
    const run = new RemoteRun(dist);
    try {
      await run.serve({ differences: ['remembers-models'] });
      let sampled = false;
      let restarting: Promise<void> | null = null;
      run.faults.onCall = (path) => {
        sampled ||= path.endsWith('/asample');
        if (sampled && path.endsWith('/optim_step')) restarting ??= run.restart();
      };
      const landing = await run.start();
      assert.equal(landing.state, 'finished', landing.error?.stack);
      assert.ok(restarting);
      const ledger = await readFile(join(run.root, await onlyRun(run.root), 'endpoints', 'tinker-agent.jsonl'), 'utf8');
      assert.match(ledger, /"type":"lost"/);
      assert.deepEqual(await run.contents(), plain.contents);
    } finally {
      await run.remove();
    }
  });

  it('samples from no weights whose model a restart took from it, as SkyRL does, publishes them from a new one', async () => {
    const run = new RemoteRun(dist);
    try {
      await run.serve({ differences: ['remembers-models'] });
      let trained = false;
      let restarting: Promise<void> | null = null;
      run.faults.onCall = (path) => {
        trained ||= path.endsWith('/save_weights_for_sampler');
        if (trained && path.endsWith('/asample')) restarting ??= run.restart();
      };
      let landing = await run.start();
      for (let again = 0; landing.state !== 'finished' && again < 3; again++) landing = await run.resume();
      assert.equal(landing.state, 'finished', landing.error?.stack);
      assert.ok(restarting);
      assert.deepEqual(await run.contents(), plain.contents);
    } finally {
      await run.remove();
    }
  });

  for (const call of ['save_weights', 'save_weights_for_sampler']) {
    it(`refuses a ${call} whose name exists, as SkyRL does, though its answer was lost, leaves the same journal`, async () => {
      const run = new RemoteRun(dist);
      try {
        await run.serve({ differences: ['names-once'] });
        run.inject({ fault: 'drop-after', share: 1, path: `/${call}`, times: 1 });
        const landing = await run.start();
        assert.equal(landing.state, 'finished', landing.error?.stack);
        assert.equal(run.faults.happened.get('drop-after'), 1);
        assert.deepEqual(await run.contents(), plain.contents);
      } finally {
        await run.remove();
      }
    });
  }

  it('gives a prompt no logprob for its first token leaves the same journal, also where samples are scored once more', async () => {
    // Away from temperature 1 every sample is scored again, as a prompt.
    const warm = { rollouts: { temperature: 0.7 } };
    const { contents } = await finished(['no-first-logprob'], warm);
    assert.deepEqual(contents, (await finished([], warm)).contents);
  });

  const adam = ownAdam;
  const adamOfServer = {
    agent: { minibatch: 8, adam },
    environment: { bufferEpochs: 1, minFamilies: 1, steps: 1, minibatch: 8, adam },
  };

  /** On a server as specified: what both servers below are compared with. */
  let byAdam: Promise<Outcome> | null = null;
  const undisturbedByAdam = () => (byAdam ??= finished([], adamOfServer));

  it('takes only the learning rate of a step says so; where its own settings are the run’s, the journal is the same', async () => {
    const { contents, notes, semantics } = await finished(['fixed-adam'], adamOfServer);
    assert.deepEqual(semantics, { ...asSpecified, adam: 'rate', clips: false });
    assert.match(
      notes.join('\n'),
      /applies only the learning rate; betas, epsilon, weight decay and clipping are its own/,
    );
    assert.deepEqual(contents, (await undisturbedByAdam()).contents);
  });

  it('averages and takes only the learning rate at once leaves the same journal, too', async () => {
    const { contents, semantics } = await finished(['mean', 'fixed-adam', 'no-sequence-ids'], adamOfServer);
    assert.deepEqual(semantics, { ...asSpecified, reduction: 'mean', adam: 'rate', clips: false });
    assert.deepEqual(rounded(contents), rounded((await undisturbedByAdam()).contents));
  });

  it('holds one model is refused for two, before anything is sampled', async () => {
    const run = new RemoteRun(dist);
    try {
      await run.serve({ differences: ['one-model'] });
      run.faults.onCall = (path) => {
        if (path.endsWith('/asample')) run.samplings += 1;
      };
      const landing = await run.start();
      assert.equal(landing.state, 'failed');
      assert(EndpointError.is(landing.error, 'unable'), landing.error?.stack);
      assert.match(landing.error.message, /one training model at a time, and both policies are trained there/);
      assert.match(landing.error.remedy, /server of its own/);
      assert.equal(run.samplings, 0);
    } finally {
      await run.remove();
    }
  });

  it('holds one model trains one policy as any other does', async () => {
    const alone = { mode: 'random' };
    const { contents } = await finished(['one-model'], alone);
    assert.deepEqual(contents, (await finished([], alone)).contents);
  });
});
