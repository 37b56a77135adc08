/** Whether a cluster can run jobs: one that trains nothing tells what jobs find there. */
import * as z from 'zod';
import { parseSaid } from '../../../../shared/json.ts';
import { EndpointError } from '../../../../endpoints/endpointError.ts';
import { sleep, type Time } from '../../../../endpoints/time.ts';
import { diagnose } from '../../../../endpoints/verl/failure.ts';
import type { JobFiles } from '../../../../endpoints/verl/files/jobFiles.ts';
import { scriptOf } from '../../../../endpoints/verl/files/jobScript.ts';
import type { JobPlace, JobStatus, Launcher } from '../../../../endpoints/verl/launchers/launcher.ts';
import { broken, no, unknown, yes, type DoctorLine } from '../../../../endpoints/doctorLine.ts';

export interface ClusterSubject {
  launcher: Launcher;
  files: JobFiles;
  /** As the cluster sees it. */
  workdir: string;
  /** GPUs that a run's job takes, on all nodes. */
  gpus: number;
  /** Tells this job from all others. */
  id: string;
  time: Time;
  signal: AbortSignal;
}

const toldSchema = z.object({
  python: z.string(),
  verl: z.string().nullable(),
  gpus: z.number().nullable(),
  counted: z.string(),
  /** Why a process of the cluster cannot train; null: it can; absent where no GPU is reported to test it on. */
  trains: z.string().nullish(),
});

/** Milliseconds for a job that does next to nothing, its wait for a place included. */
const patience = 180_000;
const between = 1_000;

/** Every line as it is found; ends early where nothing more can be tried. */
export async function* examineCluster(subject: ClusterSubject): AsyncGenerator<DoctorLine> {
  const { launcher, files, workdir, id, time, signal } = subject;
  const began = time.now();
  try {
    const told = await launcher.check(signal);
    yield yes('Cluster', `${told}, after ${Math.round(time.now() - began)} ms.`, 'Address and key are right.');
  } catch (error) {
    yield broken('Cluster', error);
    return;
  }
  const place = { id: `genenv-${id}`, folder: `${workdir.replace(/\/+$/, '')}/genenv-doctor/${id}` };
  try {
    await files.write(`${place.folder}/job.sh`, scriptOf(place, workdir, asking));
  } catch (error) {
    yield broken('Folder', error);
    return;
  }
  let ended: JobStatus | null;
  try {
    const about = { genenv: 'doctor' };
    await launcher.submit({ ...place, environment: { PYTHONUNBUFFERED: '1' }, about }, signal);
    ended = await endOf(subject, place);
  } catch (error) {
    yield broken('Jobs', error);
    return;
  }
  const seconds = ((time.now() - began) / 1000).toFixed(0);
  if (ended === null) {
    yield unknown(
      'Jobs',
      `One that trains nothing has not ended after ${patience / 1000} s.`,
      'The cluster may be busy: a run waits for as long as it takes.',
    );
    return;
  }
  if (ended.state !== 'done') {
    const printed = await launcher.log(place, 0, signal);
    const { cause, remedy } = diagnose(printed === '' ? ended.message : printed);
    yield no('Jobs', `One that trains nothing ended as ${ended.state}: ${cause}`, remedy);
    return;
  }
  yield yes('Jobs', `One that trains nothing was done after ${seconds} s.`, 'Jobs are taken, run and followed.');
  yield* whatItFound(subject, place);
}

async function endOf({ launcher, time, signal }: ClusterSubject, place: JobPlace): Promise<JobStatus | null> {
  const until = time.now() + patience;
  for (;;) {
    const status = await launcher.status(place, signal);
    if (status !== null && status.state !== 'queued' && status.state !== 'running') return status;
    if (time.now() >= until) return null;
    await sleep(time, between, signal);
  }
}

async function* whatItFound({ files, gpus }: ClusterSubject, { folder }: JobPlace): AsyncGenerator<DoctorLine> {
  let text: string | undefined;
  try {
    text = (await files.read(`${folder}/told.json`))?.toString();
  } catch (error) {
    if (!EndpointError.is(error)) throw error;
    yield broken('Folder', error);
    return;
  }
  const told = toldSchema.safeParse(parseSaid(text ?? '')).data;
  if (told === undefined) {
    yield no(
      'Folder',
      `The job wrote into ${folder}, and it is not seen here.`,
      'Give the same folder as this machine sees it ("mount"), and let every node see it ("workdir").',
    );
    return;
  }
  yield yes('Folder', `What the job wrote into ${folder} is read here.`, 'Rows, dumps and adapters pass both ways.');
  yield told.verl === null
    ? no(
        'verl',
        `Python ${told.python} of the job finds none.`,
        'Install it there, or activate its environment in a file env.sh in the folder of the cluster.',
      )
    : trainers(told.verl, told);
  if (told.gpus === null) yield unknown('GPUs', 'Neither Ray nor nvidia-smi tells of any.', `A job takes ${gpus}.`);
  else {
    const evidence = `${told.gpus} by ${told.counted}; a job takes ${gpus}.`;
    yield told.gpus >= gpus
      ? yes('GPUs', evidence, 'Jobs of both policies wait for each other where they do not fit together.')
      : no('GPUs', evidence, 'It would wait for ever: lower nodes or gpus of the endpoint.');
  }
}

function trainers(verl: string, { python, trains }: z.infer<typeof toldSchema>): DoctorLine {
  const found = `verl ${verl} with Python ${python}`;
  if (trains === undefined) return unknown('verl', `${found}.`, 'Trainers were not tried: no GPU is told of.');
  return trains === null
    ? yes('verl', `${found}; a process with a GPU computed on it and has vLLM.`, 'Trainers can be begun.')
    : no(
        'verl',
        `${found}, but a process with a GPU said: ${trains}`,
        'Trainers would fail: install what is missing there.',
      );
}

/** The job's commands, in the same shell and Python as every other job's. */
const asking = `python3 - <<'END' > told.partial || exit
import importlib.metadata, importlib.util, json, platform, subprocess


def version(name):
    if importlib.util.find_spec(name) is None:
        return None
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"


def gpus():
    try:
        import ray
        ray.init(address="auto", log_to_driver=False, logging_level="ERROR")
        return ray.cluster_resources().get("GPU", 0), "Ray"
    except Exception:
        pass
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True)
        return len(listed.stdout.strip().splitlines()), "nvidia-smi"
    except Exception:
        return None, ""


def trains():
    try:
        import torch
        torch.ones(2, 2, device="cuda").sum().item()
        import vllm
        return None
    except BaseException as error:
        return (type(error).__name__ + ": " + str(error)).splitlines()[0][:300]


def tried(counted):
    if counted != "Ray":
        return trains()
    import ray
    try:
        return ray.get(ray.remote(num_gpus=1)(trains).remote(), timeout=120)
    except Exception as error:
        return (type(error).__name__ + ": " + str(error)).splitlines()[0][:300]


count, counted = gpus()
step = {"trains": tried(counted)} if count else {}
print(json.dumps({"python": platform.python_version(), "verl": version("verl"), "gpus": count, "counted": counted, **step}))
END
mv told.partial told.json`;
