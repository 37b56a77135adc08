import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EndAsked } from '../../../../src/engine/errors.ts';
import type { Landing } from '../../../../src/launch/launch.ts';
import { targetOfEnvironment } from '../../../../src/launch/traced/target.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';
import { launchHere, type LaunchOptions } from '../../../support/launchHere.ts';
import { onlyRun } from '../../../support/runContents.ts';
import { withTempRuns } from '../../../support/runs/tempRuns.ts';
import { timeless, tiny } from '../../../support/tiny.ts';
import { Collector, told, type CollectedSpan } from '../../../support/traced/collector.ts';

const experiment = resolveExperiment({ version: 1, ...tiny, rollouts: { ...tiny.rollouts, maxTurns: 6 } });
const journalOf = async (root: string): Promise<unknown> =>
  timeless(await readFile(join(root, await onlyRun(root), 'journal.jsonl'), 'utf8'));

async function traced(url: string, environment: Record<string, string> = {}) {
  const notes: string[] = [];
  const traces = targetOfEnvironment({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, ...environment });
  const { landing, journal } = await launched(notes, { traces });
  return { notes, landing, journal };
}

async function launched(notes: string[], options: LaunchOptions): Promise<{ landing: Landing; journal: unknown }> {
  const found = Promise.withResolvers<{ landing: Landing; journal: unknown }>();
  await withTempRuns(async ({ root }) => {
    const landing = await launchHere({ root, notes }, { experiment, directory: root }, options);
    found.resolve({ landing, journal: await journalOf(root) });
  });
  return found.promise;
}

const byId = (spans: readonly CollectedSpan[]) => new Map(spans.map((span) => [span.spanId, span]));
const nameOf = (span: CollectedSpan | undefined): string => span?.name.split(' ')[0] ?? '';

/** Names from a span up to its root. */
function path(span: CollectedSpan, all: ReadonlyMap<string, CollectedSpan>): string[] {
  const parent = span.parentSpanId === undefined ? undefined : all.get(span.parentSpanId);
  assert.ok(span.parentSpanId === undefined || parent !== undefined, `the parent of ${span.name} has come`);
  return parent === undefined ? [nameOf(span)] : [nameOf(span), ...path(parent, all)];
}

