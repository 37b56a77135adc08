/** Proposals of agents in a folder beside the runs: written by agents, answered by people. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '../../../runs/files/sha256.ts';
import type { Clock } from '../../../engine/ports.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { refuseOwnFile } from '../../../runs/files/ownFiles.ts';
import { firstIssue } from '../../../shared/firstIssue.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { longestProposal, proposalSchema, type Proposal } from '../contract.ts';
import { AgentError } from '../core/agentError.ts';
import { kindOf, problemsIn } from '../core/proposed.ts';
import { named } from '../core/quoting.ts';
import { answerInTurn } from './answerInTurn.ts';
import { Reach } from './reach.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/** So many may wait; so many answered ones are kept for agents to see. */
const [mostWaiting, mostAnswered] = [50, 100];
/** Bytes of a proposal’s file: its text, each character escaped at worst. */
const largestFile = 8 * longestProposal;
const ending = '.json';

export const proposalsFolder = (root: string): string => join(dirname(root), 'proposals');

export interface Proposals {
  /** The newest first. */
  proposals: Proposal[];
  /** Files among them that are none, each with why. */
  damaged: { file: string; why: string }[];
}

export class ProposalFolder {
  readonly dir: string;
  readonly #folder: string;
  readonly #root: string;
  readonly #clock: Clock;

  /**
   * @param folder of the workspace, absolute
   * @param root of its runs, absolute
   */
  constructor(folder: string, root: string, clock: Clock) {
    this.#folder = folder;
    this.#root = root;
    this.dir = proposalsFolder(root);
    this.#clock = clock;
  }

  async all(): Promise<Proposals> {
    const found: Proposals = { proposals: [], damaged: [] };
    for (const name of await this.#names()) {
      const read = await this.#read(name);
      if ('v' in read) found.proposals.push(read);
      else found.damaged.push({ file: join(this.dir, name), why: read.damage });
    }
    found.proposals.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
    return found;
  }

  /** @throws AgentError where there is none that waits */
  async waiting(id: string): Promise<Proposal> {
    const read = proposalSchema.shape.id.safeParse(id).success ? await this.#read(`${id}${ending}`) : null;
    if (read !== null && 'v' in read && read.answer === null) return read;
    throw new AgentError('not-found', `The proposal “${named(id)}” waits no longer.`, 'It was answered or removed.');
  }

  /** @throws AgentError `refused`, `outside` */
  async propose({ file, text, why, by }: Pick<Proposal, 'file' | 'text' | 'why' | 'by'>): Promise<Proposal> {
    const kind = kindOf(file);
    if (text.length > longestProposal) {
      throw new AgentError(
        'refused',
        `The proposed text has ${count(text.length)} characters; ${count(longestProposal)} are the most.`,
        'Propose a smaller file.',
      );
    }
    const base = await this.base(file);
    const [problem] = problemsIn(kind, text, file);
    if (problem !== undefined) {
      throw new AgentError(
        'refused',
        `The proposed text is no ${kind} file: line ${problem.line}${problem.field === '' ? '' : `, field ${problem.field}`}: ${problem.message}`,
        `${problem.remedy} Correct it and propose it again.`,
      );
    }
    const waiting = (await this.all()).proposals.filter(({ answer }) => answer === null);
    if (waiting.length >= mostWaiting) {
      throw new AgentError(
        'refused',
        `${mostWaiting} proposals wait already.`,
        'A person answers them in the editor first.',
      );
    }
    const id = `${new Date(this.#clock.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${randomBytes(4).toString('hex')}`;
    const proposal: Proposal = {
      v: 1,
      id,
      at: this.#clock.now(),
      by: by.slice(0, 200),
      file,
      kind,
      base: digestOf(base),
      text,
      why,
      answer: null,
    };
    await mkdir(this.dir, { recursive: true });
    await this.#refuseLink();
    await this.#write(proposal);
    return proposal;
  }

