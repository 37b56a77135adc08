/** The spans of one run, where a target is set. */
import type { Clock, Log } from '../../engine/ports.ts';
import type { Manifest } from '../../runs/store/manifest.ts';
import { RunTraces } from './runTraces.ts';
import { SpanQueue } from './spanQueue.ts';
import type { TracesTarget } from './target.ts';

/** Contacts nothing yet. */
export function openTraces(
  target: TracesTarget | null,
  { id, experiment, versions }: Manifest,
  { clock, log }: { clock: Clock; log: Log },
): RunTraces | null {
  if (target === null) return null;
  const { content } = target;
  if (!/^https?:\/\//.test(target.url) || !URL.canParse(target.url)) {
    log.warn('No spans are sent: the address of the collector is no URL that begins with http:// or https://.');
    return null;
  }
  log.info(`Spans of this run go to ${new URL(target.url).origin}${content ? ', texts included' : ''}.`);
  const sink = new SpanQueue(target, { run: id, version: versions.genenv, log });
  return new RunTraces({ run: id, experiment, clock, log, content }, sink);
}
