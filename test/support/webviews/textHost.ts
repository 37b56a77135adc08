/** The experiment form's host in tests. */
import { readExperimentText } from '../../../src/shared/experiment/text/reading.ts';
import { editText } from '../../../src/shared/experiment/text/textEdit.ts';
import type { Channel } from '../../../src/shared/rpc/channel.ts';
import * as contract from '../../../src/features/experiment/contract.ts';

/** The host's side: a text, changed as the editor changes it. */
export class TextHost {
  text: string;
  edits = 0;
  trusted = true;
  run: contract.FormRun | null = null;
  readonly asked: string[] = [];
  readonly applied: { run: string; changes: string[] }[] = [];
  readonly branched: { changes: string[]; name: string | null }[] = [];
  #channel: Channel | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** The page is there, for the first time or again. */
  opened(channel: Channel): void {
    if (this.#channel === null) this.#answer(channel);
    this.#channel = channel;
    this.tell();
    channel.emit(contract.runChanged, this.run);
  }

  tell(): void {
    const { written, problems } = readExperimentText(this.text, 'study.genenv.json');
    const found = problems.map(({ line, column, field, message, remedy, severity }) => {
      return { line, column, field, message, remedy, severity };
    });
    this.#channel?.emit(contract.documentChanged, {
      file: 'study.genenv.json',
      written,
      problems: found,
      trusted: this.trusted,
    });
  }

  #answer(channel: Channel): void {
    channel.handle(contract.edit, (edits) => {
      this.edits += 1;
      this.text = editText(this.text, edits);
      this.tell();
      return null;
    });
    const note = (what: string) => (): null => {
      this.asked.push(what);
      return null;
    };
    channel.handle(contract.startRun, note('start'));
    channel.handle(contract.checkExperiment, note('check'));
    channel.handle(contract.openText, (at) => note(at === null ? 'text' : `text:${at.line}:${at.column}`)());
    channel.handle(contract.browse, ({ field }) => {
      this.asked.push(`browse:${field}`);
      return 'tasks/mine.jsonl';
    });
    channel.handle(contract.makeBranch, (request) => {
      this.branched.push(request);
      return null;
    });
    channel.handle(contract.openCalibration, ({ run }) => note(`calibration of ${run}`)());
    channel.handle(contract.branchAt, ({ epoch }) => note(`branch at ${epoch}`)());
    channel.handle(contract.applyToRun, (request) => {
      this.applied.push(request);
      return null;
    });
  }
}
