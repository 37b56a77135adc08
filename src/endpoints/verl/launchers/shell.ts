/** Commands on the machine where jobs run: this one, or one behind `ssh`. */
import { spawn } from 'node:child_process';
import * as l10n from '@vscode/l10n';
import { sshAddressOf } from '../../../shared/experiment/endpoints/sshAddress.ts';
import { quoted, shellCommand } from '../../../shared/text/shellCommand.ts';
import { EndpointError } from '../../endpointError.ts';
import { reasonOf, type Time } from '../../time.ts';

export interface Shell {
  readonly url: string;
  /**
   * Runs a script with bash, `arguments` as $1, $2 …; `input` is its standard input.
   * @throws EndpointError when it fails, or when the machine cannot be reached
   */
  run(script: string, given: readonly string[], signal: AbortSignal, input?: string | Uint8Array): Promise<Buffer>;
}

/** The exit status of SSH itself when there is no connection. */
const sshFailed = 255;
const patience = 120_000;

interface Ended {
  code: number | null;
  output: Buffer;
  said: string;
}

/** This machine. */
export class LocalShell implements Shell {
  readonly url = 'local:';
  readonly #time: Time;

  constructor(time: Time) {
    this.#time = time;
  }

  async run(script: string, given: readonly string[], signal: AbortSignal, input?: string | Uint8Array) {
    const ended = await runToEnd('bash', ['-c', script, 'bash', ...given], this.#time, signal, input);
    return outputOf(ended, this.url);
  }
}

/** A machine that the `ssh` of this one reaches without asking for a password. */
export class SshShell implements Shell {
  readonly url: string;
  /** After the options: `-p 2222 -- me@far`. */
  readonly #where: readonly string[];
  readonly #time: Time;

  /** @param url `ssh://user@host:port`; @throws EndpointError for another form */
  constructor(url: string, time: Time) {
    const address = sshAddressOf(url);
    if (address === null)
      throw failed('unable', url, l10n.t('this is no address for ssh'), l10n.t('Give it as ssh://user@host:port.'));
    const { user, host, port } = address;
    this.url = url;
    this.#where = [...(port === null ? [] : ['-p', String(port)]), '--', user === null ? host : `${user}@${host}`];
    this.#time = time;
  }

  async run(script: string, given: readonly string[], signal: AbortSignal, input?: string | Uint8Array) {
    // BatchMode: there is no terminal for questions. The remote shell may be any: bash gets the script as one word.
    const options = ['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15', '-o', 'ServerAliveInterval=15'];
    const command = ['bash', '-c', quoted(script), 'bash', ...given.map(quoted)].join(' ');
    const words = [...options, ...this.#where, command];
    const ended = await runToEnd('ssh', words, this.#time, signal, input);
    if (ended.code === sshFailed) {
      const trial = shellCommand(['ssh', ...this.#where, 'true'], process.platform === 'win32');
      const remedy = l10n.t('Check that “{0}” works in a terminal without a password.', trial);
      throw failed('unreachable', this.url, lastLine(ended.said) || l10n.t('no connection'), remedy);
    }
    return outputOf(ended, this.url);
  }
}

function outputOf({ code, output, said }: Ended, url: string): Buffer {
  if (code === 0) return output;
  const what = lastLine(said) || l10n.t('a command ended with {0}', code ?? l10n.t('a signal'));
  throw failed('failed', url, what, l10n.t('Check the folder of the endpoint, its free space and its rights.'));
}

const failed = (reason: 'failed' | 'unreachable' | 'unable', url: string, what: string, remedy: string) =>
  new EndpointError(reason, what, { endpoint: url, request: 'bash', attempts: 1, remedy });

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

function runToEnd(
  program: string,
  words: readonly string[],
  time: Time,
  signal: AbortSignal,
  input: string | Uint8Array = '',
): Promise<Ended> {
  if (signal.aborted) return Promise.reject(reasonOf(signal));
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    const said: Buffer[] = [];
    const late = time.after(patience, () => {
      child.kill('SIGKILL');
      const remedy = l10n.t('Check the machine and the network.');
      reject(failed('unreachable', program, l10n.t('no answer within {0} s', patience / 1000), remedy));
    });
    const onAbort = () => {
      child.kill('SIGKILL');
      reject(reasonOf(signal));
    };
    const leave = () => {
      late();
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (piece: Buffer) => output.push(piece));
    child.stderr.on('data', (piece: Buffer) => said.push(piece));
    child.on('error', (cause) => {
      leave();
      reject(
        failed(
          'unable',
          program,
          l10n.t('{0} cannot be run: {1}', program, cause.message),
          l10n.t('Install {0}.', program),
        ),
      );
    });
    child.on('close', (code) => {
      leave();
      resolve({ code, output: Buffer.concat(output), said: Buffer.concat(said).toString() });
    });
    // A command that ends without reading its input closes the pipe: its exit code tells.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(input);
  });
}
