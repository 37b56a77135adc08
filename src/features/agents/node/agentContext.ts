/** The subject of the tools for agents: one folder, its runs, and nothing else. */
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock, Log } from '../../../engine/ports.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import type { RunContext } from '../../../runs/store/runContext.ts';
import { RunError } from '../../../runs/store/runError.ts';
import { readHead, type RunHead } from '../../../runs/store/runHead.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { RunStore } from '../../../runs/store/runStore.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { linkTo, type LinkedTarget } from '../../links/contract.ts';
import { AgentError } from '../core/agentError.ts';
import { named } from '../core/quoting.ts';
import { ProposalFolder } from './proposals.ts';
import { Reach } from './reach.ts';

export interface AgentPlace {
  /** Absolute path of the folder that it is started for: studies, experiments, task files. */
  folder: string;
  /** Absolute path of the folder of runs. */
  root: string;
  /** The folder of built files; the product’s own pages lie in `docs` beside it. */
  dist: URL;
  /** Whether a person lets agents start, pause and branch runs. */
  mayAct: boolean;
  /** Of links into the editor: `vscode`. */
  scheme: string;
  version: string;
  /** The author of proposals, shown to the user. */
  by: string;
  clock: Clock;
  log: Log;
}

const extension = 'genenv.genenv';
/** Heads are read by so many at once. */
const readers = 16;

export class AgentContext {
  readonly place: AgentPlace;
  readonly reach: Reach;
  readonly store: RunStore;
  readonly runContext: RunContext;
  readonly proposals: ProposalFolder;

  private constructor(place: AgentPlace, reach: Reach) {
    this.place = place;
    this.reach = reach;
    this.store = new RunStore(place.root, place);
    this.proposals = new ProposalFolder(place.folder, place.root, place.clock);
    this.runContext = { clock: place.clock, log: place.log, files: nodeFiles };
  }

  static async open(place: AgentPlace): Promise<AgentContext> {
    return new AgentContext(place, await Reach.of(place.folder, place.root));
  }

  /** Absolute path of a file that an agent names. @throws AgentError `outside` */
  async file(path: string): Promise<string> {
    const absolute = resolve(this.place.folder, path);
    await this.reach.check(absolute);
    return absolute;
  }

  /** Works on an opened run and closes it. @throws RunError; AgentError `outside` */
  async withRun<T>(idOrPrefix: string, work: (run: RunReader) => Promise<T>): Promise<T> {
    const id = await this.store.find(idOrPrefix);
    await this.reach.checkRun(join(this.place.root, id));
    const run = await this.store.openReader(id);
    try {
      return await work(run);
    } finally {
      await run.close();
    }
  }

  /** Every run, newest first; folders that cannot be read as one, or that lead out, with why. */
  async heads(): Promise<{ heads: RunHead[]; problems: { id: string; why: string }[] }> {
    const heads: RunHead[] = [];
    const problems: { id: string; why: string }[] = [];
    const next = (await this.store.ids()).values();
    const read = async (): Promise<void> => {
      for (const id of next) {
        const dir = join(this.place.root, id);
        try {
          await this.reach.checkRun(dir);
          heads.push({ ...(await readHead(dir, this.place.clock)), id });
        } catch (error) {
          if (RunError.is(error) || error instanceof AgentError) problems.push({ id, why: error.message });
          // One folder that the system refuses hides no other run.
          else if (codeOf(error) !== '') problems.push({ id, why: `the system refuses it (${codeOf(error)}).` });
          else throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: readers }, read));
    const order = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);
    heads.sort((a, b) => order(a.startedAt, b.startedAt) || order(a.id, b.id));
    problems.sort((a, b) => order(a.id, b.id));
    return { heads, problems };
  }

  /** A link that opens a place of a run in the editor. */
  link(text: string, target: LinkedTarget): string {
    const { path, query } = linkTo(target);
    const address = new URL(`${this.place.scheme}://${extension}`);
    const way = path.split('/').map(encodeURIComponent).join('/');
    return `[${named(text)}](${address.protocol}//${extension}${way}${query === '' ? '' : `?${query}`})`;
  }

  /** A link to a line of a file of the folder. */
  fileLink(path: string, line: number): string {
    const said = relative(this.place.folder, path).replaceAll('\\', '/');
    return `[${named(`${said}:${line}`)}](${pathToFileURL(path).href}#L${line})`;
  }
}
