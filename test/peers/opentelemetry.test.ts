/** Spans of a run, read by the official protocol's own types, their names held to the official list. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { targetOfEnvironment } from '../../src/launch/traced/target.ts';
import { resolveExperiment } from '../../src/shared/experiment/resolve.ts';
import { launchHere } from '../support/launchHere.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { withTempRuns } from '../support/runs/tempRuns.ts';
import { skip } from '../support/skip.ts';
import { tiny } from '../support/tiny.ts';
import { Collector } from '../support/traced/collector.ts';

/** OTLP's JSON is that of its types but for ids, which are hexadecimal. */
const reading = `
import base64, json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as names
known = {v for v in vars(names).values() if isinstance(v, str)}
known_operations = {v.value for v in names.GenAiOperationNameValues}
spans, unknown, operations = [], set(), set()
for line in sys.stdin:
    body = json.loads(line)
    for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for id in ("traceId", "spanId", "parentSpanId"):
            if id in span: span[id] = base64.b64encode(bytes.fromhex(span[id])).decode()
    request = json_format.Parse(json.dumps(body), ExportTraceServiceRequest())
    spans += request.resource_spans[0].scope_spans[0].spans
for span in spans:
    for a in list(span.attributes) + [a for e in span.events for a in e.attributes]:
        if a.key.startswith("gen_ai.") and a.key not in known: unknown.add(a.key)
        if a.key == "gen_ai.operation.name": operations.add(a.value.string_value)
ids = {s.span_id for s in spans}
print(json.dumps({
  "spans": len(spans), "roots": sum(1 for s in spans if not s.parent_span_id),
  "orphans": sum(1 for s in spans if s.parent_span_id and s.parent_span_id not in ids),
  "lengths": sorted({len(s.trace_id) for s in spans} | {len(s.span_id) for s in spans}),
  "clients": sum(1 for s in spans if s.kind == 3), "unknown": sorted(unknown), "operations": sorted(operations),
  "others": sorted(operations - known_operations),
}))
`;
const readSchema = z.object({
  ...{ spans: z.int(), roots: z.int(), orphans: z.int(), lengths: z.array(z.int()), clients: z.int() },
  ...{ unknown: z.array(z.string()), operations: z.array(z.string()), others: z.array(z.string()) },
});

describe('spans of a run, read by opentelemetry-proto', function () {
  this.timeout(900_000);
  let python = '';
  before(async function () {
    this.timeout(1_200_000);
    const found = await peerPython('opentelemetry');
    if ('why' in found) skip(this, `opentelemetry-proto cannot be installed: ${found.why}`);
    python = found.python;
  });

  it('are whole trees with the names of the convention', async () => {
    const collector = await Collector.start();
    const experiment = resolveExperiment({ version: 1, ...tiny, rollouts: { ...tiny.rollouts, maxTurns: 6 } });
    const traces = targetOfEnvironment({
      ...{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url },
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    });
    await withTempRuns(async ({ root }) => {
      await launchHere({ root, notes: [] }, { experiment, directory: root }, { traces });
    });
    await collector.stop();
    const reader = spawn(python, ['-c', reading], { stdio: ['pipe', 'pipe', 'inherit'] });
    const said = text(reader.stdout);
    reader.stdin.end(collector.bodies.join('\n'));
    await once(reader, 'exit');
    const { spans, roots, clients, ...rest } = readSchema.parse(JSON.parse(await said));
    // The base agent's validation, and two epochs.
    assert.equal(roots, 3);
    assert.ok(spans > 300 && clients > 100, `${spans} spans, ${clients} calls of models`);
    assert.deepEqual(rest, {
      ...{ orphans: 0, lengths: [8, 16], unknown: [], others: [] },
      operations: ['chat', 'execute_tool', 'invoke_agent'],
    });
  });
});
