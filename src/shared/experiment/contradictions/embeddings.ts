/** An embedding server that cannot be asked. */
import * as l10n from '@vscode/l10n';
import type { Check } from './contradiction.ts';

export const embeddingsWithoutModel: Check = ({ generation: { embeddingUrl, embeddingModel } }) => {
  if (embeddingUrl === null || embeddingModel !== null) return null;
  return {
    fields: ['generation.embeddingModel', 'generation.embeddingUrl'],
    message: l10n.t('generation.embeddingUrl names a server, and no model there is named.'),
    remedy: l10n.t('Set generation.embeddingModel to the model’s name on that server.'),
    severity: 'error',
  };
};
