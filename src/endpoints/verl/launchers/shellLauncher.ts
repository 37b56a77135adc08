/**
 * Jobs as processes behind a shell. A job is a process group of its own; what is known of it lies in its folder (`pid`,
 * `exit`, `log`), so that it is found again by anybody, later.
 */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../endpointError.ts';
import type { JobPlace, JobSpec, JobStatus, Launcher } from './launcher.ts';
import type { Shell } from './shell.ts';

/** The process that makes `begun` first begins the job. Job control gives it its own process group. */
const beginning = `
cd "$1" || exit
shift
if ! ( set -C; : > begun ) 2>/dev/null; then
  [ -e begun ] && exit
  echo "$PWD cannot be written to" >&2
  exit 1
fi
set -m
nohup env "$@" bash job.sh > log 2>&1 < /dev/null &
`;

/** A number may belong to another process by now: its start tells. */
const looking = `
cd "$1" 2>/dev/null || { echo none; exit; }
alive() {
  read -r pid started < pid
  kill -0 "$pid" 2>/dev/null && [ "$started" = "$(echo $(ps -o lstart= -p "$pid" 2>/dev/null))" ]
}
if [ -f pid ] && [ ! -f exit ] && alive; then echo running
elif [ -f exit ]; then if [ -f stopped ]; then echo "stopped $(cat exit)"; else echo "ended $(cat exit)"; fi
elif [ -f stopped ]; then echo stopped
elif [ -f pid ]; then echo gone
elif [ ! -f begun ]; then echo none
elif [ -n "$(find begun -mmin +2)" ]; then echo gone
else echo begun
fi
`;

const stopping = `
cd "$1" || exit
[ -f pid ] && [ ! -f exit ] || exit 0
: > stopped
read -r pid started < pid
kill -TERM -- "-$pid" 2>/dev/null || exit 0
for i in $(seq 50); do kill -0 -- "-$pid" 2>/dev/null || exit 0; sleep 0.2; done
kill -KILL -- "-$pid" 2>/dev/null
exit 0
`;

const logging = 'if [ -f "$1/log" ]; then tail -c "+$2" "$1/log"; fi';

const checking = `
command -v python3 >/dev/null || { echo "there is no python3 on the path of $(whoami)" >&2; exit 1; }
mkdir -p "$1" && : > "$1/.genenv" && python3 --version
`;

export class ShellLauncher implements Launcher {
  readonly url: string;
  readonly follow = null;
  readonly #shell: Shell;
  readonly #workdir: string;

  constructor(shell: Shell, workdir: string) {
    this.url = shell.url;
    this.#shell = shell;
    this.#workdir = workdir;
  }

  async check(signal: AbortSignal): Promise<string> {
    return (await this.#ask(checking, [this.#workdir], signal)).trim();
  }

  async submit({ folder, environment }: JobSpec, signal: AbortSignal): Promise<void> {
    const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    await this.#shell.run(beginning, [folder, ...given], signal);
  }

  async status({ folder }: JobPlace, signal: AbortSignal): Promise<JobStatus | null> {
    const [state = '', code] = (await this.#ask(looking, [folder], signal)).trim().split(' ');
    const exitCode = code === undefined || code === '' ? null : Number(code);
    const told = (message: string): Pick<JobStatus, 'message' | 'exitCode'> => ({ message, exitCode });
    switch (state) {
      case 'none':
        return null;
      case 'begun':
        return { state: 'queued', ...told(l10n.t('It is about to begin.')) };
      case 'running':
        return { state, ...told(l10n.t('It runs.')) };
      case 'stopped':
        return { state, ...told(l10n.t('It was stopped.')) };
      case 'ended':
        return exitCode === 0
          ? { state: 'done', ...told(l10n.t('It has ended.')) }
          : { state: 'failed', ...told(l10n.t('It has ended with an error.')) };
      case 'gone':
        return {
          state: 'failed',
          ...told(l10n.t('Its process is gone: it was killed, or the machine was restarted.')),
        };
      default:
        throw new EndpointError('malformed', l10n.t('it answered “{0}”', state.slice(0, 80)), {
          ...{ endpoint: this.url, request: 'bash', attempts: 1 },
          remedy: l10n.t('A command of its shell’s start-up files may print something: let it print nothing there.'),
        });
    }
  }

  log({ folder }: JobPlace, from: number, signal: AbortSignal): Promise<string> {
    return this.#ask(logging, [folder, String(from + 1)], signal);
  }

  async stop({ folder }: JobPlace, signal: AbortSignal): Promise<void> {
    await this.#shell.run(stopping, [folder], signal);
  }

  close(): void {
    // Nothing is open between two commands.
  }

  async #ask(script: string, given: readonly string[], signal: AbortSignal): Promise<string> {
    return (await this.#shell.run(script, given, signal)).toString();
  }
}