  /**
   * The file as it is; null where there is none.
   * @throws AgentError `outside`, `refused` for what is no plain file or lies among the runs; RunError `own-file`
   */
  async base(file: string): Promise<Buffer | null> {
    kindOf(file);
    const path = this.pathOf(file);
    await (await Reach.of(this.#folder)).check(path);
    await this.#refuseRuns(path, file);
    try {
      const found = await lstat(path);
      if (!found.isFile())
        throw new AgentError('refused', `“${named(file)}” is a link or a folder.`, 'Name a plain file.');
      return await readFile(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await this.#requireFolder(dirname(path), file);
      return null;
    }
  }

  pathOf(file: string): string {
    return join(this.#folder, file);
  }

  /** Writes the file, in one step, where it is as it was when that was proposed. @throws AgentError that says why not */
  accept(id: string): Promise<Proposal> {
    const asked = () => this.waiting(id);
    return answerInTurn(this.dir, this.#clock, asked, () => this.#accept(id));
  }

  /** @throws AgentError where it waits no longer */
  refuse(id: string): Promise<Proposal> {
    const asked = () => this.waiting(id);
    return answerInTurn(this.dir, this.#clock, asked, async () => this.#answer(await asked(), 'refused'));
  }

  async #accept(id: string): Promise<Proposal> {
    const proposal = await this.waiting(id);
    const { file, base, text } = proposal;
    const now = await this.base(file);
    if (digestOf(now) !== base) {
      throw new AgentError(
        'refused',
        now === null
          ? `The file “${named(file)}” is gone since this was proposed.`
          : base === null
            ? `There is a file “${named(file)}” by now.`
            : `The file “${named(file)}” has changed since this was proposed.`,
        'Nothing was written. Refuse the proposal and ask the agent for another one.',
      );
    }
    if (base === null) await nodeFiles.createExclusive(this.pathOf(file), text);
    else await nodeFiles.replace(this.pathOf(file), text);
    return this.#answer(proposal, 'accepted');
  }

  async #answer(proposal: Proposal, answer: 'accepted' | 'refused'): Promise<Proposal> {
    const answered: Proposal = { ...proposal, text: '', answer };
    await this.#write(answered);
    const old = (await this.all()).proposals.filter((one) => one.answer !== null).slice(mostAnswered);
    for (const { id } of old) await nodeFiles.remove(join(this.dir, `${id}${ending}`));
    return answered;
  }

  async #write(proposal: Proposal): Promise<void> {
    await nodeFiles.replace(join(this.dir, `${proposal.id}${ending}`), `${JSON.stringify(proposal, null, 1)}\n`);
  }

  async #names(): Promise<string[]> {
    try {
      await this.#refuseLink();
      const entries = await readdir(this.dir, { withFileTypes: true });
      return entries.filter((entry) => entry.isFile() && entry.name.endsWith(ending)).map(({ name }) => name);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  async #read(name: string): Promise<Proposal | { damage: string }> {
    const path = join(this.dir, name);
    try {
      const { size } = await lstat(path);
      if (size > largestFile) return { damage: 'It is larger than a proposal may be.' };
      const parsed = proposalSchema.safeParse(parseOrUndefined(await readFile(path, 'utf8')));
      if (parsed.success && `${parsed.data.id}${ending}` === name) return parsed.data;
      if (parsed.success) return { damage: 'Its name is not its id.' };
      const { field, message } = firstIssue(parsed.error);
      return { damage: field === '' ? message : `${field}: ${message}` };
    } catch (error) {
      if (codeOf(error) === '') throw error;
      return { damage: `It cannot be read (${codeOf(error)}).` };
    }
  }

  /** Runs, here and elsewhere, stay as they were made. */
  async #refuseRuns(path: string, file: string): Promise<void> {
    const runs = await Reach.of(this.#root);
    // A folder of runs around the workspace holds files of people, too.
    if ((await runs.holds(path)) && !(await runs.holds(this.#folder))) {
      throw new AgentError(
        'refused',
        `“${named(file)}” lies in the folder of runs.`,
        'Runs stay as they were made. Name a file elsewhere.',
      );
    }
    refuseOwnFile(path);
  }

  /** A link in the folder’s place would have proposals written elsewhere. */
  async #refuseLink(): Promise<void> {
    if ((await lstat(this.dir)).isDirectory()) return;
    throw new AgentError('outside', `${this.dir} is no folder of its own.`, 'Remove it, then propose again.');
  }

  async #requireFolder(folder: string, file: string): Promise<void> {
    const found = await lstat(folder).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return null;
    });
    if (found?.isDirectory() === true) return;
    throw new AgentError(
      'not-found',
      `The folder of “${named(file)}” is not there.`,
      'Name a file in a folder that is.',
    );
  }
}

/** Of the bytes: texts of other bytes may read alike. Null of no file. */
const digestOf = (bytes: Buffer | null): string | null => (bytes === null ? null : sha256(bytes));
