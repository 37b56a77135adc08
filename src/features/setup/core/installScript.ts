/** `install.sh` and `requirements.txt`: pinned versions, in this folder alone. */
import type { BoxChoice, BoxFile } from '../contract.ts';
import { trainerGpus, type Server } from './place.ts';
import { header } from './shell.ts';
import { versions } from './versions.ts';

/** Rows, adapters and logs of verl's jobs; vLLM loads adapters from it. */
export const jobsFolder = '/shared/genenv';

export function installFiles(choice: BoxChoice, servers: readonly Server[]): BoxFile[] {
  const isVerl = choice.servers === 'verl';
  const skyrl = servers.find((server) => server.kind === 'skyrl');
  const pip = isVerl
    ? [`verl[fsdp,vllm]==${versions.verl}`, `ray[default]==${versions.ray}`]
    : servers.some(({ kind }) => kind === 'vllm')
      ? [`vllm==${versions.vllm}`]
      : [];
  const parts = [
    ...(skyrl === undefined ? [] : [skyrlPart(skyrl.backend)]),
    ...(pip.length === 0 ? [] : [pipPart]),
    ...(isVerl ? [jobsPart(trainerGpus(choice))] : []),
  ];
  const script: BoxFile = {
    path: 'install.sh',
    executable: true,
    text: `${header('Installs the servers into this folder. Safe to run again.')}
need() {
  command -v "$1" >/dev/null && return
  echo "There is no $1. $2" >&2
  exit 1
}
${parts.join('\n')}
echo "Installed. Next: ./start.sh"
`,
  };
  if (pip.length === 0) return [script];
  return [script, { path: 'requirements.txt', executable: false, text: `${pip.join('\n')}\n` }];
}

const skyrlPart = (backend: string): string => `
need git "Install it with the machine’s package manager."
need uv "Install it as its documentation says: https://docs.astral.sh/uv/"
[ -d SkyRL ] || git clone --filter=blob:none https://github.com/NovaSky-AI/SkyRL.git
git -C SkyRL checkout --quiet ${versions.skyrl}
uv sync --project SkyRL --python 3.12 --extra tinker --extra ${backend}
`;

const pipPart = `
need python3 "Install Python 3.10 to 3.12."
[ -x venv/bin/pip ] || python3 -m venv venv
venv/bin/pip install --requirement requirements.txt
`;

const jobsPart = (gpus: readonly number[]): string => `
# Every job of verl reads env.sh before it begins.
mkdir -p ${jobsFolder} 2>/dev/null || { sudo mkdir -p ${jobsFolder} && sudo chown "$(id -u)" ${jobsFolder}; }
cat >${jobsFolder}/env.sh <<END
source $PWD/venv/bin/activate
export CUDA_VISIBLE_DEVICES=${gpus.join(',')}
END
`;
