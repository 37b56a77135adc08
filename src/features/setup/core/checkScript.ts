/** `check.sh`: driver, GPUs and servers one by one, with the cause where a log names one. */
import type { BoxFile } from '../contract.ts';
import { knownFailures } from './knownFailures.ts';
import type { Server } from './place.ts';
import { header, word } from './shell.ts';
import { healthOf } from './startScript.ts';
import { versions } from './versions.ts';

export function checkScript(servers: readonly Server[]): BoxFile {
  const gpus = new Set(servers.flatMap((server) => server.gpus)).size;
  const driver = servers.some(({ kind }) => kind === 'skyrl') ? versions.skyrlDriver : 550;
  const causes = knownFailures
    .map(
      ({ pattern, cause, remedy }) =>
        `  known ${word(pattern)} \\\n    ${word(cause)} \\\n    ${word(remedy)} && return`,
    )
    .join('\n');
  const checks = servers.map((server) => `server ${server.name} ${healthOf(server)}`).join('\n');
  return {
    path: 'check.sh',
    executable: true,
    text: `${header('Checks driver, GPUs and servers; says what is wrong and what to do. Exits with 1 if anything is.')}
wrong=0
good() { echo "✓ $*"; }
bad() { echo "✗ $*"; wrong=1; }

# known PATTERN CAUSE REMEDY: whether the log names it
known() {
  local line
  line=$(grep -E -m 1 -- "$1" "$log") || return 1
  echo "  cause: $2"
  echo "  do:    $3"
  echo "  log:   \${line:0:300}"
}

explain() {
  local log=$1
  [ -f "$log" ] || { echo "  do:    ./start.sh"; return; }
${causes}
  echo "  The log names no failure that is known here. Its last lines ($log):"
  tail -n 8 "$log" | cut -c 1-300 | sed 's/^/  | /'
}

server() {
  local name=$1 health=$2
  if curl -fsS -m 10 -o /dev/null "$health" 2>/dev/null; then
    good "$name answers at $health"
    return
  fi
  if [ -f "state/$name.pid" ] && kill -0 "$(cat "state/$name.pid")" 2>/dev/null; then
    bad "$name runs, and does not answer yet at $health"
  else
    bad "$name does not run"
  fi
  explain "logs/$name.log"
}

if ! command -v nvidia-smi >/dev/null; then
  bad "there is no nvidia-smi: this machine has no NVIDIA driver, or the container was started without --gpus all"
else
  driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
  if [ "\${driver%%.*}" -ge ${driver} ]; then good "driver $driver"; else bad "driver $driver is older than ${driver}: rent a newer image"; fi
  count=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)
  if [ "$count" -ge ${gpus} ]; then good "$count GPUs"; else bad "$count GPUs, where these scripts place servers on ${gpus}: run genenv setup again"; fi
fi
${checks}
exit $wrong
`,
  };
}
