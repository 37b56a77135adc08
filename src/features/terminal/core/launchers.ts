/**
 * The files named `genenv` in a terminal's path. They name no folder: what they start is in the terminal's environment, so that
 * any text of a path is safe in every shell.
 */

/** The editor's program, and the command line's first file. */
const programVariable = 'GENENV_NODE';
const fileVariable = 'GENENV_PROGRAM';

export interface Launcher {
  readonly name: string;
  readonly text: string;
}

/** Electron is Node with the variable; Node itself ignores it. */
const posix = `#!/bin/sh
# GenEnv's command line on the editor's own Node. Written by "GenEnv: Open Terminal with genenv".
ELECTRON_RUN_AS_NODE=1 GENENV_COMMAND=genenv
export ELECTRON_RUN_AS_NODE GENENV_COMMAND
exec "$${programVariable}" "$${fileVariable}" "$@"
`;

const windows = [
  '@echo off',
  `rem GenEnv's command line on the editor's own Node. Written by "GenEnv: Open Terminal with genenv".`,
  'setlocal',
  'set "ELECTRON_RUN_AS_NODE=1"',
  'set "GENENV_COMMAND=genenv"',
  `"%${programVariable}%" "%${fileVariable}%" %*`,
  'exit /b %ERRORLEVEL%',
  '',
].join('\r\n');

/** On Windows both: shells of Git and MSYS take the first. */
export const launchersFor = (platform: NodeJS.Platform): readonly Launcher[] => [
  { name: 'genenv', text: posix },
  ...(platform === 'win32' ? [{ name: 'genenv.cmd', text: windows }] : []),
];

/** The terminal's own variables. The path keeps its name: Windows has it as `Path`. */
export function terminalEnvironment(
  { program, file, folder }: { program: string; file: string; folder: string },
  around: Readonly<Record<string, string | undefined>>,
  separator: string,
): Record<string, string> {
  const name = Object.keys(around).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const path = around[name] ?? '';
  return {
    [programVariable]: program,
    [fileVariable]: file,
    [name]: path === '' ? folder : `${folder}${separator}${path}`,
  };
}
