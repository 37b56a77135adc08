import * as l10n from '@vscode/l10n';
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Clock, Log } from '../../engine/ports.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { journalVersion } from '../../shared/journal/events.ts';
import { codeOf } from '../../shared/systemError.ts';
import { branchInto } from './branch.ts';
import { refuseBranchOfImported } from './branchable.ts';
import { readError, writeError } from '../files/fileErrors.ts';
import { nodeFiles, type FileOperations } from '../files/fileOperations.ts';
import { recordVersion } from '../index/recordKind.ts';
import { lineageOf } from '../journal/lineage.ts';
import { Lease } from '../lease/lease.ts';
import { examineLease } from '../lease/leaseFile.ts';
import { manifestVersion, readManifest, writeManifest, type Imported, type Manifest } from './manifest.ts';
import type { IndexProgress } from '../records/recordLog.ts';
import { nearestIds } from './nearestIds.ts';
import { RunError } from './runError.ts';
import { readHead, type RunHead } from './runHead.ts';
import { runPaths, sourceOf } from './runPaths.ts';
import { RunReader } from './runReader.ts';
import { RunWriter } from './runWriter.ts';
import { sessionVersion } from '../journal/sessionEvent.ts';
import { beginSessions } from '../journal/sessionLine.ts';
import { nameOfNew } from './nameOfNew.ts';
import type { RunContext } from './runContext.ts';
import { noLabel, writeLabel, type StudyMark } from './runLabel.ts';

/** A folder among the runs that cannot be read as one. */
export interface RunProblem {
  id: string;
  error: RunError;
}

export interface RunStoreDeps {
  clock: Clock;
  log: Log;
  /** Release of this program, for `run.json`. */
  version: string;
  /** The disk; another one in tests. */
  files?: FileOperations;
  /** Resolves after so many milliseconds; the machine's when absent. */
  sleep?: (milliseconds: number) => Promise<void>;
  onIndexing?: (progress: IndexProgress) => void;
}

interface Origin extends Pick<Manifest, 'parent' | 'ancestors' | 'servers' | 'imported'> {
  file: string | null;
  study: StudyMark | null;
}

/** Folders that are being made or removed; a crash may leave one behind. */
const unfinished = /^\.(?:new|gone)-/;
/** The folder of the queue's runner; it is no run. */
export const runnerFolder = '.runner';
const removed = '.gone-';
/** Heads are read by so many at once. */
const readers = 16;

/** The runs of one folder, `<workspace>/.genenv/runs`. */
export class RunStore {
  readonly root: string;
  readonly #context: RunContext;
  readonly #version: string;

  constructor(root: string, deps: RunStoreDeps) {
    this.root = root;
    this.#version = deps.version;
    const { clock, log, files = nodeFiles, sleep, onIndexing } = deps;
    this.#context = { clock, log, files, sleep, onIndexing };
  }

  /** Every readable run, newest first, from the ends of its files alone. */
  async list(): Promise<RunHead[]> {
    return (await this.scan()).runs;
  }

  /** Folders that are no readable run, with the reason. */
  async problems(): Promise<RunProblem[]> {
    return (await this.scan()).problems;
  }

