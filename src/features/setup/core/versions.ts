/** Versions that the scripts were written for: their options and settings were read in these sources. */
export const versions = {
  /** Commit of NovaSky-AI/SkyRL, August 2026; CUDA 13, Python 3.12, brings its own vLLM. */
  skyrl: 'a9564572',
  skyrlDriver: 580,
  vllm: '0.26.0',
  /** Its extra `vllm` pins its own vLLM. */
  verl: '0.9.1',
  ray: '2.60.0',
} as const;
