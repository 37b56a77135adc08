/** Where a read-only document comes from: a run, and a task or trace of it, as a URI. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../../once.ts';
import { defined } from '../../../shared/defined.ts';

export const taskScheme = 'genenv-task';
export const traceScheme = 'genenv-trace';
export const poolScheme = 'genenv-pool';
/** Attempts of an evaluation, whose folder replaces the run's. */
export const answerScheme = 'genenv-answer';
/** In a trace, below its name. */
export const verdictLine = 1;

const textPlaceSchema = once(() =>
  z.object({
    /** A turn of an attempt, its reasoning, or a message of the task. */
    of: z.enum(['turn', 'reasoning', 'message']),
    /** Which one, from 0. */
    at: z.int().nonnegative(),
    /** The character at which the shown range begins. */
    from: z.int().nonnegative(),
  }),
);
/** A text of a task or trace that is too long for its document. */
export type TextPlace = z.infer<ReturnType<typeof textPlaceSchema>>;

const placeSchema = once(() =>
  z.object({
    /** Absolute path of the run's folder. */
    run: z.string(),
    /** Id of the task or trace; for a pool, its name. */
    id: z.string(),
    /** For a task, the epoch whose attempts are shown; the last one when absent. For a pool, the page. */
    at: z.int().nonnegative().optional(),
    /** Shows this text alone. */
    text: textPlaceSchema().optional(),
  }),
);
export type DocumentPlace = z.infer<ReturnType<typeof placeSchema>>;

/** @param title the tab's title; its folder is the run */
export function uriOf(scheme: string, place: DocumentPlace, title: string): vscode.Uri {
  const run = place.run.split(/[\\/]/).at(-1) ?? '';
  return vscode.Uri.from({ scheme, path: `/${run}/${title.replaceAll('/', '∕')}`, query: JSON.stringify(place) });
}

/** By its first folder the editor knows the language (package.json) before anything of ours is loaded. */
export function recordUri(scheme: string, place: DocumentPlace, title: string): vscode.Uri {
  const uri = uriOf(scheme, place, title);
  return uri.with({ path: `/GenEnv${uri.path}` });
}

/** @param epoch whose attempts it shows; the last one when absent */
export function taskUri(run: string, task: string, epoch?: number): vscode.Uri {
  const title = epoch === undefined ? task : vscode.l10n.t('{0} · epoch {1}', task, epoch);
  return recordUri(taskScheme, { run, id: task, ...defined({ at: epoch }) }, title);
}

/** `e5/base.17/r0` is called `base.17 r0 · e5`. */
export function traceUri(run: string, trace: string): vscode.Uri {
  const [epoch = '', task = '', attempt = ''] = trace.split('/');
  return recordUri(traceScheme, { run, id: trace }, `${task} ${attempt} · ${epoch}`);
}

/** The name of a text opened alone. */
export const openedText = ({ of, at }: Pick<TextPlace, 'of' | 'at'>): string =>
  ({
    turn: vscode.l10n.t('turn {0}', at + 1),
    reasoning: vscode.l10n.t('reasoning of turn {0}', at + 1),
    message: vscode.l10n.t('message {0}', at + 1),
  })[of];

/** One text of a task or trace that is open at this address. */
export function textUri(uri: vscode.Uri, text: TextPlace): vscode.Uri {
  const { text: shown, ...place } = placeOf(uri);
  const path = shown === undefined ? `${uri.path} · ${openedText(text)}` : uri.path;
  return uri.with({ path, query: JSON.stringify({ ...place, text }) });
}

/** An attempt of an evaluation, by the evaluation's folder. */
export function answerUri(folder: string, trace: string): vscode.Uri {
  const [, ...named] = trace.split('/');
  return recordUri(answerScheme, { run: folder, id: trace }, named.join(' '));
}

/** @throws Error for an address that was not made by `uriOf` */
export function placeOf(uri: vscode.Uri): DocumentPlace {
  const read: unknown = JSON.parse(uri.query);
  return placeSchema().parse(read);
}