describe('a run as spans', function () {
  this.timeout(240_000);
  let collector: Collector;
  beforeEach(async () => (collector = await Collector.start()));
  afterEach(() => collector.stop());

  it('warns and sends nothing if the collector’s address is not an HTTP URL', async () => {
    for (const url of ['collector:4318', 'http://']) {
      const { landing, notes } = await traced(url);
      assert.equal(landing.state, 'finished');
      const told = 'No spans are sent: the address of the collector is no URL that begins with http:// or https://.';
      assert.deepEqual(
        notes.filter((note) => /span/i.test(note)),
        [told],
      );
    }
  });

  it('is a tree from epochs to calls, and leaves the same journal', async () => {
    const { journal: plain } = await launched([], {});
    const { journal, landing, notes } = await traced(collector.url, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,other=1',
      ...{ OTEL_SERVICE_NAME: 'mine', OTEL_RESOURCE_ATTRIBUTES: 'service.name=shared,team=a' },
    });
    assert.deepEqual(journal, plain);
    assert.equal(landing.state, 'finished');
    assert.deepEqual(
      notes.filter((note) => /span/i.test(note)),
      [`Spans of this run go to ${new URL(collector.url).origin}.`],
    );
    const { spans } = collector;
    const all = byId(spans);
    assert.equal(all.size, spans.length, 'each has an id of its own');
    const paths = new Set(spans.map((span) => path(span, all).join(' < ')));
    for (const expected of [
      'epoch',
      'generate < epoch',
      'family < generate < epoch',
      'chat < family < generate < epoch',
      'attempt < epoch',
      'family < attempt < epoch',
      'invoke_agent < family < attempt < epoch',
      'chat < invoke_agent < family < attempt < epoch',
      'execute_tool < invoke_agent < family < attempt < epoch',
      'judge < invoke_agent < family < attempt < epoch',
      'update < epoch',
      'invoke_agent < family < validate',
    ]) {
      assert.ok(paths.has(expected), `${expected} is among ${[...paths].join('\n')}`);
    }
    for (const span of spans) {
      const parent = all.get(span.parentSpanId ?? '');
      if (parent !== undefined) assert.equal(span.traceId, parent.traceId, 'a trace an epoch');
      assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano));
    }
    const chat = spans.find(
      (span) => span.name.startsWith('chat') && told(span, 'gen_ai.conversation.id') !== undefined,
    );
    assert.ok(chat !== undefined);
    assert.ok(Number(told(chat, 'gen_ai.usage.output_tokens')) > 0);
    assert.equal(told(chat, 'gen_ai.operation.name'), 'chat');
    assert.equal(chat.kind, 3);
    assert.ok(!collector.bodies.join('').includes('messages'), 'texts stay here');
    assert.equal(collector.headers[0]?.['x-key'], 'a b');
    assert.match(collector.bodies[0] ?? '', /"service.name","value":\{"stringValue":"mine"\}/);
    assert.ok(!collector.bodies.join('').includes('shared'));
  });

  it('has every attempt and every call of a model once, with their texts where that is asked for', async () => {
    await traced(collector.url, { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    const { spans } = collector;
    const attempts = spans.filter((span) => span.name.startsWith('invoke_agent'));
    const finished = spans.filter((span) => span.name.startsWith('epoch'));
    const rollouts = finished.reduce((sum, span) => sum + Number(told(span, 'genenv.rollouts')), 0);
    const trained = attempts.filter((span) => told(span, 'genenv.purpose') === 'train');
    assert.equal(trained.length, rollouts);
    const calls = Map.groupBy(
      spans.filter((span) => span.name.startsWith('chat')),
      (span) => span.parentSpanId ?? '',
    );
    for (const attempt of attempts) {
      const own = calls.get(attempt.spanId) ?? [];
      assert.ok(own.length > 0, `${String(told(attempt, 'gen_ai.conversation.id'))} has calls`);
      for (const call of own) assert.match(String(told(call, 'gen_ai.output.messages')), /"role":"assistant"/);
    }
  });

  it('continues the same span tree after a pause', async () => {
    await withTempRuns(async ({ root }) => {
      const pausing = new AbortController();
      const traces = targetOfEnvironment({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url });
      let attempts = 0;
      await launchHere(
        { root, notes: [] },
        { experiment, directory: root },
        {
          traces,
          signal: pausing.signal,
          onProgress: ({ phase, epoch }) => {
            if (phase === 'attempt' && epoch === 2 && ++attempts === 5)
              pausing.abort(new EndAsked('paused', 'Paused.'));
          },
        },
      );
      const before = collector.spans.length;
      assert.ok(before > 0);
      await launchHere({ root, notes: [] }, { resume: await onlyRun(root) }, { traces });
      const { spans } = collector;
      assert.ok(spans.length > before);
      const all = byId(spans);
      for (const span of spans) path(span, all);
      const attempted = spans.filter((span) => span.name.startsWith('invoke_agent'));
      assert.equal(new Set(attempted.map(({ spanId }) => spanId)).size, attempted.length, 'every attempt has one span');
    });
  });

  it('ends normally if the collector is unreachable, and warns once', async () => {
    await collector.stop();
    const { landing, notes } = await traced(collector.url);
    collector = await Collector.start();
    assert.equal(landing.state, 'finished');
    assert.equal(notes.filter((note) => note.startsWith('Spans cannot be sent')).length, 1);
    assert.match(notes.at(-1) ?? '', /^\d+ spans of this run did not reach http/);
  });

  it('ends where the collector never answers', async () => {
    await collector.stop();
    collector = await Collector.start('never');
    const { landing, notes } = await traced(collector.url);
    assert.equal(landing.state, 'finished');
    assert.match(notes.at(-1) ?? '', /^\d+ spans of this run did not reach http/);
  });
});
