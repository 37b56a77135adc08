/** Words by which servers say that a model, a session or weights cannot be used any more; each has a status of its own for it. */
const unusable =
  /\b(?:not loaded|unknown (?:model|session|sampler)|(?:model|session|sampler|adapter|checkpoint)\b[^.]{0,120}\b(?:not found|does not exist|expired|was unloaded|no longer))/i;

export const saysLost = (said: string): boolean => unusable.test(said);
