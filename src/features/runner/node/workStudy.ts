/** The child's side of a study: it decides which run comes next, and the queue executes them. */
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { EndAsked } from '../../../engine/errors.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { openStudy } from '../../study/node/openStudy.ts';
import { runStudy, type StudyLanding } from '../../study/node/runStudy.ts';
import { childHearsSchema, type Landed } from '../contract.ts';
import { lookAtRunner } from './runnerFiles.ts';
import { changedSince } from './queuedStudy.ts';
import { QueuedMembers } from './queuedMembers.ts';
import type { WorkNeeds } from './work.ts';
import { messageOf } from '../../../shared/messageOf.ts';

/** Maximum number of queued runs of one study; limits the cost of each look at them. */
const mostQueued = 32;

/** @returns the last message to the runner; never throws */
export async function workStudy(
  { store, run, dist, clock, log, keys, channel }: Omit<WorkNeeds, 'rest'>,
  path: string,
): Promise<Landed> {
  const controller = new AbortController();
  const end = (how: EndAsked['how'], reason: string): void => controller.abort(new EndAsked(how, reason));
  channel.on('disconnect', () => end('interrupted', l10n.t('Its runner ended.')));
  channel.on('message', (message) => {
    const heard = childHearsSchema.safeParse(message).data;
    if (heard?.type === 'pause') end('paused', 'Paused.');
    if (heard?.type === 'interrupt') end('interrupted', l10n.t('The runner was stopped.'));
  });
  const since = clock.now();
  const tell = (done: number, total: number, before: number): void => {
    const each = done > before ? (clock.now() - since) / 1000 / (done - before) : null;
    const secondsLeft = each === null ? null : each * (total - done);
    const place = { epoch: done, epochs: total, epochSince: since, secondsLeft, phases: [], pausing: false, loads: [] };
    channel.send({ type: 'live', place });
  };
  let landed: Landed;
  try {
    const { queue } = await lookAtRunner(store.root, { clock, log });
    const added = queue.find((one) => one.run === run);
    const copies = added?.copies ?? null;
    const { copied } = await changedSince({ study: path, copies });
    if (copied.length > 0) log.warn(`${run} runs as it was queued, without later changes of ${copied.join(', ')}.`);
    const study = await openStudy(dirname(path), path, undefined, copies);
    const { members } = study.plan;
    const before = members.filter(({ name }) => study.folder.members.get(name)?.finished != null).length;
    tell(before, members.length, before);
    const entry = added ?? { run, priority: 0, retries: 2, author: '' };
    const queued = new QueuedMembers({ store, dist, clock, log, entry, signal: controller.signal });
    const landing = await runStudy({
      ...{ study, store, dist, clock, log, keys, parallel: mostQueued, signal: controller.signal },
      execute: (asked) => queued.execute(asked),
      onFinished: (_member, _run, _summary, done) => tell(done, members.length, before),
      onFailed: ({ name }, error) => log.warn(`${name}: ${error.message}`),
      onDropped: (arms) => {
        for (const { arm, why } of arms) log.warn(`${arm}: ${why}`);
      },
    });
    const asked: unknown = controller.signal.reason;
    landed = { type: 'landed', epoch: 0, ...howOf(landing, asked) };
  } catch (error) {
    const why = messageOf(error);
    landed = { type: 'landed', how: howNotBegun(error), why, epoch: 0 };
  }
  channel.send(landed);
  return landed;
}

function howOf({ state, failures }: StudyLanding, asked: unknown): Pick<Landed, 'how' | 'why'> {
  if (state === 'finished') return { how: 'finished', why: '' };
  if (state === 'paused') {
    return { how: asked instanceof EndAsked && asked.how === 'paused' ? 'paused' : 'interrupted', why: '' };
  }
  const [first] = failures;
  const others = failures.length > 1 ? l10n.t(' and {0} more', failures.length - 1) : '';
  // Each run has had its own tries.
  return {
    how: 'gone',
    why: l10n.t('“{0}”{1} did not get to the end: {2}', first?.member ?? '', others, first?.error.message ?? ''),
  };
}

function howNotBegun(error: unknown): Landed['how'] {
  if (RunError.is(error, 'in-use')) return 'busy';
  if (RunError.is(error, 'disk-full') || RunError.is(error, 'unwritable')) return 'disk';
  return error instanceof InputError ? 'gone' : 'failed';
}
