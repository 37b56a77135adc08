/** Facts and capabilities of the embedded models, in names and values. */
import * as vscode from 'vscode';
import type { EmbeddedModel } from '../../../endpoints/embedded/describe.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

export type Facts = readonly (readonly [name: string, value: string])[];

export function modelFacts({ config, precision, bytes, version }: EmbeddedModel): Facts {
  const { layers, width, heads, vocabulary } = config;
  return [
    [vscode.l10n.t('Shape'), vscode.l10n.t('{0} layers, width {1}, {2} heads', layers, width, heads)],
    [vscode.l10n.t('Vocabulary'), vscode.l10n.t('{0} words', count(vocabulary))],
    [vscode.l10n.t('Weights'), vscode.l10n.t('{0}, {1} kB, version {2}', precision, count(bytes / 1024), version)],
  ];
}

export async function capabilityFacts({ capabilities }: EmbeddedModel): Promise<Facts> {
  const { losses, maxContext, concurrency, deterministic } = capabilities;
  const { kernelWidth } = await import('../../../endpoints/embedded/describe.ts');
  return [
    [vscode.l10n.t('Training'), vscode.l10n.t('step by step, in a thread of its own')],
    [vscode.l10n.t('Losses'), losses.join(', ')],
    [vscode.l10n.t('Log-probabilities of given text'), vscode.l10n.t('yes')],
    [vscode.l10n.t('Context'), vscode.l10n.t('{0} tokens', count(maxContext))],
    [vscode.l10n.t('In flight'), vscode.l10n.t('{0} requests', count(concurrency))],
    [vscode.l10n.t('Same seed, same answer'), deterministic ? vscode.l10n.t('yes') : vscode.l10n.t('no')],
    [vscode.l10n.t('Kernels'), vscode.l10n.t('WebAssembly, {0}-bit vectors', kernelWidth())],
  ];
}
