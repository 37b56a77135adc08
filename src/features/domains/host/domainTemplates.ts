/** Initial content of a new domain: complete, so that it can be tested at once, with cases that pass. */
import type { FileTemplate } from '../../../host/newFile.ts';
import { codeCases, gameCases, questionCases, toolCases } from './templates/cases.ts';
import { code } from './templates/code.ts';
import { codePython } from './templates/codePython.ts';
import { javascript, typescript, type Dialect } from './templates/dialect.ts';
import { game } from './templates/game.ts';
import { gamePython } from './templates/gamePython.ts';
import { questions } from './templates/questions.ts';
import { questionsPython } from './templates/questionsPython.ts';
import { tools } from './templates/tools.ts';
import { toolsPython } from './templates/toolsPython.ts';

/** Kinds of tasks: questions with a computed answer, calls of tools, code that is tested, games of several turns. */
export const taskKinds = ['questions', 'tools', 'code', 'game'] as const;

export interface DomainTemplate extends FileTemplate {
  tasks: (typeof taskKinds)[number];
  text: string;
  /** The types written beside it, from `media/domains`. */
  types: string;
  /** Its worked cases, also written beside it. */
  cases: string;
}

/** @param cases of the scripts, of Python */
function inEachLanguage(
  tasks: DomainTemplate['tasks'],
  script: (dialect: Dialect) => string,
  python: string,
  [scripted, pythonic]: readonly [string, string],
): DomainTemplate[] {
  const types = 'genenv-domain.d.ts';
  return [
    { tasks, language: 'typescript', ending: '.domain.ts', types, text: script(typescript), cases: scripted },
    { tasks, language: 'javascript', ending: '.domain.js', types, text: script(javascript), cases: scripted },
    { tasks, language: 'python', ending: '.domain.py', types: 'genenv_domain.pyi', text: python, cases: pythonic },
  ];
}

export const domainTemplates: readonly DomainTemplate[] = [
  ...inEachLanguage('questions', questions, questionsPython, [questionCases, questionCases]),
  ...inEachLanguage('tools', tools, toolsPython, [toolCases(''), toolCases(' ')]),
  ...inEachLanguage('code', code, codePython, [codeCases('js'), codeCases('python')]),
  ...inEachLanguage('game', game, gamePython, [gameCases, gameCases]),
];
