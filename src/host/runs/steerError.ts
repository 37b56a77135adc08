import * as vscode from 'vscode';
import { RemediedError } from '../../shared/reasonedError.ts';

/**
 * Why a run cannot be steered as asked. `untrusted`: the folder is not trusted; `finished`: the run is over; `idle`: it
 * has no writer, so there is nothing to pause; `elsewhere`: only its writer can do that; `no-trash`: there is no trash
 * where the folder lies; `no-folder`: no folder is open to keep runs in.
 */
export type SteerErrorReason = 'untrusted' | 'finished' | 'idle' | 'elsewhere' | 'no-trash' | 'no-folder';

export class SteerError extends RemediedError<SteerErrorReason> {
  override readonly name = 'SteerError';

  constructor(reason: SteerErrorReason, message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(reason, message, options.remedy ?? '', options);
  }
}

/** @throws SteerError `untrusted` */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new SteerError(
    'untrusted',
    vscode.l10n.t('This folder is in Restricted Mode: you can read runs, but not start anything.'),
    { remedy: vscode.l10n.t('Trust the folder to continue.') },
  );
}
