/** `start.sh`: every server in the background, on addresses of this machine alone, waited for until it answers. */
import type { BoxChoice, BoxFile } from '../contract.ts';
import type { Server } from './place.ts';
import { command, header, word } from './shell.ts';

/** Where a server answers once it is ready. */
export const healthOf = (server: Server): string => {
  const path = { skyrl: '/api/v1/healthz', vllm: '/health', ray: '/api/version' }[server.kind];
  return `http://127.0.0.1:${server.port}${path}`;
};

export function startScript(choice: BoxChoice, servers: readonly Server[]): BoxFile {
  const starts = servers.map((server) => startOf(choice, server)).join('\n');
  return {
    path: 'start.sh',
    executable: true,
    text: `${header('Starts the servers and waits until they answer. --dry-run prints the commands.')}
DRY=no
[ "\${1:-}" = --dry-run ] && DRY=yes
mkdir -p logs state
# Folders that may lie on another disk.
export CHECKPOINTS="\${CHECKPOINTS:-$PWD/checkpoints}"

# start NAME GPUS HEALTH COMMAND…
start() {
  local name=$1 gpus=$2 health=$3
  shift 3
  if [ $DRY = yes ]; then
    printf 'CUDA_VISIBLE_DEVICES=%s' "$gpus"
    printf ' %q' "$@"
    echo
    return
  fi
  if curl -fsS -m 5 -o /dev/null "$health" 2>/dev/null; then
    echo "$name answers already."
    return
  fi
  echo "Starting $name on GPU $gpus; its log is logs/$name.log."
  CUDA_VISIBLE_DEVICES=$gpus setsid nohup "$@" >"logs/$name.log" 2>&1 </dev/null &
  echo $! >"state/$name.pid"
  # The first start downloads the model.
  for _ in $(seq 1 900); do
    if curl -fsS -m 5 -o /dev/null "$health" 2>/dev/null; then
      echo "$name answers."
      return
    fi
    kill -0 "$(cat "state/$name.pid")" 2>/dev/null || break
    sleep 2
  done
  echo "$name did not come up." >&2
  ./check.sh || true
  exit 1
}

${starts}
[ $DRY = yes ] || echo "All servers answer. Next: ./check.sh"
`,
  };
}

function startOf(choice: BoxChoice, server: Server): string {
  const head = `start ${server.name} ${server.gpus.join(',')} ${healthOf(server)}`;
  const { model } = choice;
  const local = ['--host', '127.0.0.1', '--port', `${server.port}`];
  switch (server.kind) {
    case 'skyrl': {
      const uv = ['uv', 'run', '--project', 'SkyRL', '--extra', 'tinker', '--extra', server.backend];
      const fixed = [...uv, '-m', 'skyrl.tinker.api', '--base-model', model, '--backend', server.backend, ...local];
      return `# SkyRL asks for no key and listens everywhere unless told. Without a database of its own it would share one file
# with every other SkyRL of this machine.
${head} \\
  ${command(fixed)} \\
  --database-url "sqlite:///$PWD/state/${server.name}.db" \\
  --checkpoints-base "$CHECKPOINTS/${server.name}" \\
  --backend-config "$(cat ${server.name}.json)"
`;
    }
    case 'vllm': {
      const vllm = ['serve', model, ...local, ...server.options];
      return `# With VLLM_API_KEY set, vLLM asks for that key.
export VLLM_ALLOW_RUNTIME_LORA_UPDATING=True
${head} \\
  ${command(['venv/bin/vllm', ...vllm])}
`;
    }
    case 'ray':
      return `# Ray runs any code that reaches its port: it listens on this machine alone, and jobs see only these GPUs.
${head} \\
  ${command(['venv/bin/ray', 'start', '--head', '--block', '--dashboard-host', '127.0.0.1', '--num-gpus', `${server.gpus.length}`])}
`;
  }
}

export function stopScript(servers: readonly Server[]): BoxFile {
  const names = servers.map(({ name }) => word(name)).join(' ');
  return {
    path: 'stop.sh',
    executable: true,
    text: `${header('Stops the servers. Checkpoints stay.')}
for name in ${names}; do
  [ -f "state/$name.pid" ] || continue
  pid=$(cat "state/$name.pid")
  # A server started by start.sh leads a process group of its own, which its engines belong to.
  kill -TERM -- "-$pid" 2>/dev/null && echo "Stopping $name."
  for _ in $(seq 1 30); do kill -0 -- "-$pid" 2>/dev/null || break; sleep 1; done
  kill -KILL -- "-$pid" 2>/dev/null || true
  rm -f "state/$name.pid"
done
`,
  };
}
