/** An embedding server that cannot be asked. */
import type { Check } from './contradiction.ts';

export const embeddingsWithoutModel: Check = ({ generation: { embeddingUrl, embeddingModel } }) => {
  if (embeddingUrl === null || embeddingModel !== null) return null;
  return {
    fields: ['generation.embeddingModel', 'generation.embeddingUrl'],
    message: 'generation.embeddingUrl names a server, and no model there is named.',
    remedy: 'Set generation.embeddingModel to the model’s name on that server.',
    severity: 'error',
  };
};
