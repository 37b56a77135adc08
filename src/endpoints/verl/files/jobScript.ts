/**
 * The script of a job: the trainer, then the export of its adapter. The script keeps `pid`, `alive` and `exit` beside
 * itself, so that whether a job still runs can be seen even where the launcher has forgotten it.
 */
import type { Place } from './jobSettings.ts';
import { quoted } from '../../../shared/text/shellCommand.ts';

const trainers = { agent: 'verl.trainer.main_ppo', environment: 'verl.trainer.sft_trainer_ray' };

/** Seconds between two signs of life. */
const beat = 5;

/** @param workdir may hold an `env.sh` that a person wrote: modules to load, an environment to activate */
export function jobScript(
  kind: keyof typeof trainers,
  overrides: readonly string[],
  place: Place,
  workdir: string,
): string {
  const words = overrides.map((override) => ` \\\n  ${quoted(override)}`).join('');
  return scriptOf(
    place,
    workdir,
    `python3 -m ${trainers[kind]}${words} || exit

step=$(cat ${quoted(`${place.checkpoints}/latest_checkpointed_iteration.txt`)}) || exit
saved=${quoted(place.checkpoints)}/global_step_$step
if [ -d "$saved/actor" ]; then saved=$saved/actor; fi
python3 -m verl.model_merger merge --backend fsdp --local_dir "$saved" --target_dir ${quoted(place.export)} || exit
python3 ${quoted(place.finish)}`,
  );
}

/**
 * A script that any launcher can follow, around what a job does. It can be stopped as soon as it is seen alive: traps
 * come first.
 */
export function scriptOf({ id, folder }: Pick<Place, 'id' | 'folder'>, workdir: string, work: string): string {
  return `#!/bin/bash
# ${id}: written by GenEnv. Files of this folder are described in its documentation (endpoints.md).
cd ${quoted(folder)} || exit
echo "$$ $(echo $(ps -o lstart= -p $$ 2>/dev/null))" > pid
beating=
ended() {
  code=$?
  kill $beating 2>/dev/null
  echo "$code" > exit.partial && mv exit.partial exit
}
trap ended EXIT
trap 'exit 143' TERM INT HUP
( while kill -0 $$ 2>/dev/null; do date > alive.partial && mv alive.partial alive; sleep ${beat}; done ) > /dev/null 2>&1 &
beating=$!
if [ -f ${quoted(`${workdir}/env.sh`)} ]; then . ${quoted(`${workdir}/env.sh`)}; fi

${work}
`;
}

/**
 * The last step, in Python because the cluster has that: the adapter's scale is set right (mergers that find no record of
 * it write 0, which silences the adapter, or guess), and what nothing reads again goes: a full model for every epoch.
 */
export function finishScript(place: Place, model: string, rank: number, alpha: number): string {
  return `import json, os, shutil, sys

folder = ${JSON.stringify(place.export)}
path = os.path.join(folder, "lora_adapter", "adapter_config.json")
if not os.path.exists(path):
    sys.exit("The checkpoint holds no LoRA weights: " + path + " is missing.")
with open(path, encoding="utf-8") as file:
    config = json.load(file)
if config.get("r") != ${rank}:
    sys.exit("The adapter has rank " + str(config.get("r")) + ", not ${rank}.")
if config.get("lora_alpha") != ${alpha}:
    print("lora_alpha was written as", config.get("lora_alpha"), "and is ${alpha}.")
    config["lora_alpha"] = ${alpha}
config["base_model_name_or_path"] = config.get("base_model_name_or_path") or ${JSON.stringify(model)}
with open(path + ".partial", "w", encoding="utf-8") as file:
    json.dump(config, file, indent=2)
os.replace(path + ".partial", path)
for name in os.listdir(folder):
    inner = os.path.join(folder, name)
    if name == "lora_adapter":
        continue
    shutil.rmtree(inner) if os.path.isdir(inner) else os.remove(inner)
shutil.rmtree(${JSON.stringify(place.checkpoints)})
`;
}
