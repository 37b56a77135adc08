/** `README.md`: the steps in order, and why the servers are placed as they are. */
import type { BoxChoice, BoxFile } from '../contract.ts';
import { experimentName, hosted, isKlKnown } from './experimentFile.ts';
import { jobsFolder } from './installScript.ts';
import { gpusOf, parametersOf, weightsOf } from './modelSize.ts';
import type { Server } from './place.ts';
import { versions } from './versions.ts';

export function readme(choice: BoxChoice, servers: readonly Server[]): BoxFile {
  const parts =
    servers.length === 0 ? [title(choice), hostedSteps(choice)] : [title(choice), ...boxParts(choice, servers)];
  return { path: 'README.md', executable: false, text: `${parts.join('\n\n')}\n` };
}

const title = ({ name }: BoxChoice): string =>
  `# ${name}\n\nWritten by \`genenv setup\`. Every file here is yours to read and edit.`;

const hostedSteps = (choice: BoxChoice): string => {
  const file = experimentName(choice.name);
  return `${commandLine('this machine')}

1. Set the key: \`export TINKER_API_KEY=…\`, or **GenEnv: Set Key…** in the editor.
2. \`genenv allow TINKER_API_KEY@${new URL(hosted).origin}\` lets it be sent there, once for this machine.
3. \`genenv doctor ${file}\` lists what the service can do with ${choice.model}; where it does not offer it, it names what it offers.
4. \`genenv check ${file}\` tries one task end to end and says how many tokens the run takes.
5. ${startsRun(file)}`;
};

/** A stranger has no `genenv` on the path. */
const commandLine = (where: string): string =>
  `\`genenv\` is GenEnv's command line, on ${where}: run \`npm start\` once in a clone of GenEnv, then write \`npm --prefix CLONE run genenv --\` in its place.`;

const startsRun = (file: string): string =>
  `\`genenv run ${file} --set epochs=1\`, then the whole run: \`genenv queue add ${file} && genenv runner start\`, which outlives the terminal. \`genenv queue\` says how far it is.`;

function boxParts(choice: BoxChoice, servers: readonly Server[]): string[] {
  return [placement(choice, servers), steps(choice, servers), notes(choice, servers)];
}

function placement(choice: BoxChoice, servers: readonly Server[]): string {
  const rows = servers.map(
    (server) => `| ${server.name} | ${labels[server.kind]} | ${server.gpus.join(', ')} | 127.0.0.1:${server.port} |`,
  );
  const billions = parametersOf(choice);
  return `## What runs where

| name | server | GPUs | address |
| ---- | ------ | ---- | ------- |
${rows.join('\n')}

${choice.model}: ${billions} billion parameters, ${weightsOf(billions)} GB of weights in bf16, on ${gpusOf(choice.gpus)} of ${choice.memory} GB.
Batch sizes and shares of memory are estimates; lower them where a GPU runs out of memory. ${why[choice.servers]}`;
}

const labels = { skyrl: 'SkyRL', vllm: 'vLLM', ray: 'Ray, for verl’s jobs' };

const why = {
  skyrl:
    'SkyRL trains one model at a time on FSDP, so each policy has a server of its own; training and sampling take turns on the same GPUs.',
  'skyrl-megatron':
    'One server holds both policies as adapters of one base model. Half of the GPUs train, half sample.',
  frozen: 'The environment is not trained (mode `random`): a vLLM writes the tasks, SkyRL trains the agent.',
  verl: 'verl trains by whole jobs, one an epoch and policy; the vLLM samples and loads what they trained.',
  tinker: '',
};

