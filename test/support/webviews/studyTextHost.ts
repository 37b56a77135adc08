/** The study form's host in tests: a text, changed as the editor changes it, beside one experiment. */
import { studyText } from '../../../src/features/studyForm/core/studyText.ts';
import { formPlan } from '../../../src/features/studyForm/core/formPlan.ts';
import * as contract from '../../../src/features/studyForm/contract.ts';
import { isObject } from '../../../src/shared/experiment/resolve.ts';
import { readJson } from '../../../src/shared/experiment/text/jsonText.ts';
import { editText } from '../../../src/shared/experiment/text/textEdit.ts';
import { noCounts } from '../../../src/shared/experiment/tasks/taskCounts.ts';
import type { RunPace } from '../../../src/shared/money/forecast.ts';
import type { Channel } from '../../../src/shared/rpc/channel.ts';

const common = { name: 'Curricula', base: 'demo.genenv.json', seeds: 8, rollouts: 51_200 };

/** As “New Study” writes it. */
export const newStudyText = studyText({ ...common, arms: {}, grid: {} });

export const curriculaStudy = studyText({
  ...common,
  arms: { coevolve: {}, random: { mode: 'random' }, 'target 0.4': { 'curriculum.alpha': 0.4, 'agent.train': true } },
  grid: { 'curriculum.kMin': [0.1, 0.25] },
});

const experiment = '{ "version": 1, "name": "demo", "preset": "embedded" }\n';

export class StudyTextHost {
  text: string;
  pace: RunPace | null = { run: 'demo', secondsPerToken: 0.0001, tokensPerAttempt: 40, billedPerToken: 1 };
  readonly asked: string[] = [];
  #channel: Channel | null = null;

  constructor(text: string) {
    this.text = text;
  }

  opened(channel: Channel): void {
    if (this.#channel === null) this.#answer(channel);
    this.#channel = channel;
    this.tell();
  }

  tell(): void {
    const file = 'curricula.study.json';
    const reading = readJson(this.text, file);
    const written = reading.ok && isObject(reading.json.value) ? reading.json.value : null;
    const named = written?.['base'] === 'demo.genenv.json';
    this.#channel?.emit(contract.documentChanged, {
      ...{ file, written, trusted: true },
      problems: reading.ok ? [] : reading.problems.map((problem) => ({ ...problem })),
    });
    const base = named ? { text: experiment, file: 'demo.genenv.json' } : null;
    const plan = formPlan(
      { text: this.text, file, base },
      () => this.pace,
      () => noCounts,
    );
    this.#channel?.emit(contract.planChanged, { ...plan, experiments: ['demo.genenv.json', 'other.genenv.json'] });
  }

  #answer(channel: Channel): void {
    channel.handle(contract.edit, (edits) => {
      this.text = editText(this.text, edits);
      this.tell();
      return null;
    });
    const note = (what: string) => (): null => {
      this.asked.push(what);
      return null;
    };
    channel.handle(contract.runStudy, note('run'));
    channel.handle(contract.openResults, note('results'));
    channel.handle(contract.openBase, note('base'));
    channel.handle(contract.newExperiment, note('new'));
    channel.handle(contract.openText, (at) => note(at === null ? 'text' : `text:${at.line}`)());
    channel.handle(contract.browse, () => 'tasks/mine.jsonl');
  }
}
