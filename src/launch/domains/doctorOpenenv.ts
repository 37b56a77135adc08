/** The doctor's check of an OpenEnv server: its capabilities for a run, tested with one or two episodes. */
import * as l10n from '@vscode/l10n';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { broken, no, unknown, yes, type DoctorLine } from '../../endpoints/doctorLine.ts';
import type { Begun, OpenenvServer } from '../../endpoints/openenv/openenvServer.ts';
import type { DomainHost } from '../../domains/domainHost.ts';
import { resetOf } from '../../domains/openenv/episode.ts';
import { readSeeds } from '../../shared/domains/given.ts';
import { readOpenenv, type OpenenvSettings } from '../../shared/domains/openenv.ts';
import { domainsOf, withDomain } from '../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { isProgram } from '../../shared/experiment/tasks/shippedDomains.ts';
import { defined } from '../../shared/defined.ts';
import { openDomainHost, openenvOf } from './domainFile.ts';
import { keyReference } from '../access/keys.ts';
import { openOpenenv, type ServerNeeds } from './openenv.ts';

export interface OpenenvVisit {
  /** `OpenEnv at http://127.0.0.1:8000`. */
  subject: string;
  settings: OpenenvSettings;
  /** The reset parameters of the first seed task. */
  reset?: object;
}

/** A server known only by its address. @throws KeyError for a key that is no reference */
export function openenvAt(url: string, key: string | null): OpenenvVisit {
  if (key !== null) keyReference(key);
  const read = readOpenenv({ url, key });
  if ('fault' in read) throw new Error(`${read.fault}.`);
  return { subject: subjectOf(url), settings: read.value };
}

/** The servers that an experiment's domain files name, a server once. @throws InputError */
export async function openenvOfExperiment(
  experiment: Experiment,
  directory: string,
  dist: URL,
): Promise<OpenenvVisit[]> {
  const visits = new Map<string, OpenenvVisit>();
  for (const part of domainsOf(experiment)) {
    const visit = await openenvOfDomain(withDomain(experiment, part), directory, dist);
    if (visit !== null && !visits.has(visit.settings.url)) visits.set(visit.settings.url, visit);
  }
  return [...visits.values()];
}

async function openenvOfDomain(experiment: Experiment, directory: string, dist: URL): Promise<OpenenvVisit | null> {
  const { name, file } = experiment.domain;
  if (!isProgram({ name, file }) || file === null) return null;
  const main = resolve(directory, file);
  const host = await openDomainHost(experiment, main, dist, 1);
  try {
    const settings = await openenvOf(host, main);
    if (settings === null) return null;
    const reset = host.has('seeds') ? await firstReset(host) : null;
    return { subject: subjectOf(settings.url), settings, ...defined({ reset: reset ?? undefined }) };
  } finally {
    host.dispose();
  }
}

/** Null where the file gives none, or fails to: that is another check's matter. */
async function firstReset(host: DomainHost): Promise<object | null> {
  const reply = await host.call('seeds', 'base');
  const read = 'fault' in reply ? null : readSeeds(reply.written);
  const [first] = read !== null && 'value' in read ? read.value : [];
  return first === undefined ? null : resetOf(first.draft);
}

const subjectOf = (url: string): string => l10n.t('OpenEnv at {0}', url);

/** The reset parameters of both sessions: equal, to show whether they begin alike. */
const usualReset = { seed: 0 };

