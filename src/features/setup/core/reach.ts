/** How the servers are reached from another machine, and how they start inside a job of Slurm. */
import type { BoxChoice, BoxFile } from '../contract.ts';
import type { Server } from './place.ts';
import { header, word } from './shell.ts';

export function tunnelScript(host: string, servers: readonly Server[]): BoxFile {
  const forwards = servers.map(({ port }) => `-L ${port}:127.0.0.1:${port}`).join(' ');
  return {
    path: 'tunnel.sh',
    executable: true,
    text: `${header('Runs on your machine: brings the servers’ ports to it, and connects again after an interruption.')}
while true; do
  ssh -N -o ServerAliveInterval=30 -o ExitOnForwardFailure=yes ${forwards} ${word(host)} || true
  echo "The tunnel closed; connecting again in 5 s. Ctrl+C ends it." >&2
  sleep 5
done
`,
  };
}

export const slurmScript = ({ gpus }: BoxChoice): BoxFile => ({
  path: 'job.sbatch',
  executable: false,
  text: `#!/usr/bin/env bash
# sbatch job.sbatch: the servers on one node, until the time is over or the job is cancelled.
#SBATCH --job-name=genenv
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --gres=gpu:${gpus}
#SBATCH --time=12:00:00
#SBATCH --output=slurm-%j.log
#SBATCH --signal=B:TERM@60
set -euo pipefail
cd "$SLURM_SUBMIT_DIR"
trap './stop.sh; exit 0' TERM
echo "Node: $(hostname)"
./start.sh
sleep infinity &
wait
`,
});
