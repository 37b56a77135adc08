import { resolve } from 'node:path';
import { doctorHeading, doctorItem, doctorVerdict } from '../../backends/doctor/markdown.ts';
import type { DoctorLine } from '../../backends/doctor/line.ts';
import { environmentKeys } from '../../launch/keys.ts';
import { visit } from '../../launch/doctor.ts';
import { visitsOf, visitAt, type Visit } from '../../launch/doctorVisits.ts';
import { loadWeights } from '../../launch/weightFiles.ts';
import { writeJson, type Context } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { stopAtInterrupt } from '../interrupts.ts';
import { readExperiment } from '../readExperiment.ts';
import { UsageError } from '../usageError.ts';

/** `genenv doctor FILE|URL`: what an endpoint can do, each line with evidence; fails where one does not work. */
export async function doctor(context: Context): Promise<ExitCode> {
  const { terminal, arguments: given, dist, version } = context;
  const { out, err } = terminal;
  const json = given.has('json');
  const interrupts = stopAtInterrupt(terminal);
  const log = {
    info: () => undefined,
    warn: (message: string) => err.write(`${err.style.warn('warning:')} ${message}\n`),
  };
  const reports: { subject: string; lines: DoctorLine[] }[] = [];
  try {
    const { visits, weights } = await visitsFor(context);
    for (const { subject, endpoint, role } of visits) {
      const lines: DoctorLine[] = [];
      if (!json) out.write(`${doctorHeading({ subject, at: new Date(terminal.now()).toISOString(), version })}\n`);
      const options = {
        dist,
        keys: environmentKeys(terminal.env),
        log,
        signal: interrupts.signal,
        ...(weights === undefined ? {} : { weights }),
      };
      for await (const line of visit(endpoint, role, options)) {
        lines.push(line);
        if (!json) out.write(`${doctorItem(line)}\n`);
      }
      if (!json) out.write(`\n${doctorVerdict(lines)}\n`);
      reports.push({ subject, lines });
    }
  } finally {
    interrupts.dispose();
  }
  const sound = reports.every(({ lines }) => lines.every(({ mark }) => mark !== 'no'));
  if (json) writeJson(terminal, { passed: sound, endpoints: reports });
  return sound ? exitCode.done : exitCode.failed;
}

type Visits = { visits: readonly Visit[]; weights?: Awaited<ReturnType<typeof loadWeights>> };

/** @throws UsageError, InputError */
async function visitsFor({ terminal, arguments: given }: Context): Promise<Visits> {
  const { target } = given;
  if (/^https?:\/\//.test(target)) {
    const kind = given.text('kind') ?? 'tinker';
    if (kind !== 'tinker' && kind !== 'openai')
      throw new UsageError(
        `${kind} is no kind of server.`,
        'Give --kind tinker or openai; a cluster of verl is examined by its experiment file.',
      );
    const keys = environmentKeys(terminal.env);
    return { visits: [await visitAt({ kind, url: target, key: given.text('key') }, given.text('model'), keys)] };
  }
  const { experiment, directory } = await readExperiment(terminal.cwd, target, given.all('set'));
  return { visits: visitsOf(experiment), weights: await loadWeights(experiment, resolve(directory)) };
}
