/** Requests changed settings of a run: checked against its current settings, then left in its inbox. */
import * as l10n from '@vscode/l10n';
import { StateFold } from '../../engine/state.ts';
import {
  changesBetween,
  takesHold,
  whyFixed,
  withChanges,
  type FieldChange,
} from '../../shared/experiment/changeable.ts';
import { overrideExperiment } from '../../shared/experiment/parse.ts';
import { spoken } from '../../shared/experiment/symbols.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { experimentNow } from './experimentNow.ts';
import type { RunReader } from '../store/runReader.ts';
import { RemediedError } from '../../shared/reasonedError.ts';

/** Why a change is refused. `fixed`: the field cannot change during a run; `invalid`: the value does not fit. */
export class ChangeError extends RemediedError<'fixed' | 'invalid' | 'finished'> {
  override readonly name = 'ChangeError';
  /** '' when no single field is to blame. */
  readonly field: string;

  constructor(reason: ChangeError['reason'], message: string, facts: { field?: string; remedy: string }) {
    super(reason, message, facts.remedy);
    this.field = facts.field ?? '';
  }
}

/** The settings after all waiting changes. @throws RunError */
export async function experimentNext(reader: RunReader): Promise<Experiment> {
  const { now } = await settingsOf(reader);
  return withWaiting(reader, now);
}

/**
 * Leaves changes such as `curriculum.alpha=0.4` for the run's writer; they take effect at the next phase boundary, or
 * when the run is resumed. Returns the changes; writes no request when there are none. @throws ChangeError, RunError
 */
export async function requestChange(
  reader: RunReader,
  changes: readonly string[],
  author: string,
): Promise<readonly FieldChange[]> {
  const { now, finished } = await settingsOf(reader);
  if (finished) {
    const remedy = l10n.t('Branch from one of its epochs, or rerun it with changes.');
    throw new ChangeError('finished', l10n.t('The run is finished: nothing comes after it that could change.'), {
      remedy,
    });
  }
  const before = await withWaiting(reader, now);
  const parsed = overrideExperiment(before, changes);
  if ('problems' in parsed) {
    const [first] = parsed.problems;
    const field = first?.field ?? '';
    throw new ChangeError('invalid', first?.message ?? l10n.t('The change does not fit.'), {
      field,
      remedy: first?.remedy ?? '',
    });
  }
  const fixed = changes.map((text) => text.split('=')[0]?.trim() ?? '').find((field) => takesHold(field) === null);
  if (fixed !== undefined) {
    const message = l10n.t('{0} cannot change while a run goes: it is part of what the run is.', spoken(fixed));
    throw new ChangeError('fixed', message, {
      field: fixed,
      remedy: l10n.t('Branch the run, or rerun it with changes.'),
    });
  }
  const wanted = changesBetween(before, parsed.experiment);
  for (const { field } of wanted) {
    const message = whyFixed(before, field);
    if (message === null) continue;
    throw new ChangeError('fixed', message, { field, remedy: l10n.t('Branch the run, or rerun it with changes.') });
  }
  if (wanted.length > 0) await reader.inbox.post({ type: 'change', author, changes: wanted });
  return wanted;
}

async function settingsOf(reader: RunReader): Promise<{ now: Experiment; finished: boolean }> {
  const fold = new StateFold();
  for await (const event of reader.events()) fold.add(event);
  const { state } = fold;
  return { now: experimentNow(reader.manifest, state), finished: state.finished !== null };
}

async function withWaiting(reader: RunReader, now: Experiment): Promise<Experiment> {
  const waiting = (await reader.inbox.waiting()).flatMap(({ request }) =>
    request.type === 'change' ? request.changes : [],
  );
  // The writer drops values that do not fit, so they are dropped here too.
  return withChanges(now, waiting) ?? now;
}
