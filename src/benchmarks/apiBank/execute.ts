/** API-Bank's levels 1 and 2: a call is right when executing it gives what the dialogue has. */
import { join } from 'node:path';
import { codeOf } from '../../shared/systemError.ts';
import { dataText } from '../offline/dataText.ts';
import { CaseError, OptionError } from '../offline/offlineScorer.ts';
import { findCall } from './callText.ts';
import { readDialogue, truthsOf, type Turn } from './dialogue.ts';
import { tools } from './tools/allTools.ts';
import { ToolFault, Wrong } from './tools/faults.ts';
import { readTables, type Tables } from './tools/tables.ts';
import { Given, type Response, type Tool, type Truth } from './tools/tool.ts';

export interface ExecutedCase {
  /** Under `lv1-lv2-samples`; it decides the level. */
  folder: string;
  file: string;
  /** Of the dialogue, see `truthsOf`. */
  sample: number;
  /** A model's output. */
  text: string;
}

/** Judges calls against the dialogues and tables of a folder `api-bank`, which are read once. */
export class CallJudge {
  readonly #folder: string;
  readonly #tables: Tables;
  readonly #truths = new Map<string, Promise<(Turn | undefined)[]>>();

  private constructor(folder: string, tables: Tables) {
    this.#folder = folder;
    this.#tables = tables;
  }

  /** @throws OptionError naming the table that is missing */
  static async open(folder: string): Promise<CallJudge> {
    return new CallJudge(folder, await readTables(folder));
  }

  /** @throws CaseError when there is no such sample, or its truth is no call */
  async isCorrect({ folder, file, sample, text }: ExecutedCase): Promise<boolean> {
    const truths = await this.#truthsOf(folder, file);
    const truth = truths[sample];
    if (truth === undefined) {
      throw new CaseError('files', 'sample', `${file} has ${truths.length} samples, counted from 0`);
    }
    if (truth.role !== 'API') {
      throw new CaseError('files', 'sample', `the truth of sample ${sample} of ${file} is a response, not a call`);
    }
    return isRightCall(text, truth, this.#tables);
  }

  #truthsOf(folder: string, file: string): Promise<(Turn | undefined)[]> {
    const key = `${folder}/${file}`;
    const known = this.#truths.get(key) ?? this.#read(folder, file);
    this.#truths.set(key, known);
    return known;
  }

  async #read(folder: string, file: string): Promise<(Turn | undefined)[]> {
    for (const [field, name] of [
      ['level_folder', folder],
      ['file', file],
    ] as const) {
      if (/[/\\]|^\.\.?$|^$/.test(name)) throw new CaseError('files', field, 'must be a name without a path');
    }
    try {
      return truthsOf(readDialogue(await dataText(join(this.#folder, 'lv1-lv2-samples', folder, file))));
    } catch (error) {
      if (error instanceof OptionError) throw new CaseError('files', 'file', `${error.message} ${error.remedy}`);
      if (codeOf(error) === '') throw error;
      throw new CaseError('files', 'file', `lv1-lv2-samples/${folder}/${file} cannot be read (${codeOf(error)})`);
    }
  }
}

/** Whether the first call of a text, executed on fresh tables, gives what the dialogue has. @param truth a turn of it */
export function isRightCall(text: string, truth: { api_name: string; result: Truth }, tables: Tables): boolean {
  const call = findCall(text);
  const tool = tools.get(truth.api_name);
  if (call === null || tool === undefined || call.name !== truth.api_name) return false;
  return isRight(tool, call.name, call.params, truth.result, tables);
}

function isRight(tool: Tool, name: string, params: ReadonlyMap<string, string>, truth: Truth, tables: Tables): boolean {
  try {
    return tool.judge(responseOf(tool, name, params, tables), truth);
  } catch (error) {
    // A value of invalid form never equals another.
    if (error instanceof Wrong || error instanceof ToolFault) return false;
    throw error;
  }
}

/** A call's response, an error of the tool included. @throws Wrong where the call does not reach the tool */
export function responseOf(tool: Tool, name: string, params: ReadonlyMap<string, string>, tables: Tables): Response {
  const given = new Given(tool, params);
  const response = { api_name: name, input: given.values };
  try {
    return { ...response, output: tool.call(given, tables), exception: null };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return { ...response, output: null, exception: error.message };
  }
}
