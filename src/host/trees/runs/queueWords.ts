/** Why a run waits in the queue, as its row says it, in the editor's language. */
import * as vscode from 'vscode';
import type { QueuePlace } from '../../runs/queuePlace.ts';
import { parts } from '../words.ts';
import { aboutDuration } from '../../../shared/text/figures/durations.ts';
import { timeOfDay } from '../../../shared/text/figures/moments.ts';

/** `place 2 · waits for “A”`, what a person must do first; of one that runs, the time left. Null where there is nothing to say. */
export function placeWord({ state, position, wait, secondsLeft, runner }: QueuePlace): string | null {
  if (state === 'running') {
    return secondsLeft === null ? null : vscode.l10n.t('about {0} left', aboutDuration(secondsLeft));
  }
  const [at, why] = [vscode.l10n.t('place {0}', position), waitWord(wait, runner)];
  return needsPerson(wait, runner) ? parts(why, at) : parts(at, why);
}

/** It starts only once a person acts. */
const needsPerson = (wait: QueuePlace['wait'], runner: boolean): boolean =>
  !runner || wait?.kind === 'held' || wait?.kind === 'lost' || (wait?.kind === 'delay' && wait.delay === 'key');

const listed = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

function waitWord(wait: QueuePlace['wait'], runner: boolean): string | null {
  if (wait?.kind === 'held') return vscode.l10n.t('the queue is paused');
  if (!runner && wait?.kind !== 'lost') return vscode.l10n.t('no runner works');
  switch (wait?.kind) {
    case undefined:
    case 'turn':
      return null;
    case 'room':
      return vscode.l10n.t('the limit of running runs is reached');
    case 'after':
      return vscode.l10n.t('waits for {0} to finish', listed(wait.runs));
    case 'lost':
      return vscode.l10n.t('waits for {0}, which did not finish', listed(wait.runs));
    case 'endpoint':
      return wait.address === 'embedded'
        ? vscode.l10n.t('waits for this machine, which {0} uses', listed(wait.runs))
        : vscode.l10n.t('waits for {0}, which {1} uses', wait.address, listed(wait.runs));
    case 'delay':
      return delayWord(wait);
  }
}

type Delayed = Extract<NonNullable<QueuePlace['wait']>, { kind: 'delay' }>;

function delayWord({ delay, until, lacks }: Delayed): string {
  if (delay === 'key') return keyWord(lacks);
  const next = until === null ? '' : timeOfDay(until);
  const words = {
    server: vscode.l10n.t('its server does not answer; next try at {0}', next),
    disk: vscode.l10n.t('the disk is full; next try at {0}', next),
    busy: vscode.l10n.t('another process writes it; next try at {0}', next),
    failure: vscode.l10n.t('failed; next try at {0}', next),
  };
  return words[delay];
}

/** `needs the key hf`, or the address that is not allowed. */
export function keyWord(lacks: string | null): string {
  const [, name] = /^\$\{\w+:(.+)\}$/.exec(lacks ?? '') ?? [];
  if (name !== undefined) return vscode.l10n.t('needs the key {0}', name);
  return lacks === null
    ? vscode.l10n.t('needs a key')
    : vscode.l10n.t('needs your permission to send requests to {0}', lacks);
}
