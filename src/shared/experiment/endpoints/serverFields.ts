/**
 * How an endpoint's server is reached and given work, not which policy it has: a server that moved, or jobs that need more
 * memory, must not end a run.
 */
const serverFields =
  /^endpoints\.(?:agent|environment)\.(?:url|key|inFlight|mount|nodes|gpus|overrides|sampler|samplerKey)$/;

/** `field` is a path, such as `endpoints.agent.url`. */
export const isOfServer = (field: string): boolean => serverFields.test(field);
