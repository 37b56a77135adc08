import type { CommandSpec } from '../commandParts.ts';

export const serveCommands = {
  serve: {
    summary: 'Serve the embedded models to other programs: Tinker protocol and OpenAI-compatible',
    argument: null,
    options: {
      port: { value: 'N', help: 'Where to listen (default: 8787; 0: any free port).' },
      host: { value: 'ADDRESS', help: 'Whom to listen to (default: 127.0.0.1, this machine alone).' },
      'allow-host': { value: 'NAME', many: true, help: 'Another name that clients call it by; may be repeated.' },
      state: { value: 'DIR', help: 'Folder of the checkpoints (default: .genenv/serve here).' },
      fault: { value: 'NAME=SHARE', many: true, help: 'Fail on purpose, to test a client; may be repeated.' },
      'fault-seed': { value: 'TEXT', help: 'Another one fails at other calls.' },
      differ: { value: 'NAME', many: true, help: 'Differ from hosted Tinker as other servers do; may be repeated.' },
    },
    examples: [
      'genenv serve',
      'genenv serve --host 0.0.0.0 --port 9000 --allow-host gpubox',
      'genenv serve --fault 500=0.1 --fault drop-after=0.05@asample',
    ],
    notes: ['With GENENV_SERVE_KEY set, clients must send it: as X-API-Key or as a bearer token.'],
  },
} as const satisfies Record<string, CommandSpec>;