function steps(choice: BoxChoice, servers: readonly Server[]): string {
  const file = experimentName(choice.name);
  const { host, slurm } = choice;
  const lines = [
    ...(host === null
      ? []
      : [
          `Copy this folder to the GPU machine: \`scp -r . ${host}:genenv-box\`. Steps 2 to ${slurm ? 3 : 4} run there, in that folder.`,
        ]),
    '`./install.sh` installs pinned versions into this folder. It takes a while and about 30 GB.',
    slurm
      ? '`sbatch job.sbatch` starts the servers as a job; its log names the node. Edit its time and partition first.'
      : '`./start.sh` starts the servers and waits until they answer. `./start.sh --dry-run` prints the commands instead.',
    ...(slurm ? [] : ['`./check.sh` looks at driver, GPUs and servers, and reads their logs for known failures.']),
    ...(slurm && host === null
      ? [
          '`srun --overlap --jobid JOB --pty bash` opens a shell on that node, which alone reaches the servers: the next steps run there. `./check.sh` looks at driver, GPUs and servers.',
        ]
      : []),
    ...(host === null
      ? []
      : [
          `On your machine: \`./tunnel.sh\`, in a terminal that stays open.${slurm ? ` Put the job’s node in place of ${host}, with \`-J ${host}\`.` : ''}`,
        ]),
    ...(host !== null && choice.servers === 'verl'
      ? [`\`genenv allow ssh://${host}\` lets jobs be started there; \`ssh ${host} true\` must ask for no password.`]
      : []),
    `\`genenv doctor ${file}\` trains a throw-away adapter for a few steps and says what works.`,
    `\`genenv check ${file}\` tries one task end to end, and says how many tokens the run takes.`,
    startsRun(file),
  ];
  return `## Steps

${commandLine(host === null ? 'the GPU machine' : 'your machine')}

${lines.map((line, index) => `${index + 1}. ${line}`).join('\n')}

${reachedBy(choice, servers)}`;
}

/** Which addresses the servers open, and which of them ask for a key. */
function reachedBy(choice: BoxChoice, servers: readonly Server[]): string {
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`).join(' and ');
  const sentences = [
    `The servers listen on ${addresses} alone, and ask for no key: a tunnel or a login on that machine is what reaches them.`,
  ];
  const key = choice.servers === 'verl' ? 'samplerKey' : 'key';
  if (servers.some(({ kind }) => kind === 'vllm'))
    sentences.push(
      `On a machine that others use, set \`VLLM_API_KEY\` before \`./start.sh\` and name it in the experiment as \`"${key}": "\${env:VLLM_API_KEY}"\`.`,
    );
  if (servers.some(({ kind }) => kind === 'skyrl')) sentences.push('SkyRL knows no keys.');
  if (servers.some(({ kind }) => kind === 'ray'))
    sentences.push(
      'Ray’s nodes talk to each other on further ports (6379 and some above 10000) of every address: close them with the machine’s firewall.',
    );
  return sentences.join(' ');
}

function notes(choice: BoxChoice, servers: readonly Server[]): string {
  const isSkyrl = servers.some(({ kind }) => kind === 'skyrl');
  const list = [
    '**The editor beside the GPUs.** With Remote-SSH open this folder on the GPU machine and install GenEnv there: no tunnel is needed, and with the runner the run continues when your laptop sleeps.',
    '**The editor here, the runs there.** Run `genenv runner` on the GPU machine in the workspace’s folder; a window that opens the same folder over Remote-SSH shows the runs.',
    '**Containers.** Start them with `--gpus all --ipc=host --ulimit memlock=-1 --shm-size=16g`. In WSL the Windows driver is used: install none inside. Codespaces have no GPUs: open a tunnel from there to the GPU machine.',
    ...(isSkyrl
      ? [
          `**SkyRL** at commit ${versions.skyrl} needs driver ${versions.skyrlDriver} (CUDA 13). Settings of a server are in its \`.json\` file here. A checkpoint stays in \`checkpoints/\`; set \`CHECKPOINTS\` to place it elsewhere.`,
        ]
      : []),
    ...(isKlKnown(choice)
      ? []
      : [
          '**No KL to the start.** This server gives no log-probabilities of prompts, so the experiment sets `environment.klCoefficient` to 0 and has no cap on an update’s KL. Watch the calibration page for drift.',
        ]),
    ...(choice.servers === 'verl'
      ? [
          `**Jobs** read and write ${jobsFolder}, which vLLM sees under the same name. \`env.sh\` in it activates verl and names the GPUs that jobs take.`,
        ]
      : []),
    '**Models.** The first start downloads the model from the Hugging Face hub. For gated models set `HF_TOKEN`; for another disk `HF_HOME`.',
  ];
  return `## Good to know\n\n${list.map((line) => `- ${line}`).join('\n')}`;
}