  /** `list` and `problems` in one pass. */
  async scan(): Promise<{ runs: RunHead[]; problems: RunProblem[] }> {
    const runs: RunHead[] = [];
    const problems: RunProblem[] = [];
    const ids = await this.ids();
    const next = ids.values();
    const read = async () => {
      for (const id of next) {
        try {
          runs.push({ ...(await readHead(this.#dir(id), this.#context.clock)), id });
        } catch (error) {
          if (!RunError.is(error)) throw error;
          problems.push({ id, error });
        }
      }
    };
    await Promise.all(Array.from({ length: readers }, read));
    runs.sort((a, b) => compare(b.startedAt, a.startedAt) || compare(b.id, a.id));
    problems.sort((a, b) => compare(b.id, a.id));
    return { runs, problems };
  }

  /** The full id of a run. @throws RunError `not-found` naming the nearest ids, `ambiguous` */
  async find(idOrPrefix: string): Promise<string> {
    const ids = await this.ids();
    if (ids.includes(idOrPrefix)) return idOrPrefix;
    const matches = idOrPrefix === '' ? [] : ids.filter((id) => id.startsWith(idOrPrefix));
    const [match] = matches;
    if (match !== undefined && matches.length === 1) return match;
    if (match !== undefined) {
      throw new RunError('ambiguous', {
        what: l10n.t('"{0}" is the start of {1} runs: {2}', idOrPrefix, matches.length, sample(matches)),
        remedy: l10n.t('Give more of the id.'),
      });
    }
    const near = nearestIds(idOrPrefix, ids);
    throw new RunError('not-found', {
      what: l10n.t('there is no run "{0}" in {1}', idOrPrefix, this.root),
      remedy:
        near.length > 0
          ? l10n.t('Did you mean {0}?', near.join(l10n.t(' or ')))
          : l10n.t('There are no runs there yet.'),
    });
  }

  /** A new run, with its lease taken. @throws RunError `disk-full`, `unwritable`, and the errors of `fill` */
  create(init: {
    experiment: Experiment;
    /** The experiment's file. */
    file?: string;
    /** The source of imported rollouts: once closed, such a run is never written again. */
    imported?: Imported;
    /** Servers that its domain files name. */
    servers?: Manifest['servers'];
    /** The membership in a study, whose name is already distinctive. */
    study?: StudyMark;
    /** Puts more into the folder before it is a run. Where it throws, there is none. */
    fill?: (dir: string) => Promise<void>;
  }): Promise<RunWriter> {
    const { file = null, imported = null, servers = [], study = null, fill = () => Promise.resolve() } = init;
    const origin = { parent: null, ancestors: [], file, servers, imported, study };
    return this.#make(init.experiment, origin, fill);
  }

  /** @throws RunError `not-found`, `ambiguous`, `in-use`, `imported`, `format`, `version`, `disk-full`, `unwritable` */
  async openWriter(id: string): Promise<RunWriter> {
    const dir = this.#dir(await this.find(id));
    const { imported } = await readManifest(dir);
    if (imported !== null) {
      throw new RunError('imported', {
        what: l10n.t('the run {0} was imported from {1} ({2}) and is only read', id, imported.from, imported.format),
        remedy: l10n.t('Make seed tasks of the original file with “genenv import”, and run an experiment on them.'),
      });
    }
    return RunWriter.open(dir, this.#context);
  }

  /** @throws RunError `not-found`, `ambiguous`, `format`, `version` */
  async openReader(id: string): Promise<RunReader> {
    return RunReader.open(this.#dir(await this.find(id)), this.#context);
  }

  /**
   * A new run that begins with the parent's journal, records and checkpoints up to the end of an epoch; 0 is before the
   * first. It is paused until it is resumed.
   * @throws RunError `cannot-branch` naming the epochs that can be branched, and the errors of `create`
   */
  async branch(id: string, epoch: number, experiment: Experiment): Promise<RunWriter> {
    const parent = await this.openReader(id);
    try {
      refuseBranchOfImported(parent.manifest);
      const file = sourceOf(parent.dir, parent.manifest);
      const lineage = await lineageOf(parent.dir, parent.manifest);
      const ancestors = lineage.map(({ parent: before, experiment: own }) => ({ parent: before, experiment: own }));
      // It reads the parent's copies of domain files.
      const { servers } = parent.manifest;
      const origin = { parent: { run: parent.id, epoch }, ancestors, file, servers, imported: null, study: null };
      return await this.#make(experiment, origin, async (dir) => {
        await branchInto(parent.dir, epoch, dir, this.#context);
        const reason = `Branched from ${parent.id} after epoch ${epoch}.`;
        await beginSessions(runPaths(dir).sessions, { type: 'paused', reason }, this.#context);
      });
    } finally {
      await parent.close();
    }
  }

  /** @throws RunError `not-found`, `ambiguous`, `in-use`, `unwritable` */
  async remove(idOrPrefix: string): Promise<void> {
    const id = await this.find(idOrPrefix);
    const lease = await this.#takeFrom(id);
    const gone = join(this.root, `${removed}${id}-${randomBytes(4).toString('hex')}`);
    try {
      // Renamed first: a removal that is cut short must not leave half a run in the list.
      await this.#context.files.rename(this.#dir(id), gone);
      await rm(gone, { recursive: true, force: true });
    } catch (error) {
      throw writeError(error, this.#dir(id));
    } finally {
      await lease?.release();
    }
  }

  /** For one that is about to remove a run in another way. @throws RunError `in-use` */
  async refuseInUse(id: string): Promise<void> {
    await (await this.#takeFrom(id))?.release();
  }

  /** Null where a full disk has no room for a lease, and no live process holds one. @throws RunError `in-use` */
  async #takeFrom(id: string): Promise<Lease | null> {
    const { lease } = runPaths(this.#dir(id));
    try {
      return await Lease.take(lease, this.#context);
    } catch (error) {
      const found = await examineLease(lease, this.#context.clock);
      if (RunError.is(error, 'disk-full') && found.state !== 'live') return null;
      throw error;
    }
  }

  /** Fills a folder out of sight and gives it its name when it is whole, so that a crash leaves no half run. */
  async #make(
    experiment: Experiment,
    { parent, ancestors, file, servers, imported, study }: Origin,
    fill: (dir: string) => Promise<void>,
  ): Promise<RunWriter> {
    const { files, clock } = this.#context;
    const now = new Date(clock.now());
    const hidden = join(this.root, `.new-${process.pid}-${randomBytes(4).toString('hex')}`);
    const wanted = `${stamp(now)}-${slug(experiment.name)}`;
    let made = hidden;
    let lease: Lease | null = null;
    try {
      await files.makeFolder(hidden);
      lease = await Lease.take(runPaths(hidden).lease, this.#context);
      await this.#sweep();
      await fill(hidden);
      const source = file === null ? null : relative(this.#dir(wanted), file);
      const name = study === null ? await nameOfNew(this.root, await this.ids(), { experiment, parent, source }) : null;
      if (name !== null || study !== null) await writeLabel(hidden, { ...noLabel, name, study }, files);
      for (let attempt = 1; ; attempt++) {
        const id = attempt === 1 ? wanted : `${wanted}-${attempt}`;
        await writeManifest(files, hidden, {
          v: manifestVersion,
          id,
          createdAt: now.toISOString(),
          experiment,
          versions: {
            genenv: this.#version,
            node: process.versions.node,
            journal: journalVersion,
            records: recordVersion,
            sessions: sessionVersion,
          },
          parent,
          ancestors,
          source: file === null ? null : relative(this.#dir(id), file),
          servers,
          imported,
        });
        const named = this.#dir(id);
        if (!(await lease.move(runPaths(named).lease, () => this.#rename(hidden, named)))) continue;
        // From here on, a failure removes this folder.
        made = named;
        await files.syncFolder(this.root);
        return await RunWriter.open(made, this.#context, lease);
      }
    } catch (error) {
      await lease?.release();
      // In use: another writer has it, and it is theirs now.
      if (!RunError.is(error, 'in-use')) await this.#discard(made);
      // One without a system's code is no fault of the disk, as where `fill` refuses a file.
      if (codeOf(error) === '') throw error;
      throw writeError(error, this.root);
    }
  }

  /** Never throws: it runs because of an error, which must be the one reported. */
  async #discard(dir: string): Promise<void> {
    try {
      await rm(dir, { recursive: true, force: true });
    } catch (error) {
      this.#context.log.warn(`${dir} is left over and could not be removed: ${writeError(error, dir).message}`);
    }
  }

  /**
   * Removes remains of crashes while runs were made or removed. An unfinished run has a lease, and is removed only when
   * its process is known to have ended: with a wrong clock everything looks abandoned.
   */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.root)) {
      if (!unfinished.test(name)) continue;
      const found = await examineLease(runPaths(this.#dir(name)).lease, this.#context.clock);
      if (name.startsWith(removed) || found.state === 'dead') {
        await rm(this.#dir(name), { recursive: true, force: true });
      }
    }
  }

  /** False when the name is taken. */
  async #rename(from: string, to: string): Promise<boolean> {
    try {
      await this.#context.files.rename(from, to);
      return true;
    } catch (error) {
      if (
        ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error)) &&
        (await this.ids()).some((id) => this.#dir(id) === to)
      ) {
        return false;
      }
      throw error;
    }
  }

  #dir(id: string): string {
    return join(this.root, id);
  }

  /** Ids of every folder among the runs, readable as a run or not. @throws RunError `unreadable` */
  async ids(): Promise<string[]> {
    try {
      const entries = await readdir(this.root, { withFileTypes: true });
      return entries
        .filter((entry) => !entry.isFile() && !unfinished.test(entry.name) && entry.name !== runnerFolder)
        .map(({ name }) => name);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw readError(error, this.root);
    }
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sample = (ids: readonly string[]): string =>
  ids.length <= 5 ? ids.join(', ') : `${ids.slice(0, 5).join(', ')}, …`;

/** `20261121-121437`, UTC, so that ids sort by time everywhere. */
const stamp = (at: Date): string => at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

/** A name as the end of a folder's name. */
function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return (
    plain
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 40)
      .replace(/-+$/, '') || 'run'
  );
}