/** Yields each line when it is found. @throws the signal's reason */
export async function* visitOpenenv(
  { settings, reset = usualReset }: OpenenvVisit,
  needs: ServerNeeds,
): AsyncGenerator<DoctorLine> {
  const { signal } = needs;
  const full = new AbortController();
  let server: OpenenvServer;
  const began = performance.now();
  try {
    server = await openOpenenv(settings, {
      ...needs,
      tries: 1,
      onFull: () => full.abort(new Error(l10n.t('It is full.'))),
    });
  } catch (error) {
    signal.throwIfAborted();
    yield broken(l10n.t('Reached'), error);
    return;
  }
  try {
    yield yes(
      l10n.t('Reached'),
      l10n.t('It answered in {0} ms.', Math.round(performance.now() - began)),
      l10n.t('Address and network are right.'),
    );
    yield named(server);
    yield* schemas(server);
    const first = await begun(server, reset, signal);
    if ('line' in first) {
      yield first.line;
      return;
    }
    yield yes(l10n.t('Reset'), l10n.t('It gave {0}.', fieldsOf(first.first.observation)), l10n.t('Episodes begin so.'));
    yield await tools(first);
    const second = await begun(server, reset, AbortSignal.any([signal, full.signal]));
    if ('line' in second) {
      signal.throwIfAborted();
      yield full.signal.aborted ? oneAlone(server) : second.line;
      return;
    }
    const most = Math.min(settings.sessions, server.allowed ?? settings.sessions);
    yield yes(
      l10n.t('Sessions'),
      l10n.t('Two were open at once.'),
      l10n.t('A run opens up to {0}, or as many as the server allows.', most),
    );
    yield isDeepStrictEqual(first.first, second.first)
      ? yes(
          l10n.t('Repeatable'),
          l10n.t('Two equal resets began alike.'),
          l10n.t('Success rates are of the same episode.'),
        )
      : unknown(
          l10n.t('Repeatable'),
          l10n.t('Two equal resets ({0}) began differently.', JSON.stringify(reset)),
          l10n.t(
            'Attempts at one task may differ in more than the agent. Give a seed in “reset” where the environment takes one.',
          ),
        );
  } finally {
    await server.close();
  }
  signal.throwIfAborted();
}

function named({ metadata }: OpenenvServer): DoctorLine {
  if (metadata === null)
    return unknown(
      l10n.t('Name'),
      l10n.t('There is no /metadata.'),
      l10n.t('Runs do not show which environment they played.'),
    );
  const { name, version, description } = metadata;
  const words = [`${name}${version === null ? '' : ` ${version}`}`, ...(description === '' ? [] : [description])];
  return yes(l10n.t('Name'), `${words.join(': ')}.`, l10n.t('It is kept in endpoints/openenv-NAME.json of each run.'));
}

function* schemas({ schemas: { action, observation } }: OpenenvServer): Generator<DoctorLine> {
  const of = { action: fieldsIn(action), observation: fieldsIn(observation) };
  yield of.action === ''
    ? unknown(
        l10n.t('Actions'),
        l10n.t('The schema of its actions names no field.'),
        l10n.t('Export “act”, so that answers become actions.'),
      )
    : yes(
        l10n.t('Actions'),
        l10n.t('Fields: {0}.', of.action),
        l10n.t('Without “act” an answer is one JSON object of them.'),
      );
  yield of.observation === ''
    ? unknown(
        l10n.t('Observations'),
        l10n.t('Their schema names no field.'),
        l10n.t('What the agent reads shows with the first reset.'),
      )
    : yes(
        l10n.t('Observations'),
        l10n.t('Fields: {0}.', of.observation),
        l10n.t('Without “observe” the agent reads them as JSON.'),
      );
}

async function begun(server: OpenenvServer, reset: object, signal: AbortSignal): Promise<Begun | { line: DoctorLine }> {
  try {
    return await server.begin(reset, signal);
  } catch (error) {
    return { line: broken(l10n.t('Reset'), error) };
  }
}

async function tools({ session }: Begun): Promise<DoctorLine> {
  try {
    const names = (await session.tools()).map(({ name }) => name);
    if (names.length === 0) return yes(l10n.t('Tools'), l10n.t('It offers none.'), l10n.t('Answers are actions.'));
    return yes(
      l10n.t('Tools'),
      l10n.t('By MCP: {0}.', names.join(', ')),
      l10n.t('The agent is given them; its endpoint must take tools.'),
    );
  } catch (error) {
    return broken(l10n.t('Tools'), error);
  }
}

const oneAlone = ({ allowed }: OpenenvServer): DoctorLine =>
  no(
    l10n.t('Sessions'),
    allowed === null || allowed === 1
      ? l10n.t('It is full with one session.')
      : l10n.t('It is full with {0} sessions, others’ among them.', allowed),
    l10n.t('Attempts wait for each other. Have it serve more at once (max_concurrent_envs).'),
  );

const fieldsOf = (value: object): string => Object.keys(value).join(', ') || l10n.t('an empty observation');

function fieldsIn(schema: Readonly<Record<string, unknown>>): string {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return '';
  return Object.keys(properties)
    .filter((name) => !['metadata', 'reward', 'done'].includes(name))
    .join(', ');
}
