/** Whether a cluster can run jobs: one that trains nothing tells what jobs find there. */
import * as l10n from '@vscode/l10n';
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
    yield yes(
      l10n.t('Cluster'),
      l10n.t('{0}, after {1} ms.', told, Math.round(time.now() - began)),
      l10n.t('Address and key are right.'),
    );
  } catch (error) {
    yield broken(l10n.t('Cluster'), error);
    return;
  }
  const place = { id: `genenv-${id}`, folder: `${workdir.replace(/\/+$/, '')}/genenv-doctor/${id}` };
  try {
    await files.write(`${place.folder}/job.sh`, scriptOf(place, workdir, asking));
  } catch (error) {
    yield broken(l10n.t('Folder'), error);
    return;
  }
  let ended: JobStatus | null;
  try {
    const about = { genenv: 'doctor' };
    await launcher.submit({ ...place, environment: { PYTHONUNBUFFERED: '1' }, about }, signal);
    ended = await endOf(subject, place);
  } catch (error) {
    yield broken(l10n.t('Jobs'), error);
    return;
  }
  const seconds = count((time.now() - began) / 1000);
  if (ended === null) {
    yield unknown(
      l10n.t('Jobs'),
      l10n.t('One that trains nothing has not ended after {0} s.', patience / 1000),
      l10n.t('The cluster may be busy: a run waits for as long as it takes.'),
    );
    return;
  }
  if (ended.state !== 'done') {
    const printed = await launcher.log(place, 0, signal);
    const { cause, remedy } = diagnose(printed === '' ? ended.message : printed);
    yield no(l10n.t('Jobs'), l10n.t('One that trains nothing ended as {0}: {1}', ended.state, cause), remedy);
    return;
  }
  yield yes(
    l10n.t('Jobs'),
    l10n.t('One that trains nothing was done after {0} s.', seconds),
    l10n.t('Jobs are taken, run and followed.'),
  );
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
    yield broken(l10n.t('Folder'), error);
    return;
  }
  const told = toldSchema.safeParse(parseSaid(text ?? '')).data;
  if (told === undefined) {
    yield no(
      l10n.t('Folder'),
      l10n.t('The job wrote into {0}, and it is not seen here.', folder),
      l10n.t('Give the same folder as this machine sees it ("mount"), and let every node see it ("workdir").'),
    );
    return;
  }
  yield yes(
    l10n.t('Folder'),
    l10n.t('What the job wrote into {0} is read here.', folder),
    l10n.t('Rows, dumps and adapters pass both ways.'),
  );
  yield told.verl === null
    ? no(
        'verl',
        l10n.t('Python {0} of the job finds none.', told.python),
        l10n.t('Install it there, or activate its environment in a file env.sh in the folder of the cluster.'),
      )
    : trainers(told.verl, told);
  if (told.gpus === null)
    yield unknown('GPUs', l10n.t('Neither Ray nor nvidia-smi tells of any.'), l10n.t('A job takes {0}.', gpus));
  else {
    const evidence = l10n.t('{0} by {1}; a job takes {2}.', told.gpus, told.counted, gpus);
    yield told.gpus >= gpus
      ? yes('GPUs', evidence, l10n.t('Jobs of both policies wait for each other where they do not fit together.'))
      : no('GPUs', evidence, l10n.t('It would wait for ever: lower nodes or gpus of the endpoint.'));
  }
}

function trainers(verl: string, { python, trains }: z.infer<typeof toldSchema>): DoctorLine {
  const found = l10n.t('verl {0} with Python {1}', verl, python);
  if (trains === undefined) return unknown('verl', `${found}.`, l10n.t('Trainers were not tried: no GPU was found.'));
  return trains === null
    ? yes(
        'verl',
        l10n.t('{0}; a process with a GPU computed on it and has vLLM.', found),
        l10n.t('Trainers can be begun.'),
      )
    : no(
        'verl',
        l10n.t('{0}, but a process with a GPU said: {1}', found, trains),
        l10n.t('Trainers would fail: install what is missing there.'),
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
import { count } from '../../../../shared/text/figures/numbers.ts';
