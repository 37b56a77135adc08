import { resolve } from 'node:path';
import { doctorHeading, doctorItem, doctorVerdict } from '../node/checks/markdown.ts';
import type { DoctorLine } from '../../../endpoints/doctorLine.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { visit } from '../node/doctor.ts';
import {
  openenvAt,
  openenvOfExperiment,
  visitOpenenv,
  type OpenenvVisit,
} from '../../../launch/domains/doctorOpenenv.ts';
import { visitsOf, visitAt, type Visit } from '../node/doctorVisits.ts';
import { keyBeside, secretIn } from '../../../shared/experiment/endpoints/addressField.ts';
import { defined } from '../../../shared/defined.ts';
import { loadWeights } from '../../../launch/policies/weightFiles.ts';
import { cliKeys } from '../../../cli/consent/cliKeys.ts';
import { writeJson, type Surroundings } from '../../../cli/context.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { stopAtInterrupt } from '../../../cli/interrupts.ts';
import { readExperiment } from '../../../cli/readExperiment.ts';
import { warningsTo } from '../../../cli/terminal.ts';
import { UsageError } from '../../../cli/usageError.ts';

/** `genenv doctor FILE|URL`: an endpoint's capabilities, each line with evidence; fails where one does not work. */
export async function doctor(context: Surroundings): Promise<ExitCode> {
  const { terminal, arguments: given, dist, version } = context;
  const { out } = terminal;
  const json = given.has('json');
  const interrupts = stopAtInterrupt(terminal);
  const log = {
    info: () => undefined,
    warn: warningsTo(terminal),
  };
  const reports: { subject: string; lines: DoctorLine[] }[] = [];
  try {
    const keys = await cliKeys(context);
    const { visits, weights, openenv } = await visitsFor(context, keys);
    const { signal } = interrupts;
    const options = { dist, keys, log, signal, ...defined({ weights }) };
    const found = [
      ...visits.map(({ subject, endpoint, role }) => ({ subject, seen: () => visit(endpoint, role, options) })),
      ...openenv.map((visit) => ({ subject: visit.subject, seen: () => visitOpenenv(visit, options) })),
    ];
    for (const { subject, seen } of found) {
      const lines: DoctorLine[] = [];
      if (!json) out.write(`${doctorHeading({ subject, at: new Date(terminal.now()).toISOString(), version })}\n`);
      for await (const line of seen()) {
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

interface Visits {
  visits: readonly Visit[];
  weights?: Awaited<ReturnType<typeof loadWeights>>;
  /** Where episodes are played on a server. */
  openenv: readonly OpenenvVisit[];
}

/** @throws UsageError, InputError */
async function visitsFor(context: Surroundings, keys: Keys): Promise<Visits> {
  const { terminal, arguments: given, dist } = context;
  const { target } = given;
  if (/^https?:\/\//.test(target)) {
    const secret = secretIn(target);
    if (secret !== null) throw new UsageError(`The address holds ${secret}, which reports would show.`, keyBeside());
    const kind = given.text('kind') ?? 'tinker';
    if (kind === 'openenv') return { visits: [], openenv: [openenvAt(target, given.text('key'))] };
    if (kind !== 'tinker' && kind !== 'openai')
      throw new UsageError(
        `${kind} is no kind of server.`,
        'Give --kind tinker, openai or openenv; a cluster of verl is examined by its experiment file.',
      );
    const one = await visitAt({ kind, url: target, key: given.text('key') }, given.text('model'), keys);
    return { visits: [one], openenv: [] };
  }
  const { experiment, directory, named } = await readExperiment(terminal.cwd, target, given.all('set'));
  return {
    visits: visitsOf(experiment),
    weights: await named(() => loadWeights(experiment, resolve(directory))),
    openenv: await openenvOfExperiment(experiment, directory, dist),
  };
}
