/** How a policy's version names the adapter that it is served by: a policy samples from it instead of its own model. */

const scheme = 'openai-adapter:';

/** @param model what a request asks the server for */
export const adapterHandle = (model: string): string => `${scheme}${model}`;

/** The adapter to request; null where the version is of the endpoint's own model. */
export const adapterOf = (handle: string): string | null =>
  handle.startsWith(scheme) ? handle.slice(scheme.length) : null;
