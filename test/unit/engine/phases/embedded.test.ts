/** Diversity by an embedding server in a whole run: its figures, and its failures, which end nothing. */
import assert from 'node:assert/strict';
import type { Embedder } from '../../../../src/engine/ports/embedder.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';
import type { MemoryRun } from '../../../support/scripted/scriptedRun.ts';

/** A direction by a text's letters: equal texts have equal vectors. */
class Letters implements Embedder {
  readonly model = 'letters';
  readonly asked: (readonly string[])[] = [];
  /** Calls, counted from 1, that fail. */
  readonly fails: ReadonlySet<number>;

  constructor(fails: readonly number[] = []) {
    this.fails = new Set(fails);
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.asked.push(texts);
    if (this.fails.has(this.asked.length)) return Promise.reject(new Error('The server is away. Start it again.'));
    return Promise.resolve(
      texts.map((text) => {
        const counts = Float32Array.from({ length: 26 }, () => 0.01);
        for (const letter of text.toLowerCase()) {
          const at = letter.charCodeAt(0) - 97;
          if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1;
        }
        const norm = Math.hypot(...counts);
        return counts.map((value) => value / norm);
      }),
    );
  }
}

const experiment = referenceExperiment({ epochs: 3 });

async function run(embedder?: Letters): Promise<MemoryRun> {
  return (await runReference(experiment, embedder === undefined ? {} : { ports: { embedder } })).run;
}

const embeddedIn = (run: MemoryRun) => eventsOf(run, 'tasks.generated').map(({ quality }) => quality?.embedded);

describe('diversity by an embedding server', () => {
  it('stands beside that by words, and changes nothing else', async () => {
    const embedder = new Letters();
    const [plain, measured] = [await run(), await run(embedder)];
    const figures = embeddedIn(measured);
    assert.equal(figures.length, 3);
    for (const one of figures) assert.ok(one !== undefined && 'model' in one && one.model === 'letters');
    assert.deepEqual(embeddedIn(plain), [undefined, undefined, undefined]);
    const without = measured.events.map((event) => {
      if (event.type !== 'tasks.generated' || event.quality === undefined) return event;
      const quality = { ...event.quality };
      delete quality.embedded;
      return { ...event, quality };
    });
    assert.deepEqual(without, plain.events);
    for (const texts of embedder.asked) assert.equal(new Set(texts).size, texts.length, 'each text once');
  });

  it('tells why an epoch has none, and the run goes on', async () => {
    const failed = await run(new Letters([2]));
    const [first, second, third] = embeddedIn(failed);
    assert.ok(first !== undefined && 'model' in first);
    assert.deepEqual(second, { failure: 'The server is away. Start it again.' });
    assert.ok(third !== undefined && 'model' in third);
    assert.equal(eventsOf(failed, 'run.finished').length, 1);
    const [, quality] = eventsOf(failed, 'tasks.generated').map((event) => event.quality);
    assert.ok(quality !== undefined && quality.tasks > 1, 'words still measure');
  });
});
