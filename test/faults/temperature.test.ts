/** Whatever temperature is sampled with: weights that do not move have no KL, and no cap ends their update. */
import assert from 'node:assert/strict';
import { eventSchema, type EventOf, type JournalEvent } from '../../src/shared/journal/events.ts';

import { dist } from '../support/built.ts';
import { RemoteRun } from '../support/faults/remoteRun.ts';

const embedded = {
  agent: { kind: 'embedded', weights: 'agent' },
  environment: { kind: 'embedded', weights: 'environment' },
};

describe('the temperature of samples', function () {
  this.timeout(240_000);
  let run: RemoteRun;

  beforeEach(async () => {
    run = new RemoteRun(dist);
    await run.serve();
  });

  afterEach(() => run.remove());

  for (const kind of ['embedded', 'tinker'] as const) {
    for (const temperature of [0.7, 1, 1.5]) {
      it(`leaves KLs and caps of ${kind} policies alone at ${temperature}`, async () => {
        const still = { learningRate: 1e-12 };
        const landing = await run.start({
          ...(kind === 'embedded' ? { endpoints: embedded } : {}),
          generation: { families: 6, variations: 2, temperature },
          rollouts: { group: 8, baseShare: 0.5, temperature },
          agent: { minibatch: 4, passes: 2, ...still },
          environment: {
            ...{
              bufferEpochs: 1,
              minFamilies: 1,
              steps: 3,
              minibatch: 4,
              updateKlCap: 1e-6,
              totalKlCap: 1e-6,
              ...still,
            },
          },
        });
        assert.equal(landing.state, 'finished');
        const lines = ((await run.contents())['journal.jsonl'] ?? '').trim().split('\n');
        const events = lines.map((line) => eventSchema.parse(JSON.parse(line)));
        const { kl, measured, groups } = only(events, 'agent.updated');
        for (const value of [kl.sampleTrainV1, kl.prePost, kl.reference]) {
          assert.ok(Math.abs(value ?? NaN) < 1e-6, `${kind} at ${temperature}: ${JSON.stringify(kl)}`);
        }
        const attempts = only(events, 'rollouts.finished').rollouts;
        assert.ok(groups.trained * 8 < attempts, 'some groups teach nothing, and are measured on all the same');
        assert.equal(measured?.sequences, attempts);
        const environment = only(events, 'environment.updated');
        assert.equal(environment.stoppedBy, 'end');
        assert.equal(environment.steps, 3);
        assert.ok(Math.abs(environment.kl.update ?? NaN) < 1e-9 && Math.abs(environment.kl.initial ?? NaN) < 1e-6);
        assert.equal(environment.measured?.sequences, only(events, 'tasks.generated').written);
      });
    }
  }
});

function only<T extends JournalEvent['type']>(events: readonly JournalEvent[], type: T): EventOf<T> {
  const found = events.filter((event): event is EventOf<T> => event.type === type);
  const [event] = found;
  assert.ok(event !== undefined && found.length === 1, `${found.length} events ${type}`);
  return event;
}
