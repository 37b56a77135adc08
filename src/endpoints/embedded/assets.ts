/** Where the build puts what the embedded endpoint needs at run time. */
export interface EmbeddedAssets {
  worker: URL;
  kernels: URL;
  weights: { agent: URL; environment: URL };
}

/** `dist`: the build's folder, with a trailing slash. */
export function embeddedAssets(dist: URL): EmbeddedAssets {
  return {
    worker: new URL('embedded-worker.js', dist),
    kernels: new URL('kernels.wasm', dist),
    weights: { agent: new URL('weights/agent.bin', dist), environment: new URL('weights/environment.bin', dist) },
  };
}
